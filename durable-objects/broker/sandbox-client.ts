import type { BrokerClient, BrokerUnavailable } from '../../domain/broker/broker-client.ts';
import type { MarketDataSource } from '../../domain/broker/market-data-source.ts';
import { err, type Result } from '../../domain/result.ts';
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

  return {
    submit: (order) => ask(order.symbol, (broker) => broker.submit(order)),
    submitMany: (symbol, orders) => ask(symbol, (broker) => broker.submitMany(orders)),
    cancel: (symbol, clientOrderId) => ask(symbol, (broker) => broker.cancel(clientOrderId)),
    replace: (symbol, clientOrderId, change) => ask(symbol, (broker) => broker.replace(clientOrderId, change)),
    order: (symbol, clientOrderId) => ask(symbol, (broker) => broker.order(clientOrderId)),
    openOrders: (symbol, page) => ask(symbol, (broker) => broker.openOrders(page)),
    events: (symbol, after) => ask(symbol, (broker) => broker.events(after)),
    position: (symbol) => ask(symbol, (broker) => broker.position()),
    quote: (symbol) => ask(symbol, (broker) => broker.quote()),
    book: (symbol, levels) => ask(symbol, (broker) => broker.book(levels)),
  };
}
