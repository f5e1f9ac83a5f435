import type { ExecutionRouteName } from '../assets/asset.ts';
import { isTradeable } from '../assets/is-tradeable.ts';
import type { Market, MarketStatus } from '../markets/market.ts';
import { opensAt, waitsForOpening } from '../markets/trading-hours.ts';
import type { OrderTerms, Side } from '../orders/order.ts';
import type { OrderInstrument } from './instrument.ts';

export type InstrumentFailure =
  | { readonly reason: 'asset_not_tradeable'; readonly detail: 'asset_not_open' | 'no_market' | 'indications_only' }
  /** `resumesAt`: Unix ms, of a halt that ends by itself. */
  | { readonly reason: 'market_not_open'; readonly status: MarketStatus; readonly resumesAt?: number }
  /** `opensAt`: Unix ms. */
  | { readonly reason: 'outside_trading_hours'; readonly opensAt: number }
  | { readonly reason: 'not_pre_ipo' }
  | { readonly reason: 'pre_ipo' };

/** An instrument as far as it decides whether orders for it are taken. */
interface Openness {
  readonly asset: Pick<OrderInstrument['asset'], 'tradeable' | 'status'>;
  readonly market: Pick<Market, 'status' | 'route'> | null;
}

/** Why orders for the instrument are not taken now (X-AEP-25), or null. */
export function instrumentFailure({ asset, market }: Openness, route: ExecutionRouteName): InstrumentFailure | null {
  if (!isTradeable(asset)) return { reason: 'asset_not_tradeable', detail: 'asset_not_open' };
  if (market === null || market.route !== route) return { reason: 'asset_not_tradeable', detail: 'no_market' };
  return market.status === 'open' ? null : { reason: 'market_not_open', status: market.status };
}

/** Why an order that cannot wait until its market opens is not taken now, or null. */
export function hoursFailure(
  market: Pick<Market, 'tradingHours'> | null,
  terms: Pick<OrderTerms, 'timeInForce'>,
  now_ms: number,
): InstrumentFailure | null {
  const opens = waitsForOpening(terms) ? null : opensAt(market?.tradingHours, now_ms);
  return opens === null ? null : { reason: 'outside_trading_hours', opensAt: opens };
}

/** Whether orders for the instrument are taken on some route. */
export function takesOrders({ asset, market }: Openness): boolean {
  return isTradeable(asset) && (market === null || market.status === 'open');
}

/**
 * Why an order that is meant as an indication of interest is not one, or one that is meant to be firm is one, or null: after the listing event it
 * would be firm. An indication of interest to sell there is none.
 */
export function preIpoFailure(
  { preIpo }: { readonly preIpo: boolean | null },
  route: ExecutionRouteName,
  side: Side,
): InstrumentFailure | null {
  if (route !== 'indication') return preIpo ? { reason: 'not_pre_ipo' } : null;
  if (preIpo === false && side === 'buy') return { reason: 'pre_ipo' };
  return side === 'buy' ? null : { reason: 'asset_not_tradeable', detail: 'indications_only' };
}
