import type { BrokerClient, BrokerUnavailable } from '../../domain/broker/broker-client.ts';
import type { MarketDataSource, SourceQuote } from '../../domain/broker/market-data-source.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type SandboxPrimeApi, sandboxPrimeOf } from '../sandbox-prime/api.ts';

/** The sandbox prime broker's objects as what a routed market's book asks. */
export function sandboxPrimeClient(env: Pick<Env, 'SANDBOX_PRIME'>): BrokerClient & MarketDataSource {
  /** An object that is lost in a call is a prime broker that is away. */
  async function ask<T, E>(
    symbol: string,
    call: (prime: SandboxPrimeApi) => Promise<Result<T, E>>,
  ): Promise<Result<T, E | BrokerUnavailable>> {
    try {
      return await call(sandboxPrimeOf(env, symbol));
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return err({ reason: 'unavailable', retryAfter_ms: null, detail });
    }
  }

  /** Each coin is an object of its own: one that is away leaves the others as they are. */
  async function quotes(
    symbols: readonly string[],
  ): Promise<Result<ReadonlyMap<string, SourceQuote>, BrokerUnavailable>> {
    const quoted = new Map<string, SourceQuote>();
    const answers = symbols.map(async (symbol) => {
      const answer = await ask(symbol, (prime) => prime.quote());
      if (answer.ok) quoted.set(symbol, answer.value);
    });
    await Promise.all(answers);
    return ok(quoted);
  }

  return {
    submit: (order) => ask(order.symbol, (prime) => prime.submit(order)),
    cancel: (symbol, clientOrderId) => ask(symbol, (prime) => prime.cancel(clientOrderId)),
    replace: async () => err({ reason: 'refused', code: 'not_permitted', detail: 'orders are not replaced here' }),
    order: (symbol, clientOrderId) => ask(symbol, (prime) => prime.order(clientOrderId)),
    openOrders: (symbol, page) => ask(symbol, (prime) => prime.openOrders(page)),
    events: (symbol, after) => ask(symbol, (prime) => prime.events(after)),
    position: (symbol) => ask(symbol, (prime) => prime.position()),
    quotes,
    book: (symbol, levels) => ask(symbol, (prime) => prime.book(levels)),
    bars: (symbol, span) => ask(symbol, (prime) => prime.bars(span)),
  };
}
