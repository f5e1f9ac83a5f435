import { sql } from 'drizzle-orm';
import { isFinal } from '../../../domain/order-state/order-state.ts';
import type { Database } from '../../database.ts';
import { type ArchivedOrder, OrderArchiveUnavailable, type OrderSlice } from './order-slice.ts';
import type { OrderStore } from './order-store.ts';
import { readSlice } from './slice-objects.ts';

/** Objects that an audit reads; drawn by chance, so that audits together come to all of them. */
const OBJECTS_MAX = 50;

/** Orders that each claim is about, and what first breaks it; null where it holds. */
export interface SlicesAudit {
  readonly examined: { readonly index: number; readonly objects: number };
  readonly violations: { readonly index: string | null; readonly objects: string | null };
}

/** Checks every slice by what D1 says of it, and the objects of some. Orders may be archived meanwhile. */
export async function auditSlices(store: OrderStore): Promise<SlicesAudit> {
  const { db } = store;
  const [counted] = await db.all<{ orders: number }>(sql`SELECT coalesce(sum(orders), 0) AS orders FROM order_slices`);
  const [overlap] = await db.all<{ violation: string }>(sql`
    SELECT 'account ' || account || ' has slices that overlap at ' || last AS violation
    FROM (SELECT account, first, last, lead(first) OVER (PARTITION BY account ORDER BY last) AS next FROM order_slices)
    WHERE first > last OR next <= last LIMIT 1`);
  const drawn = await db.all<OrderSlice>(
    sql`SELECT * FROM order_slices ORDER BY random() LIMIT CAST(${OBJECTS_MAX} AS INTEGER)`,
  );
  let index = overlap?.violation ?? null;
  let objects: string | null = null;
  let examined = 0;
  for (const slice of drawn) {
    try {
      const archived = await readSlice(store.archive, slice);
      examined += archived.length;
      objects ??= objectViolation(slice, archived) ?? (await missingTraded(db, archived));
      index ??= await alsoInD1(db, archived);
    } catch (error) {
      if (!(error instanceof OrderArchiveUnavailable)) throw error;
      objects ??= error.message;
    }
  }
  return { examined: { index: counted?.orders ?? 0, objects: examined }, violations: { index, objects } };
}

function objectViolation(
  { key, account, first, last, orders }: OrderSlice,
  archived: readonly ArchivedOrder[],
): string | null {
  const ids = archived.map(({ id }) => id);
  if (ids.length !== orders || ids[0] !== first || ids.at(-1) !== last)
    return `${key} has not the orders that D1 counts`;
  for (const [at, order] of archived.entries()) {
    if (order.account !== account) return `order ${order.id} of ${order.account} is archived with ${account}`;
    if (at > 0 && order.id <= (ids[at - 1] as string)) return `${key} is out of order at ${order.id}`;
    if (!isFinal(order.status) || order.open !== 0 || order.reserve + order.allowance + order.position !== 0)
      return `archived order ${order.id} is ${order.status} and reserves ${order.reserve + order.allowance + order.position}`;
    if (order.filled > order.quantity) return `archived order ${order.id} filled ${order.filled} of ${order.quantity}`;
  }
  return null;
}

/** An archived order that has traded keeps what its trades need. */
async function missingTraded(db: Database, archived: readonly ArchivedOrder[]): Promise<string | null> {
  const traded = archived.filter(({ filled }) => filled > 0);
  const rows = JSON.stringify(
    traded.map(({ id, filled, filledNotional, fee }) => ({ id, filled, filledNotional, fee })),
  );
  const [missing] = await db.all<{ id: string }>(sql`
    SELECT r.value ->> 'id' AS id FROM json_each(${rows}) r LEFT JOIN traded_orders d ON d.id = r.value ->> 'id'
    WHERE (d.filled, d.filled_notional, d.fee) IS NOT
          (r.value ->> 'filled', r.value ->> 'filledNotional', r.value ->> 'fee') LIMIT 1`);
  return missing === undefined ? null : `archived order ${missing.id} has traded, and D1 says otherwise`;
}

async function alsoInD1(db: Database, archived: readonly ArchivedOrder[]): Promise<string | null> {
  const ids = JSON.stringify(archived.map(({ id }) => id));
  const [both] = await db.all<{ id: string }>(
    sql`SELECT id FROM orders WHERE id IN (SELECT value FROM json_each(${ids})) LIMIT 1`,
  );
  return both === undefined ? null : `order ${both.id} is archived and in D1`;
}
