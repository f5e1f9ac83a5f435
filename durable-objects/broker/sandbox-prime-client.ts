import type { BrokerClient } from '../../domain/broker/broker-client.ts';
import type { MarketDataSource } from '../../domain/broker/market-data-source.ts';
import { err } from '../../domain/result.ts';
import { sandboxPrimeOf } from '../sandbox-prime/api.ts';
import { askSandbox, sandboxVenue } from './sandbox-venue.ts';

/** The sandbox prime broker's objects as what a routed market's book asks. */
export function sandboxPrimeClient(env: Pick<Env, 'SANDBOX_PRIME'>): BrokerClient & MarketDataSource {
  return {
    ...sandboxVenue(askSandbox((symbol) => sandboxPrimeOf(env, symbol))),
    replace: async () => err({ reason: 'refused', code: 'not_permitted', detail: 'orders are not replaced here' }),
  };
}
