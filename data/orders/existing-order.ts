import type { OrderStatus } from '../../domain/orders/order.ts';
import { findArchivedOrder } from './archive/archived-orders.ts';
import { orderStore } from './archive/order-store.ts';

/** An order as its row says, for a book that has it no longer. Scaled integers. */
export interface ExistingOrder {
  readonly id: string;
  readonly account: string;
  readonly status: OrderStatus;
  readonly quantity: number;
  readonly price: number | null;
  readonly filled: number;
  readonly filledNotional: number;
  readonly restricted: boolean;
  readonly code: string | null;
  readonly updatedAt: number;
}

/**
 * The order of this id, whoever placed it; an archived one, only if this account did. Null when there is none.
 *
 * @throws OrderArchiveUnavailable
 */
export async function readExistingOrder(
  env: { readonly DB: D1Database; readonly ORDER_ARCHIVE: R2Bucket },
  orderId: string,
  account: string | null,
): Promise<ExistingOrder | null> {
  const row = await env.DB.prepare(
    `SELECT id, account, status, quantity, price, filled, filled_notional, restricted, code, updated_at
       FROM orders WHERE id = ?1`,
  )
    .bind(orderId)
    .first<ExistingOrderRow>();
  if (row === null) {
    const archived = account === null ? null : await findArchivedOrder(orderStore(env), account, orderId);
    return archived === null ? null : { ...archived, restricted: archived.restricted === 1 };
  }
  return {
    id: row.id,
    account: row.account,
    status: row.status,
    quantity: row.quantity,
    price: row.price,
    filled: row.filled,
    filledNotional: row.filled_notional,
    restricted: row.restricted === 1,
    code: row.code,
    updatedAt: row.updated_at,
  };
}

interface ExistingOrderRow {
  id: string;
  account: string;
  status: OrderStatus;
  quantity: number;
  price: number | null;
  filled: number;
  filled_notional: number;
  restricted: number;
  code: string | null;
  updated_at: number;
}
