import type { OrderState } from '../../domain/ledger/records.ts';
import { findArchivedOrder } from './archive/archived-orders.ts';
import { orderStore } from './archive/order-store.ts';

/** An order as its row says, for a book that has it no longer. Scaled integers. */
export interface ExistingOrder
  extends Pick<
    OrderState,
    'id' | 'status' | 'quantity' | 'price' | 'filled' | 'filledNotional' | 'restricted' | 'code' | 'updatedAt'
  > {
  readonly account: string;
  /** Of an open order from which self-trade prevention has taken; null or left out of any other. */
  readonly remaining?: number | null | undefined;
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
    `SELECT id, account, status, quantity, price, filled, filled_notional AS filledNotional, remaining, restricted, code,
            updated_at AS updatedAt
       FROM orders WHERE id = ?1`,
  )
    .bind(orderId)
    .first<ExistingRow>();
  const found = row ?? (account === null ? null : await findArchivedOrder(orderStore(env), account, orderId));
  return found === null ? null : { ...found, restricted: found.restricted === 1 };
}

type ExistingRow = Omit<ExistingOrder, 'restricted'> & { readonly restricted: number };
