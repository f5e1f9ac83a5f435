import type {
  BrokerClient,
  BrokerEventPage,
  BrokerOrder,
  BrokerOrderPage,
  BrokerOrderTerms,
  BrokerRefusal,
  BrokerUnavailable,
  Decimal,
} from '../../domain/broker/broker-client.ts';
import type {
  MarketDataSource,
  SourceBar,
  SourceBarSpan,
  SourceBook,
  SourceQuote,
} from '../../domain/broker/market-data-source.ts';
import { err, ok, type Result } from '../../domain/result.ts';

export type Answer<T> = Promise<Result<T, BrokerRefusal | BrokerUnavailable>>;
type Read<T> = Promise<Result<T, BrokerUnavailable>>;

/**
 * A sandbox's trade in one symbol, one object each, named by the symbol. Calls are those of `BrokerClient`
 * (domain/broker/broker-client.ts), without the symbol; what they say is durable.
 */
export interface SandboxVenueApi {
  submit(order: BrokerOrderTerms): Answer<BrokerOrder>;
  cancel(clientOrderId: string): Answer<null>;
  order(clientOrderId: string): Read<BrokerOrder | null>;
  openOrders(page: string | null): Read<BrokerOrderPage>;
  /** What happened, from the first event after a cursor on. */
  events(after: string | null): Answer<BrokerEventPage>;
  position(): Read<Decimal>;
  quote(): Answer<SourceQuote>;
  book(levels: number): Answer<SourceBook>;
  bars(span: SourceBarSpan): Answer<readonly SourceBar[]>;
}

/** Calls the object of a symbol. One that is lost in a call is a venue that is away. */
export type AskSandbox<Api> = <T, E>(
  symbol: string,
  call: (venue: Api) => Promise<Result<T, E>>,
) => Promise<Result<T, E | BrokerUnavailable>>;

/** @param venueOf a fresh stub of a symbol's object */
export function askSandbox<Api>(venueOf: (symbol: string) => Api): AskSandbox<Api> {
  return async (symbol, call) => {
    try {
      return await call(venueOf(symbol));
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return err({ reason: 'unavailable', retryAfter_ms: null, detail });
    }
  };
}

/** What sandboxes are asked alike: all but other terms of an order. */
export function sandboxVenue(ask: AskSandbox<SandboxVenueApi>): Omit<BrokerClient, 'replace'> & MarketDataSource {
  /** Each symbol is an object of its own: one that is away leaves the others as they are. */
  async function quotes(
    symbols: readonly string[],
  ): Promise<Result<ReadonlyMap<string, SourceQuote>, BrokerUnavailable>> {
    const quoted = new Map<string, SourceQuote>();
    const answers = symbols.map(async (symbol) => {
      const answer = await ask(symbol, (venue) => venue.quote());
      if (answer.ok) quoted.set(symbol, answer.value);
    });
    await Promise.all(answers);
    return ok(quoted);
  }

  return {
    submit: (order) => ask(order.symbol, (venue) => venue.submit(order)),
    cancel: (symbol, clientOrderId) => ask(symbol, (venue) => venue.cancel(clientOrderId)),
    order: (symbol, clientOrderId) => ask(symbol, (venue) => venue.order(clientOrderId)),
    openOrders: (symbol, page) => ask(symbol, (venue) => venue.openOrders(page)),
    events: (symbol, after) => ask(symbol, (venue) => venue.events(after)),
    position: (symbol) => ask(symbol, (venue) => venue.position()),
    callsPerMinute: null,
    quotes,
    book: (symbol, levels) => ask(symbol, (venue) => venue.book(levels)),
    bars: (symbol, span) => ask(symbol, (venue) => venue.bars(span)),
  };
}
