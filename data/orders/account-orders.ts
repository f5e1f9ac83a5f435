import { and, desc, eq, gt, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { RELEASED } from '../../domain/ledger/settlement.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import { markets } from '../schema/markets.ts';
import { orders } from '../schema/orders.ts';
import { findArchivedOrder, findArchivedOrders, hasArchivedOrdersOn } from './archive/archived-orders.ts';
import { type OrderPage, pageWithArchived } from './archive/order-page.ts';
import type { OrderStore } from './archive/order-store.ts';

type OrderRow = typeof orders.$inferSelect;
type AssetRow = typeof assets.$inferSelect;

/** An order with the scales that its numbers are in. */
export interface ScaledOrder {
  readonly order: OrderRow;
  readonly quantityScale: number;
  /** Null for an order of a route without a market. */
  readonly priceScale: number | null;
  readonly quoteScale: number | null;
}

export interface OrderFilter {
  readonly account: string;
  readonly owner: string;
  /** Null lists all, else those in any of these statuses, which are all open or all final. */
  readonly status: { readonly open: readonly OrderStatus[] } | { readonly final: readonly OrderStatus[] } | null;
  readonly assetId: string | null;
  /** Only orders below this id: that of the last order of the page before. */
  readonly before: string | null;
  /** Only orders above this id. */
  readonly after: string | null;
  readonly limit: number;
}

export { RELEASED };

const quote = alias(assets, 'quote');

/** An order of this account, or null. @throws OrderArchiveUnavailable */
export async function findOrder(
  store: OrderStore,
  { id, account, owner }: { id: string; account: string; owner: string },
): Promise<ScaledOrder | null> {
  const [row] = await select(store.db, [eq(orders.id, id), eq(orders.account, account), eq(orders.owner, owner)], 1);
  if (row !== undefined) return row;
  const archived = await findArchivedOrder(store, account, id);
  if (archived === null || archived.owner !== owner || archived.code === RELEASED) return null;
  return (await withScales(store.db, [archived]))[0] ?? null;
}

/** Those of these orders of an organization's accounts that there are, in any order. @throws OrderArchiveUnavailable */
export async function findOrders(
  store: OrderStore,
  owner: string,
  wanted: readonly { readonly id: string; readonly account: string }[],
): Promise<ScaledOrder[]> {
  if (wanted.length === 0) return [];
  const ids = JSON.stringify(wanted.map(({ id }) => id));
  const isWanted = sql`${orders.id} IN (SELECT value FROM json_each(${ids}))`;
  const found = await select(store.db, [isWanted, eq(orders.owner, owner)], wanted.length);
  const known = new Set(found.map(({ order }) => order.id));
  const missing = Map.groupBy(
    wanted.filter(({ id }) => !known.has(id)),
    ({ account }) => account,
  );
  const archived: OrderRow[] = [];
  for (const [account, named] of missing)
    archived.push(
      ...(await findArchivedOrders(
        store,
        account,
        named.map(({ id }) => id),
      )),
    );
  const theirs = archived.filter((order) => order.owner === owner && order.code !== RELEASED);
  return [...found, ...(await withScales(store.db, theirs))];
}

/** Orders of an account, newest first. @throws OrderArchiveUnavailable */
export async function listOrders(store: OrderStore, filter: OrderFilter): Promise<OrderPage<ScaledOrder>> {
  const { account, owner, status, assetId, before, after, limit } = filter;
  return pageWithArchived(store, {
    newer: await selectPage(store.db, { ...filter, limit: limit + 1 }),
    idOf: ({ order }) => order.id,
    query: {
      account,
      statuses: status !== null && 'final' in status ? status.final : null,
      book: null,
      assetId,
      clientOrderId: null,
      before,
      after,
    },
    hasArchived: status === null || 'final' in status,
    complete: async (archived) =>
      withScales(
        store.db,
        archived.filter((order) => order.owner === owner),
      ),
    limit,
  });
}

function selectPage(db: Database, filter: OrderFilter): Promise<ScaledOrder[]> {
  const conditions: (SQL | undefined)[] = [eq(orders.account, filter.account), eq(orders.owner, filter.owner)];
  if (filter.status !== null) {
    conditions.push(
      'open' in filter.status
        ? and(eq(orders.open, 1), inArray(orders.status, [...filter.status.open]))
        : and(eq(orders.open, 0), inArray(orders.status, [...filter.status.final])),
    );
  }
  if (filter.assetId !== null) conditions.push(eq(orders.assetId, filter.assetId));
  if (filter.before !== null) conditions.push(lt(orders.id, filter.before));
  if (filter.after !== null) conditions.push(gt(orders.id, filter.after));
  return select(db, conditions, filter.limit);
}

/** An order as far as it must be known to find out where to send what concerns it, and to say what it is. */
export interface OrderLocation
  extends Pick<OrderRow, 'side' | 'type' | 'timeInForce' | 'stopPrice' | 'expiresAt' | 'clientOrderId' | 'preIpo'> {
  readonly id: string;
  readonly book: string | null;
  readonly status: OrderStatus;
}

/** Where those of these orders of an account are that D1 has: any that is open, and final ones that are not archived. */
export async function findOrderBooks(
  db: Database,
  account: string,
  ids: readonly string[],
): Promise<(OrderLocation & Pick<AssetRow, 'executionRoute'>)[]> {
  return db
    .select({
      id: orders.id,
      book: orders.book,
      status: orders.status,
      side: orders.side,
      type: orders.type,
      timeInForce: orders.timeInForce,
      stopPrice: orders.stopPrice,
      expiresAt: orders.expiresAt,
      clientOrderId: orders.clientOrderId,
      preIpo: orders.preIpo,
      executionRoute: assets.executionRoute,
    })
    .from(orders)
    .innerJoin(assets, eq(assets.id, orders.assetId))
    .where(
      and(eq(orders.account, account), sql`${orders.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
    );
}

/** The same of every order, however old. @throws OrderArchiveUnavailable */
export async function findAllOrderBooks(
  store: OrderStore,
  account: string,
  ids: readonly string[],
): Promise<OrderLocation[]> {
  const found = await findOrderBooks(store.db, account, ids);
  const known = new Set(found.map(({ id }) => id));
  const missing = ids.filter((id) => !known.has(id));
  return [...found, ...(await findArchivedOrders(store, account, missing))];
}

/** Whether the account has ever placed an order in this market. */
export async function hasOrdersOn(db: Database, account: string, book: string): Promise<boolean> {
  const placed = and(eq(orders.account, account), eq(orders.book, book));
  const found = await db.select({ id: orders.id }).from(orders).where(placed).limit(1);
  return found.length > 0 || hasArchivedOrdersOn(db, account, book);
}

/** Whether an order of the account stands under this id that was never matched and never will be. @throws OrderArchiveUnavailable */
export async function isOrderReleased(store: OrderStore, account: string, id: string): Promise<boolean> {
  const row = await store.db.select({ code: orders.code }).from(orders).where(eq(orders.id, id)).get();
  const order = row ?? (await findArchivedOrder(store, account, id));
  return order?.code === RELEASED;
}

/** Archived orders with the scales of their assets and markets. */
async function withScales(db: Database, archived: readonly OrderRow[]): Promise<ScaledOrder[]> {
  if (archived.length === 0) return [];
  const assetIds = JSON.stringify([...new Set(archived.map(({ assetId }) => assetId))]);
  const books = JSON.stringify([...new Set(archived.map(({ book }) => book))]);
  const [assetScales, marketScales] = await Promise.all([
    db
      .select({ id: assets.id, scale: assets.scale })
      .from(assets)
      .where(sql`${assets.id} IN (SELECT value FROM json_each(${assetIds}))`),
    db
      .select({ symbol: markets.symbol, priceScale: markets.priceScale, quoteScale: quote.scale })
      .from(markets)
      .innerJoin(quote, eq(quote.id, markets.quoteAsset))
      .where(sql`${markets.symbol} IN (SELECT value FROM json_each(${books}))`),
  ]);
  const scaleOf = new Map(assetScales.map(({ id, scale }) => [id, scale]));
  const scalesOf = new Map(marketScales.map((market) => [market.symbol, market]));
  return archived.map((order) => {
    const market = order.book === null ? undefined : scalesOf.get(order.book);
    const quantityScale = scaleOf.get(order.assetId);
    if (quantityScale === undefined) throw new Error(`order ${order.id} is of ${order.assetId}, which is no asset`);
    return {
      order,
      quantityScale,
      priceScale: market?.priceScale ?? null,
      quoteScale: market?.quoteScale ?? null,
    };
  });
}

function select(db: Database, conditions: (SQL | undefined)[], limit: number): Promise<ScaledOrder[]> {
  return (
    db
      .select({ order: orders, quantityScale: assets.scale, priceScale: markets.priceScale, quoteScale: quote.scale })
      .from(orders)
      .innerJoin(assets, eq(assets.id, orders.assetId))
      .leftJoin(markets, eq(markets.symbol, orders.book))
      .leftJoin(quote, eq(quote.id, markets.quoteAsset))
      // An order that was released is nobody's: its caller was told to ask again.
      .where(and(...conditions, or(isNull(orders.code), ne(orders.code, RELEASED))))
      .orderBy(desc(orders.id))
      .limit(limit)
  );
}
