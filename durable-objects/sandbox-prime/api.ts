import type {
  BrokerEventPage,
  BrokerOrder,
  BrokerOrderPage,
  BrokerOrderTerms,
  BrokerRefusal,
  BrokerUnavailable,
  Decimal,
} from '../../domain/broker/broker-client.ts';
import type { SourceBar, SourceBarSpan, SourceBook, SourceQuote } from '../../domain/broker/market-data-source.ts';
import type { Result } from '../../domain/result.ts';
import type { PrimeFaults } from '../../domain/sandbox-prime/prime-faults.ts';

type Answer<T> = Promise<Result<T, BrokerRefusal | BrokerUnavailable>>;
type Read<T> = Promise<Result<T, BrokerUnavailable>>;

/**
 * The sandbox prime broker's trade in one coin, one object each, named by the coin's symbol. Calls are those of `BrokerClient`
 * (domain/broker/broker-client.ts), without the symbol; what they say is durable. What happens it tells by webhook.
 */
export interface SandboxPrimeApi {
  submit(order: BrokerOrderTerms): Answer<BrokerOrder>;
  cancel(clientOrderId: string): Answer<null>;
  order(clientOrderId: string): Read<BrokerOrder | null>;
  openOrders(page: string | null): Read<BrokerOrderPage>;
  /** What webhooks tell, for who asks: from the first event after a cursor on. */
  events(after: string | null): Answer<BrokerEventPage>;
  position(): Read<Decimal>;
  quote(): Answer<SourceQuote>;
  book(levels: number): Answer<SourceBook>;
  bars(span: SourceBarSpan): Answer<readonly SourceBar[]>;
  /** What goes wrong from now on. False where the var SANDBOX_FAULTS does not allow it. */
  setFaults(faults: PrimeFaults | null): Promise<boolean>;
}

/** A fresh stub of a coin's prime broker. After an exception a stub stays broken, so one is made for every call. */
export function sandboxPrimeOf(
  env: { readonly SANDBOX_PRIME: { getByName(name: string): unknown } },
  symbol: string,
): SandboxPrimeApi {
  return env.SANDBOX_PRIME.getByName(symbol) as SandboxPrimeApi;
}
