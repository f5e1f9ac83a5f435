import { type SQL, sql } from 'drizzle-orm';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import type { WatchedOrder } from '../../domain/surveillance/finding.ts';
import type { Database } from '../database.ts';
import type { ArchivedOrder, OrderSlice } from '../orders/archive/order-slice.ts';
import type { OrderStore } from '../orders/archive/order-store.ts';
import { readSlice } from '../orders/archive/slice-objects.ts';
import { idAt } from '../orders/id-at.ts';
import { sqlBatch } from '../sql-batch.ts';

const CANCELLED: OrderStatus = 'cancelled';
/** At the time that its owner has set. */
const EXPIRED: OrderStatus = 'expired';
/** Why an order was cancelled that its owner has cancelled, or has met with another order of theirs. */
const BY_OWNER = ['user', 'self_trade'];
/** Why, where a key ended, or an account or a person: whose key ended that had placed it has taken it off as well. */
const REVOKED = 'revoked';
/** By so much the clock of a book may be behind that of the ledger, where keys end. */
const CLOCKS_DIFFER_MS = MINUTE_MS;
/** By so much the time in an order's id may differ from when its book took it. */
const ID_DIFFERS_MS = MINUTE_MS;

/** Orders of an account whose ids lie between two others. */
export interface OrderSpan {
  readonly account: string;
  readonly after: string;
  readonly before: string;
}

/** The ids that orders of an account may have which were placed from one time until before another. */
export function orderSpan(account: string, { from, to }: { readonly from: number; readonly to: number }): OrderSpan {
  return { account, after: idAt(from - ID_DIFFERS_MS), before: idAt(to + ID_DIFFERS_MS) };
}

/**
 * Orders of a market that their owners have taken off, by whichever of these ways, and that D1 has: those among the first final orders of each span, whatever market these are of, so that a
 * query looks at `perSpan` orders of each and at no more. What is left of the spans is to be read next.
 */
export async function listCancelledOrders(
  db: Database,
  spans: readonly OrderSpan[],
  { book, perSpan }: { readonly book: string; readonly perSpan: number },
): Promise<{ readonly orders: readonly WatchedOrder[]; readonly left: readonly OrderSpan[] }> {
  const named = JSON.stringify(spans.map(({ account, after, before }) => [account, after, before]));
  const ids = sql`SELECT p.id FROM orders p WHERE p.account = s.value ->> 0 AND p.open = 0
    AND p.id > s.value ->> 1 AND p.id < s.value ->> 2 ORDER BY p.id`;
  const [orders, reached] = await sqlBatch<[WatchedOrder[], { key: number; id: string | null }[]]>(db, [
    sql`SELECT o.id, o.account, o.side, o.price, o.quantity, o.filled, o.created_at AS createdAt, o.cancelled_at AS cancelledAt
        FROM json_each(${named}) s CROSS JOIN orders o ON o.id IN (${ids} LIMIT CAST(${perSpan} AS INTEGER))
        WHERE o.book = ${book} AND ${isTakenOff}
          AND o.price IS NOT NULL AND o.cancelled_at IS NOT NULL`,
    sql`SELECT s.key, (${ids} LIMIT 1 OFFSET CAST(${perSpan - 1} AS INTEGER)) AS id FROM json_each(${named}) s`,
  ]);
  const left = reached.flatMap(({ key, id }) => {
    const span = spans[key];
    return span === undefined || id === null ? [] : [{ ...span, after: id }];
  });
  return { orders, left };
}

const isTakenOff = sql`(o.status = ${EXPIRED} OR o.status = ${CANCELLED} AND (
  o.code IN (SELECT value FROM json_each(${JSON.stringify(BY_OWNER)})) OR o.code = ${REVOKED} AND EXISTS (
    SELECT 1 FROM api_keys k WHERE k.id = o.key_id AND k.revoked_at - CAST(${CLOCKS_DIFFER_MS} AS INTEGER) <= o.cancelled_at)))`;

/**
 * Slices of the archive that may have such orders of these spans: one of each account before a second of any, so that one account does not keep all others from
 * being read. `accountsLeft` have more than fit.
 */
export async function listCancelledSlices(
  db: Database,
  spans: readonly OrderSpan[],
  book: string,
  limit: number,
): Promise<{ readonly slices: readonly OrderSlice[]; readonly accountsLeft: readonly string[] }> {
  const named = JSON.stringify(spans.map(({ account, after, before }) => [account, after, before]));
  const inTurn = (columns: SQL) => sql`
    SELECT ${columns}, row_number() OVER (PARTITION BY s.account ORDER BY s.last) AS turn FROM order_slices s
    WHERE (s.account, s.last) IN (SELECT t.account, t.last FROM json_each(${named}) a CROSS JOIN order_slices t
        ON t.account = a.value ->> 0 AND t.last > a.value ->> 1 AND t.first < a.value ->> 2)
      AND EXISTS (SELECT 1 FROM json_each(s.books) b WHERE b.value = ${book})
      AND EXISTS (SELECT 1 FROM json_each(s.statuses) t WHERE t.value IN (${CANCELLED}, ${EXPIRED}))
    ORDER BY turn, s.account`;
  const [slices, others] = await sqlBatch<[OrderSlice[], { account: string }[]]>(db, [
    sql`${inTurn(
      sql`s.account, s.first, s.last, s.key, s.hash, s.orders, s.statuses, s.books, s.assets, s.client_ids AS clientIds`,
    )} LIMIT CAST(${limit} AS INTEGER)`,
    sql`SELECT DISTINCT account FROM (${inTurn(sql`s.account`)} LIMIT -1 OFFSET CAST(${limit} AS INTEGER))`,
  ]);
  return { slices, accountsLeft: others.map(({ account }) => account) };
}

/** Such orders in a slice. @throws OrderArchiveUnavailable */
export async function readCancelledOrders(
  { archive, db }: OrderStore,
  slice: OrderSlice,
  book: string,
): Promise<WatchedOrder[]> {
  const orders = (await readSlice(archive, slice)).filter((order) => order.book === book);
  const keys = await keysEnded(
    db,
    orders.flatMap(({ code, keyId }) => (code === REVOKED && keyId !== null ? [keyId] : [])),
  );
  return orders.flatMap((order) => (tookOff(order, keys) ? (watched(order) ?? []) : []));
}

/** When those of these keys ended that have. */
async function keysEnded(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all<{ id: string; at: number }>(sql`
    SELECT id, revoked_at AS at FROM api_keys
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify([...new Set(ids)])})) AND revoked_at IS NOT NULL`);
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** The same as `isTakenOff`. */
function tookOff({ status, code, keyId, cancelledAt }: ArchivedOrder, keys: ReadonlyMap<string, number>): boolean {
  if (status === EXPIRED) return true;
  if (status !== CANCELLED || code === null || cancelledAt === null) return false;
  const endedAt = code === REVOKED ? keys.get(keyId ?? '') : undefined;
  return BY_OWNER.includes(code) || (endedAt !== undefined && endedAt - CLOCKS_DIFFER_MS <= cancelledAt);
}

function watched(order: ArchivedOrder): WatchedOrder | null {
  const { id, account, side, price, quantity, filled, createdAt, cancelledAt } = order;
  if (price === null || cancelledAt === null) return null;
  return { id, account, side, price, quantity, filled, createdAt, cancelledAt };
}
