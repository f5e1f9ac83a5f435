import type { OrderStatus } from '../domain/orders/order.ts';

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

/** The order of this id, whoever placed it; null when there is none. */
export async function readExistingOrder(db: D1Database, orderId: string): Promise<ExistingOrder | null> {
  const row = await db
    .prepare(
      `SELECT id, account, status, quantity, price, filled, filled_notional, restricted, code, updated_at
       FROM orders WHERE id = ?1`,
    )
    .bind(orderId)
    .first<ExistingOrderRow>();
  if (row === null) return null;
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
