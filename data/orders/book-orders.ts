import { and, desc, eq, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Market } from '../../domain/markets/market.ts';
import { isFinal } from '../../domain/order-state/order-state.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import { markets } from '../schema/markets.ts';
import { orders } from '../schema/orders.ts';
import { RELEASED, type ScaledOrder } from './account-orders.ts';
import { findArchivedOrder } from './archive/archived-orders.ts';
import { type OrderPage, pageWithArchived } from './archive/order-page.ts';
import type { OrderStore } from './archive/order-store.ts';

/** An order on a book, with the scales that its numbers are in. */
export interface BookOrder {
  readonly order: typeof orders.$inferSelect;
  readonly market: Pick<Market, 'symbol' | 'priceScale' | 'quantityScale' | 'quoteScale'>;
}

export interface BookOrderQuery {
  readonly account: string;
  /** Null for every state. */
  readonly statuses: readonly OrderStatus[] | null;
  /** Market symbol, or null for every market. */
  readonly book: string | null;
  /** Only orders that carry it, or null for every order. */
  readonly clientOrderId: string | null;
  /** Only orders older than this id. */
  readonly before: string | null;
  readonly limit: number;
}

const quote = alias(assets, 'quote');

/** An order on a book as profile A reads it. */
export function scaledOrder({ order, market }: BookOrder): ScaledOrder {
  const { quantityScale, priceScale, quoteScale } = market;
  return { order, quantityScale, priceScale, quoteScale };
}

/** The account's order on a book, or null; another account's order is not found. @throws OrderArchiveUnavailable */
export async function findBookOrder(store: OrderStore, account: string, orderId: string): Promise<BookOrder | null> {
  const [found] = await select(store.db, [eq(orders.id, orderId), eq(orders.account, account)], 1);
  if (found !== undefined) return found;
  const archived = await findArchivedOrder(store, account, orderId);
  if (archived === null || archived.code === RELEASED) return null;
  return (await withMarkets(store.db, [archived]))[0] ?? null;
}

/** The account's orders on books, newest first. @throws OrderArchiveUnavailable */
export async function listBookOrders(store: OrderStore, query: BookOrderQuery): Promise<OrderPage<BookOrder>> {
  const { statuses, limit, ...conditions } = query;
  const final = statuses?.filter(isFinal) ?? null;
  return pageWithArchived(store, {
    newer: await selectPage(store.db, { ...query, limit: limit + 1 }),
    idOf: ({ order }) => order.id,
    query: { ...conditions, statuses: final, assetId: null, after: null },
    hasArchived: final === null || final.length > 0,
    complete: (archived) => withMarkets(store.db, archived),
    limit,
  });
}

/** Those that D1 has. Live and final ones are read apart, each in the order of its index. */
async function selectPage(db: Database, query: BookOrderQuery): Promise<BookOrder[]> {
  const { statuses } = query;
  const conditions: SQL[] = [eq(orders.account, query.account)];
  if (query.book !== null) conditions.push(eq(orders.book, query.book));
  if (query.clientOrderId !== null) conditions.push(eq(orders.clientOrderId, query.clientOrderId));
  if (query.before !== null) conditions.push(lt(orders.id, query.before));
  const page = (open: 0 | 1): Promise<BookOrder[]> => {
    const wanted = statuses?.filter((status) => isFinal(status) === (open === 0));
    if (wanted?.length === 0) return Promise.resolve([]);
    const state = wanted === undefined ? [] : [inArray(orders.status, wanted)];
    return select(db, [...conditions, eq(orders.open, open), ...state], query.limit);
  };
  const found = (await Promise.all([page(1), page(0)])).flat();
  return found.sort((a, b) => (a.order.id < b.order.id ? 1 : -1)).slice(0, query.limit);
}

/** Archived orders with their markets; those of routes without a book are none of this profile's. */
async function withMarkets(db: Database, archived: readonly BookOrder['order'][]): Promise<BookOrder[]> {
  if (archived.length === 0) return [];
  const books = JSON.stringify([...new Set(archived.map(({ book }) => book))]);
  const found = await db
    .select({
      symbol: markets.symbol,
      priceScale: markets.priceScale,
      quantityScale: assets.scale,
      quoteScale: quote.scale,
    })
    .from(markets)
    .innerJoin(assets, eq(assets.id, markets.baseAsset))
    .innerJoin(quote, eq(quote.id, markets.quoteAsset))
    .where(sql`${markets.symbol} IN (SELECT value FROM json_each(${books}))`);
  const marketOf = new Map(found.map((market) => [market.symbol, market]));
  return archived.flatMap((order) => {
    const market = order.book === null ? undefined : marketOf.get(order.book);
    return market === undefined ? [] : [{ order, market }];
  });
}

function select(db: Database, conditions: readonly SQL[], limit: number): Promise<BookOrder[]> {
  return (
    db
      .select({
        order: orders,
        market: {
          symbol: markets.symbol,
          priceScale: markets.priceScale,
          quantityScale: assets.scale,
          quoteScale: quote.scale,
        },
      })
      .from(orders)
      .innerJoin(markets, eq(markets.symbol, orders.book))
      .innerJoin(assets, eq(assets.id, markets.baseAsset))
      .innerJoin(quote, eq(quote.id, markets.quoteAsset))
      // An order that was released is nobody's: its caller was told to ask again.
      .where(and(...conditions, or(isNull(orders.code), ne(orders.code, RELEASED))))
      .orderBy(desc(orders.id))
      .limit(limit)
  );
}
