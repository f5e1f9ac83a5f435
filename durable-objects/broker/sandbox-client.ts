import type { BrokerClient, BrokerUnavailable } from '../../domain/broker/broker-client.ts';
import type { MarketDataSource, SourceQuote } from '../../domain/broker/market-data-source.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type SandboxBrokerApi, sandboxBrokerOf } from '../sandbox-broker/api.ts';

/** The sandbox broker's objects as a broker. */
export function sandboxClient(env: Pick<Env, 'SANDBOX_BROKER'>): BrokerClient & MarketDataSource {
  /** An object that is lost in a call is a broker that is away. */
  async function ask<T, E>(
    symbol: string,
    call: (broker: SandboxBrokerApi) => Promise<Result<T, E>>,
  ): Promise<Result<T, E | BrokerUnavailable>> {
    try {
      return await call(sandboxBrokerOf(env, symbol));
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return err({ reason: 'unavailable', retryAfter_ms: null, detail });
    }
  }

  /** Each symbol is an object of its own: one that is away leaves the others as they are. */
  async function quotes(
    symbols: readonly string[],
  ): Promise<Result<ReadonlyMap<string, SourceQuote>, BrokerUnavailable>> {
    const quoted = new Map<string, SourceQuote>();
    const answers = symbols.map(async (symbol) => {
      const answer = await ask(symbol, (broker) => broker.quote());
      if (answer.ok) quoted.set(symbol, answer.value);
    });
    await Promise.all(answers);
    return ok(quoted);
  }

  return {
    submit: (order) => ask(order.symbol, (broker) => broker.submit(order)),
    submitMany: (symbol, orders) => ask(symbol, (broker) => broker.submitMany(orders)),
    cancel: (symbol, clientOrderId) => ask(symbol, (broker) => broker.cancel(clientOrderId)),
    replace: (symbol, clientOrderId, change) => ask(symbol, (broker) => broker.replace(clientOrderId, change)),
    order: (symbol, clientOrderId) => ask(symbol, (broker) => broker.order(clientOrderId)),
    openOrders: (symbol, page) => ask(symbol, (broker) => broker.openOrders(page)),
    events: (symbol, after) => ask(symbol, (broker) => broker.events(after)),
    position: (symbol) => ask(symbol, (broker) => broker.position()),
    quotes,
    book: (symbol, levels) => ask(symbol, (broker) => broker.book(levels)),
    bars: (symbol, span) => ask(symbol, (broker) => broker.bars(span)),
  };
}
