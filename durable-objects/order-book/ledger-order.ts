import { chargeFee } from '../../domain/fees/fee.ts';
import type { ReservationRow } from '../../domain/ledger/outcomes.ts';
import type { Exposure } from '../../domain/ledger/records.ts';
import { type Market, notional } from '../../domain/markets/market.ts';
import { checked } from '../../domain/money/arithmetic.ts';
import type { OrderStatus, OrderTerms } from '../../domain/orders/order.ts';

/** Scales and assets of a market: all that settling needs, and the part of a market that never changes. */
export type BookMarket = Pick<
  Market,
  'symbol' | 'baseAsset' | 'quoteAsset' | 'priceScale' | 'quantityScale' | 'quoteScale' | 'tracksLots'
>;

/** A share of a lot that a sell has reserved, oldest first in its order. */
export interface OrderLot {
  /** Id under which it is reserved: the order's, or that of the amendment that added it. */
  readonly reservationId: string;
  readonly lotId: string;
  quantity: number;
  readonly restrictionEndsAt: number | null;
  readonly offeringType: string | null;
}

/**
 * The ledger's side of a live order: what it has exchanged and what it still holds. The engine knows its place in the book, this
 * knows its money. Amounts are scaled integers.
 */
export interface LedgerOrder {
  readonly orderId: string;
  readonly account: string;
  readonly side: OrderTerms['side'];
  quantity: number;
  /** Price that the reserve is made at: the limit, or the collar of a market order. */
  limit: number;
  /** Price as the client gave it; null for market and stop-market orders. */
  price: number | null;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  filled: number;
  filledNotional: number;
  remaining: number;
  /** What its fills have come to, in 1/10,000 quote units, modulo a whole unit. */
  feeNumerator: number;
  fee: number;
  reserve: number;
  readonly allowanceAsset: string | null;
  allowance: number;
  readonly positionAsset: string | null;
  position: number;
  restricted: boolean;
  lots: OrderLot[];
  status: OrderStatus;
  code: string | null;
  updatedAt: number;
}

/** What an order holds while `remaining` is open at `limit`. */
export interface Holds {
  readonly reserve: number;
  readonly allowance: number;
  readonly position: number;
}

type HoldTerms = Pick<
  LedgerOrder,
  'side' | 'limit' | 'remaining' | 'makerFeeBps' | 'takerFeeBps' | 'feeNumerator' | 'allowanceAsset' | 'positionAsset'
>;

/**
 * A buy reserves its remaining notional at its limit plus the most that fees can still come to, a sell reserves its remaining
 * quantity (DESIGN 8). The fee part uses the same F as the fills, so no fill can need more than is reserved.
 */
export function holdsOf(market: BookMarket, order: HoldTerms): Holds {
  if (order.side === 'sell') return { reserve: order.remaining, allowance: 0, position: 0 };
  const cost = notional(market, order.limit, order.remaining);
  const feeBps = Math.max(order.makerFeeBps, order.takerFeeBps);
  const feeMost = chargeFee(order.feeNumerator, cost, feeBps).fee;
  return {
    reserve: checked(cost + feeMost),
    allowance: order.allowanceAsset === null ? 0 : cost,
    position: order.positionAsset === null ? 0 : order.remaining,
  };
}

/** What an order counts, and may lose, under daily limits while `remaining` is open at `limit`. */
export function exposureOf(
  market: BookMarket,
  order: Omit<HoldTerms, 'allowanceAsset' | 'positionAsset'> & Pick<LedgerOrder, 'filledNotional'>,
): Exposure {
  const value = notional(market, order.limit, order.remaining);
  const total = checked(order.filledNotional + value);
  if (order.side === 'buy') return { notional: total, quantity: 0, proceeds: 0 };
  const feeMost = chargeFee(order.feeNumerator, value, Math.max(order.makerFeeBps, order.takerFeeBps)).fee;
  return { notional: total, quantity: order.remaining, proceeds: Math.max(0, value - feeMost) };
}

/** What orders hold, as the ledger lists it: lots that an amendment added stay reserved under its id. */
export function holdsIn(orders: Iterable<LedgerOrder>): ReservationRow[] {
  const rows: ReservationRow[] = [];
  for (const { orderId, account, reserve, allowance, position, lots } of orders) {
    rows.push({ kind: 'order', id: orderId, account, reserve, allowance, position });
    const amendments = new Set(lots.map(({ reservationId }) => reservationId).filter((id) => id !== orderId));
    for (const id of amendments) rows.push({ kind: 'amendment', id, account, reserve: 0, allowance: 0, position: 0 });
  }
  return rows;
}
