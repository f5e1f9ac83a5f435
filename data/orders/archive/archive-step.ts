import { and, asc, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { idsFrom } from '../../ids-from.ts';
import { writeDownKeyOrders } from '../../partner/partner-orders.ts';
import { orders } from '../../schema/orders.ts';
import { sqlBatch } from '../../sql-batch.ts';
import { type ArchivedOrder, type OrderSlice, sliceOf, type WrittenSlice } from './order-slice.ts';
import type { OrderStore } from './order-store.ts';
import { readSlice, writeSlice } from './slice-objects.ts';

/** Orders of a slice; about half a megabyte. A slice that is split leaves no piece with less than half of them. */
const SLICE_ORDERS_MAX = 2_000;

/** Where the archive stands. */
export interface ArchiveState {
  readonly generation: number;
  readonly steps: number;
  readonly visited: string;
}

/** `elsewhere`: another step, or the emptying of the read model, came first, and nothing was done. */
export type StepOutcome = { readonly type: 'done'; readonly moved: number } | { readonly type: 'elsewhere' };

export interface StepTerms {
  readonly account: string;
  /** Orders that ended before this time are moved, Unix ms. */
  readonly endedBefore: number;
  readonly now: number;
  /** Tests have smaller slices. */
  readonly sliceOrdersMax?: number;
}

export async function readArchiveState(db: Database): Promise<ArchiveState> {
  const [state] = await db.all<ArchiveState>(sql`SELECT generation, steps, visited FROM order_archive`);
  if (state === undefined) throw new Error('the order archive has no state');
  return state;
}

/** Notes how far the accounts have been seen to. */
export async function saveVisited(db: Database, visited: string): Promise<void> {
  await db.run(sql`UPDATE order_archive SET visited = ${visited}`);
}

/**
 * Moves final orders of an account, as many as a slice has at most, from D1 into the archive; `moved` is 0 when none is due. The object is
 * announced in D1, written, and then named by a slice in the same batch that deletes the orders. So at each moment every order stands in
 * exactly one of the two, whatever is lost on the way; repeated after a crash, a step finds the orders where they were, or gone.
 */
export async function archiveStep(store: OrderStore, terms: StepTerms): Promise<StepOutcome> {
  const { db, archive } = store;
  const { account, now, sliceOrdersMax = SLICE_ORDERS_MAX } = terms;
  const state = await readArchiveState(db);
  const due = await listDue(db, terms, sliceOrdersMax);
  const [lowest] = due;
  if (lowest === undefined) return { type: 'done', moved: 0 };
  const { replaced, until } = await findPlace(db, account, lowest.id, sliceOrdersMax);
  const moving = until === null ? due : due.filter(({ id }) => id < until);
  const kept = replaced === null ? [] : await readSlice(archive, replaced);
  const written = piecesOf(united(kept, moving), sliceOrdersMax).map((piece) =>
    sliceOf(account, piece, { generation: state.generation, step: state.steps + 1 }),
  );
  await announce(db, state, written, now);
  for (const slice of written) await writeSlice(archive, slice);
  return land(db, { state, account, moving, replaced, written, now });
}

async function listDue(db: Database, { account, endedBefore }: StepTerms, limit: number): Promise<ArchivedOrder[]> {
  return db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.account, account),
        eq(orders.open, 0),
        lt(orders.id, idsFrom(endedBefore)),
        lt(orders.updatedAt, endedBefore),
      ),
    )
    .orderBy(asc(orders.id))
    .limit(limit);
}

/**
 * Where orders from this id on belong: into the slice that they join and replace, up to but not including the order that the next slice
 * begins with. A last slice that is full is left as it is.
 */
async function findPlace(
  db: Database,
  account: string,
  id: string,
  sliceOrdersMax: number,
): Promise<{ readonly replaced: OrderSlice | null; readonly until: string | null }> {
  const [from, before] = await sqlBatch<[OrderSlice[], OrderSlice[]]>(db, [
    sql`SELECT * FROM order_slices WHERE account = ${account} AND last >= ${id} ORDER BY last LIMIT 2`,
    sql`SELECT * FROM order_slices WHERE account = ${account} AND last < ${id} ORDER BY last DESC LIMIT 1`,
  ]);
  const [having, next] = from;
  if (having !== undefined) return { replaced: having, until: next?.first ?? null };
  const [last] = before;
  return { replaced: last !== undefined && last.orders < sliceOrdersMax ? last : null, until: null };
}

/** Both by rising id; an order that is in both stands there once. */
function united(kept: readonly ArchivedOrder[], moving: readonly ArchivedOrder[]): ArchivedOrder[] {
  const byId = new Map([...moving, ...kept].map((order) => [order.id, order]));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** As few pieces as it takes, of about the same length. */
function piecesOf(sorted: readonly ArchivedOrder[], sliceOrdersMax: number): ArchivedOrder[][] {
  const count = Math.ceil(sorted.length / sliceOrdersMax);
  const at = (piece: number): number => Math.ceil((piece * sorted.length) / count);
  return Array.from({ length: count }, (_, piece) => sorted.slice(at(piece), at(piece + 1)));
}

/**
 * Objects of a step that never lands are found and deleted by this (delete-unreferenced.ts). Once the step has landed, be it in another
 * run, the same announcement does nothing: its objects are named then.
 */
async function announce(
  db: Database,
  { generation, steps }: ArchiveState,
  written: readonly WrittenSlice[],
  now: number,
): Promise<void> {
  const keys = JSON.stringify(written.map(({ slice }) => slice.key));
  await db.run(sql`
    INSERT INTO unreferenced_objects (key, since) SELECT value, CAST(${now} AS INTEGER) FROM json_each(${keys})
    WHERE EXISTS (SELECT 1 FROM order_archive
      WHERE generation = CAST(${generation} AS INTEGER) AND steps = CAST(${steps} AS INTEGER))
    ON CONFLICT DO UPDATE SET since = excluded.since`);
}

interface Landing {
  readonly state: ArchiveState;
  readonly account: string;
  readonly moving: readonly ArchivedOrder[];
  readonly replaced: OrderSlice | null;
  readonly written: readonly WrittenSlice[];
  readonly now: number;
}

/** The step itself, whole or not at all: the CHECK aborts it where anything is not as the step has found it. */
async function land(db: Database, { state, account, moving, replaced, written, now }: Landing): Promise<StepOutcome> {
  const ids = JSON.stringify(moving.map(({ id }) => id));
  const keys = JSON.stringify(written.map(({ slice }) => slice.key));
  const statements = [
    sql`UPDATE order_archive SET steps = CASE WHEN generation = CAST(${state.generation} AS INTEGER)
          AND steps = CAST(${state.steps} AS INTEGER)
          AND NOT EXISTS (SELECT 1 FROM projections WHERE emptying = 1)
          AND (SELECT count(*) FROM orders WHERE open = 0 AND id IN (SELECT value FROM json_each(${ids}))) = json_array_length(${ids})
          AND (SELECT count(*) FROM unreferenced_objects WHERE key IN (SELECT value FROM json_each(${keys}))) = json_array_length(${keys})
        THEN steps + 1 ELSE -1 END`,
    sql`DELETE FROM unreferenced_objects WHERE key IN (SELECT value FROM json_each(${keys}))`,
    ...(replaced === null
      ? []
      : [
          sql`INSERT INTO unreferenced_objects (key, since) VALUES (${replaced.key}, CAST(${now} AS INTEGER))`,
          sql`DELETE FROM order_slices WHERE account = ${account} AND last = ${replaced.last}`,
        ]),
    ...written.map(({ slice }) => insertSlice(slice)),
    sql`INSERT INTO traded_orders (id, account, book, side, allowance_asset, position_asset, filled, filled_notional, fee)
        SELECT id, account, book, side, allowance_asset, position_asset, filled, filled_notional, fee
        FROM orders WHERE id IN (SELECT value FROM json_each(${ids})) AND filled > 0`,
    writeDownKeyOrders(ids),
    sql`DELETE FROM orders WHERE id IN (SELECT value FROM json_each(${ids}))`,
  ];
  try {
    await sqlBatch(db, statements);
    return { type: 'done', moved: moving.length };
  } catch (error) {
    if (error instanceof Error && error.message.includes('order_archive_steps')) return { type: 'elsewhere' };
    throw error;
  }
}

function insertSlice(slice: OrderSlice) {
  const { account, first, last, key, hash, orders: count, statuses, books, assets, clientIds } = slice;
  return sql`INSERT INTO order_slices (account, first, last, key, hash, orders, statuses, books, assets, client_ids)
    VALUES (${account}, ${first}, ${last}, ${key}, ${hash}, CAST(${count} AS INTEGER), ${statuses}, ${books}, ${assets}, ${clientIds})`;
}
