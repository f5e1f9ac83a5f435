import { type SQL, sql } from 'drizzle-orm';
import { RELEASED } from '../../../domain/ledger/settlement.ts';
import type { OrderStatus } from '../../../domain/orders/order.ts';
import type { Database } from '../../database.ts';
import { orderSlices } from '../../schema/orders.ts';
import { sqlBatch } from '../../sql-batch.ts';
import { type ArchivedOrder, clientIdMark, clientOrderIdHash, type OrderSlice } from './order-slice.ts';
import type { OrderStore } from './order-store.ts';
import { readSlice } from './slice-objects.ts';

/** Objects that one page of a listing reads, and slices that it looks through for them. */
const SLICES_READ_MAX = 8;
const SLICES_LOOKED_AT_MAX = 1_000;

/** Which archived orders of an account are wanted; null for no condition. */
export interface ArchivedQuery {
  readonly account: string;
  /** Only orders below this id. */
  readonly before: string | null;
  /** Only orders above this id. */
  readonly after: string | null;
  readonly statuses: readonly OrderStatus[] | null;
  readonly book: string | null;
  readonly assetId: string | null;
  readonly clientOrderId: string | null;
  readonly limit: number;
}

export interface ArchivedOrders {
  /** By falling id. */
  readonly orders: readonly ArchivedOrder[];
  /** Orders below this id have not been looked at; null when all have. */
  readonly reached: string | null;
}

/** Archived orders of an account, newest first, as far as a bounded number of objects tells. @throws OrderArchiveUnavailable */
export async function listArchivedOrders(store: OrderStore, query: ArchivedQuery): Promise<ArchivedOrders> {
  const { slices, reached } = await findSlices(store.db, query);
  const orders: ArchivedOrder[] = [];
  for (const [at, slice] of slices.entries()) {
    if (at === SLICES_READ_MAX) return { orders, reached: slices[at - 1]?.first ?? null };
    const found = (await readSlice(store.archive, slice)).filter((order) => isWanted(order, query));
    orders.push(...found.reverse().slice(0, query.limit - orders.length));
    if (orders.length === query.limit) return { orders, reached: orders.at(-1)?.id ?? null };
  }
  return { orders, reached };
}

/** One archived order of an account, or null; one that was released, too. @throws OrderArchiveUnavailable */
export async function findArchivedOrder(
  { db, archive }: OrderStore,
  account: string,
  id: string,
): Promise<ArchivedOrder | null> {
  const slice = await sliceHaving(db, account, id);
  if (slice === null) return null;
  return (await readSlice(archive, slice)).find((order) => order.id === id) ?? null;
}

/** Those of these orders of an account that are archived; an object is read once for all that it has. @throws OrderArchiveUnavailable */
export async function findArchivedOrders(
  { db, archive }: OrderStore,
  account: string,
  ids: readonly string[],
): Promise<ArchivedOrder[]> {
  const slices = new Map<string, OrderSlice>();
  for (const id of ids) {
    const slice = await sliceHaving(db, account, id);
    if (slice !== null) slices.set(slice.key, slice);
  }
  const wanted = new Set(ids);
  const found: ArchivedOrder[] = [];
  for (const slice of slices.values())
    found.push(...(await readSlice(archive, slice)).filter(({ id }) => wanted.has(id)));
  return found;
}

/** Whether an archived order of the account stood on this market. */
export async function hasArchivedOrdersOn(db: Database, account: string, book: string): Promise<boolean> {
  const [row] = await db.all<{ has: number }>(sql`
    SELECT EXISTS (SELECT 1 FROM order_slices s WHERE s.account = ${account} AND ${names(sql`s.books`, [book])}) AS has`);
  return row?.has === 1;
}

async function sliceHaving(db: Database, account: string, id: string): Promise<OrderSlice | null> {
  const slice = await db
    .select()
    .from(orderSlices)
    .where(sql`${orderSlices.account} = ${account} AND ${orderSlices.last} >= ${id}`)
    .orderBy(orderSlices.last)
    .limit(1)
    .get();
  return slice !== undefined && slice.first <= id ? slice : null;
}

/** Slices that may have what is wanted, newest first, one more than may be read. */
async function findSlices(
  db: Database,
  { account, before, after, statuses, book, assetId, clientOrderId }: ArchivedQuery,
): Promise<{ readonly slices: readonly OrderSlice[]; readonly reached: string | null }> {
  const inReach = [
    sql`s.account = ${account}`,
    ...(before === null ? [] : [sql`s.first < ${before}`]),
    ...(after === null ? [] : [sql`s.last > ${after}`]),
  ];
  const lookedAt = sql`(SELECT * FROM order_slices s WHERE ${sql.join(inReach, sql` AND `)} ORDER BY s.last DESC
    LIMIT CAST(${SLICES_LOOKED_AT_MAX} AS INTEGER))`;
  const fitting = [
    sql`true`,
    ...(statuses === null ? [] : [names(sql`s.statuses`, statuses)]),
    ...(book === null ? [] : [names(sql`s.books`, [book])]),
    ...(assetId === null ? [] : [names(sql`s.assets`, [assetId])]),
    ...(clientOrderId === null ? [] : [hasClientOrderId(account, clientOrderId)]),
  ];
  const [slices, counted] = await sqlBatch<[OrderSlice[], SlicesCount[]]>(db, [
    sql`SELECT * FROM ${lookedAt} s WHERE ${sql.join(fitting, sql` AND `)} ORDER BY s.last DESC
      LIMIT CAST(${SLICES_READ_MAX + 1} AS INTEGER)`,
    sql`SELECT count(*) AS count, min(s.first) AS lowest FROM ${lookedAt} s`,
  ]);
  const [{ count, lowest } = { count: 0, lowest: null }] = counted;
  return { slices, reached: count < SLICES_LOOKED_AT_MAX ? null : lowest };
}

/** Slices that were looked at, and the lowest id in them. */
interface SlicesCount {
  readonly count: number;
  readonly lowest: string | null;
}

/** Slices that have an order of this client order id, or one whose mark is the same. */
function hasClientOrderId(account: string, clientOrderId: string): SQL {
  const hash = clientOrderIdHash(account, clientOrderId);
  const [mark = ''] = clientIdMark(account, clientOrderId);
  return sql`CASE WHEN s.client_ids IS NOT NULL THEN instr(s.client_ids, ${mark}) > 0 ELSE s.last IN (
    SELECT (SELECT min(n.last) FROM order_slices n WHERE n.account = ${account} AND n.last >= c.order_id)
    FROM archived_client_order_ids c WHERE c.hash = CAST(${hash} AS INTEGER)) END`;
}

/** Whether a JSON array names one of these. */
function names(array: SQL, wanted: readonly string[]): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${array}) n JOIN json_each(${JSON.stringify(wanted)}) w ON w.value = n.value)`;
}

/** An order that was released is nobody's: its caller was told to ask again. */
function isWanted(order: ArchivedOrder, query: ArchivedQuery): boolean {
  const { before, after, statuses, book, assetId, clientOrderId } = query;
  return (
    order.code !== RELEASED &&
    (before === null || order.id < before) &&
    (after === null || order.id > after) &&
    (statuses === null || statuses.includes(order.status)) &&
    (book === null || order.book === book) &&
    (assetId === null || order.assetId === assetId) &&
    (clientOrderId === null || order.clientOrderId === clientOrderId)
  );
}
