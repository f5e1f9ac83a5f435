import type { ReservationRow } from '../../../domain/ledger/outcomes.ts';
import type { DollarRate } from '../../../domain/money/dollar-rate.ts';
import type { OrderStatus, OrderTerms } from '../../../domain/orders/order.ts';

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
  /** By which it holds and draws on its allowance; left out without one, and for dollars. */
  readonly rate?: DollarRate | null | undefined;
  /** An indication that has not turned firm; left out of any other order. */
  isNonBinding?: boolean | undefined;
  /** Of a sell on a routed market: no execution counts at a higher price; left out of any other. */
  priceMost?: number | undefined;
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
