import type { BrokerClient } from '../../domain/broker/broker-client.ts';
import type { MarketDataSource } from '../../domain/broker/market-data-source.ts';
import { sandboxClient } from './sandbox-client.ts';

/** The broker that executes orders on public assets, and the source of their prices: the var BROKER says which. */
export function brokerOf(env: Env): BrokerClient & MarketDataSource {
  return sandboxClient(env);
}
