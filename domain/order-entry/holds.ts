import { chargeFee } from '../fees/fee.ts';
import type { Exposure, Holds } from '../ledger/records.ts';
import { type BookMarket, notional } from '../markets/market.ts';
import { checked } from '../money/arithmetic.ts';
import { type DollarRate, inDollarsUp } from '../money/dollar-rate.ts';
import type { Side } from '../orders/order.ts';

/** What of an order decides what it holds. Scaled integers. */
interface HoldTerms {
  readonly side: Side;
  /** Price that the reserve is made at: the limit, or the collar of an order without one. */
  readonly limit: number;
  readonly remaining: number;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  /** What its fills have come to, in 1/10,000 quote units, modulo a whole unit. */
  readonly feeNumerator: number;
  readonly allowanceAsset: string | null;
  readonly positionAsset: string | null;
  /** Of the quote asset: an allowance is held in dollars. Left out where that is what the market quotes in. */
  readonly rate?: DollarRate | null | undefined;
  /** An indication of interest, which binds nobody and holds nothing. */
  readonly isNonBinding?: boolean | undefined;
}

const NOTHING: Holds = { reserve: 0, allowance: 0, position: 0 };

/**
 * What an order holds while `remaining` is open at `limit`. A buy reserves its remaining notional at its limit plus the most that fees
 * can still come to, a sell reserves its remaining quantity (docs/design/money.md#holds). The fee part uses the same F as the fills, so no
 * fill can need more than is reserved.
 */
export function holdsOf(market: BookMarket, order: HoldTerms): Holds {
  if (order.isNonBinding === true) return NOTHING;
  if (order.side === 'sell') return { reserve: order.remaining, allowance: 0, position: 0 };
  const cost = notional(market, order.limit, order.remaining);
  const feeBps = Math.max(order.makerFeeBps, order.takerFeeBps);
  const feeMost = chargeFee(order.feeNumerator, cost, feeBps).fee;
  return {
    reserve: checked(cost + feeMost),
    allowance: order.allowanceAsset === null ? 0 : inDollarsUp(cost, order.rate),
    position: order.positionAsset === null ? 0 : order.remaining,
  };
}

/** What an order counts, and may lose, under daily limits while `remaining` is open at `limit`. */
export function exposureOf(
  market: BookMarket,
  order: Omit<HoldTerms, 'allowanceAsset' | 'positionAsset'> & { readonly filledNotional: number },
): Exposure {
  const value = notional(market, order.limit, order.remaining);
  const total = checked(order.filledNotional + value);
  if (order.side === 'buy') return { notional: total, quantity: 0, proceeds: 0 };
  const feeMost = chargeFee(order.feeNumerator, value, Math.max(order.makerFeeBps, order.takerFeeBps)).fee;
  return { notional: total, quantity: order.remaining, proceeds: Math.max(0, value - feeMost) };
}
