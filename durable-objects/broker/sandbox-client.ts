import type { BrokerClient } from '../../domain/broker/broker-client.ts';
import type { MarketDataSource } from '../../domain/broker/market-data-source.ts';
import { sandboxBrokerOf } from '../sandbox-broker/api.ts';
import { askSandbox, sandboxVenue } from './sandbox-venue.ts';

/** The sandbox broker's objects as a broker. */
export function sandboxClient(env: Pick<Env, 'SANDBOX_BROKER'>): BrokerClient & MarketDataSource {
  const ask = askSandbox((symbol) => sandboxBrokerOf(env, symbol));
  return {
    ...sandboxVenue(ask),
    submitMany: (symbol, orders) => ask(symbol, (broker) => broker.submitMany(orders)),
    replace: (symbol, clientOrderId, change) => ask(symbol, (broker) => broker.replace(clientOrderId, change)),
  };
}
