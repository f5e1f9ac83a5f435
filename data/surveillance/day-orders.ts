import { sql } from 'drizzle-orm';
import type { OrderStatus } from '../../domain/orders/order.ts';
import type { WatchedOrder } from '../../domain/surveillance/finding.ts';
import type { Database } from '../database.ts';
import type { ArchivedOrder, OrderSlice } from '../orders/archive/order-slice.ts';
import type { OrderStore } from '../orders/archive/order-store.ts';
import { readSlice } from '../orders/archive/slice-objects.ts';
import { idAt } from '../orders/id-at.ts';

/** Which cancelled orders are wanted: those of a market that were placed from one time on, and cancelled until before another. */
export interface CancelledQuery {
  readonly book: string;
  readonly placedFrom: number;
  readonly cancelledFrom: number;
  readonly cancelledTo: number;
}

const CANCELLED: OrderStatus = 'cancelled';
/** Why an order was cancelled that its owner has cancelled. */
const BY_OWNER = 'user';

/** The place of an order in the list. */
export interface OrderPlace {
  readonly account: string;
  readonly id: string;
}

/** Orders of these accounts that their owners have cancelled and that D1 has, by account and id. @param accounts in order */
export function listCancelledOrders(
  db: Database,
  accounts: readonly string[],
  query: CancelledQuery,
  { after, limit }: { readonly after: OrderPlace | null; readonly limit: number },
): Promise<WatchedOrder[]> {
  const { book, placedFrom, cancelledFrom, cancelledTo } = query;
  const [seen, last] = [after?.account ?? '', after?.id ?? ''];
  return db.all<WatchedOrder>(sql`
    SELECT o.id, o.account, o.side, o.price, o.quantity, o.filled, o.created_at AS createdAt, o.cancelled_at AS cancelledAt
    FROM accounts a CROSS JOIN orders o ON o.account = a.id AND o.open = 0
      AND o.id > CASE a.id WHEN ${seen} THEN ${last} ELSE ${idAt(placedFrom)} END AND o.id < ${idAt(cancelledTo)}
    WHERE a.id IN (SELECT value FROM json_each(${JSON.stringify(accounts)})) AND a.id >= ${seen}
      AND o.book = ${book} AND o.status = ${CANCELLED} AND o.code = ${BY_OWNER} AND o.price IS NOT NULL
      AND o.cancelled_at >= CAST(${cancelledFrom} AS INTEGER) AND o.cancelled_at < CAST(${cancelledTo} AS INTEGER)
    ORDER BY a.id, o.id LIMIT CAST(${limit} AS INTEGER)`);
}

/** Slices of the archive that may have such orders of these accounts, by account. */
export function listCancelledSlices(
  db: Database,
  accounts: readonly string[],
  { book, placedFrom, cancelledTo }: CancelledQuery,
  limit: number,
): Promise<OrderSlice[]> {
  return db.all<OrderSlice>(sql`
    SELECT s.account, s.first, s.last, s.key, s.hash, s.orders, s.statuses, s.books, s.assets, s.client_ids AS clientIds
    FROM json_each(${JSON.stringify(accounts)}) a CROSS JOIN order_slices s ON s.account = a.value AND s.last >= ${idAt(placedFrom)}
    WHERE s.first < ${idAt(cancelledTo)} AND EXISTS (SELECT 1 FROM json_each(s.books) b WHERE b.value = ${book})
      AND EXISTS (SELECT 1 FROM json_each(s.statuses) t WHERE t.value = ${CANCELLED})
    LIMIT CAST(${limit} AS INTEGER)`);
}

/** Such orders in a slice. @throws OrderArchiveUnavailable */
export async function readCancelledOrders(
  { archive }: Pick<OrderStore, 'archive'>,
  slice: OrderSlice,
  query: CancelledQuery,
): Promise<WatchedOrder[]> {
  return (await readSlice(archive, slice)).flatMap((order) => watched(order, query) ?? []);
}

function watched(order: ArchivedOrder, query: CancelledQuery): WatchedOrder | null {
  const { id, account, side, price, quantity, filled, createdAt, cancelledAt, status, code, book } = order;
  const isWanted = book === query.book && status === CANCELLED && code === BY_OWNER && createdAt >= query.placedFrom;
  if (!isWanted || price === null || cancelledAt === null) return null;
  if (cancelledAt < query.cancelledFrom || cancelledAt >= query.cancelledTo) return null;
  return { id, account, side, price, quantity, filled, createdAt, cancelledAt };
}
