import type { Instrument } from '../../../data/catalog/instruments.ts';
import type { ExecutionRouteName } from '../../../domain/assets/asset.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';

/** Why orders for the instrument are not taken now (X-AEP-25), or null. */
export function instrumentFailure({ asset, market }: Instrument, route: ExecutionRouteName): OrderEntryFailure | null {
  if (!asset.tradeable || asset.status !== 'APPROVED')
    return { reason: 'asset_not_tradeable', detail: 'asset_not_open' };
  if (route !== 'internal') return null;
  if (market === null) return { reason: 'asset_not_tradeable', detail: 'no_market' };
  return market.status === 'open' ? null : { reason: 'market_not_open', status: market.status };
}
