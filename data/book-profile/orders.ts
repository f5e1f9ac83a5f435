import { and, desc, eq, inArray, isNull, lt, ne, or, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Market } from '../../domain/markets/market.ts';
import type { OrderStatus } from '../../domain/orders/order.ts';
import type { Database } from '../database.ts';
import { RELEASED } from '../orders.ts';
import { assets, markets, orders } from '../schema.ts';

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

const LIVE_STATUSES: ReadonlySet<OrderStatus> = new Set(['open', 'pending_trigger', 'partially_filled']);

const quote = alias(assets, 'quote');

/** The account's order on a book, or null; another account's order is not found. */
export async function findBookOrder(db: Database, account: string, orderId: string): Promise<BookOrder | null> {
  return (await select(db, [eq(orders.id, orderId), eq(orders.account, account)], 1))[0] ?? null;
}

/** The account's orders on books, newest first. Live and final ones are read apart, each in the order of its index. */
export async function listBookOrders(db: Database, query: BookOrderQuery): Promise<BookOrder[]> {
  const { statuses } = query;
  const conditions: SQL[] = [eq(orders.account, query.account)];
  if (query.book !== null) conditions.push(eq(orders.book, query.book));
  if (query.clientOrderId !== null) conditions.push(eq(orders.clientOrderId, query.clientOrderId));
  if (query.before !== null) conditions.push(lt(orders.id, query.before));
  const page = (open: 0 | 1): Promise<BookOrder[]> => {
    const wanted = statuses?.filter((status) => LIVE_STATUSES.has(status) === (open === 1));
    if (wanted?.length === 0) return Promise.resolve([]);
    const state = wanted === undefined ? [] : [inArray(orders.status, wanted)];
    return select(db, [...conditions, eq(orders.open, open), ...state], query.limit);
  };
  const found = (await Promise.all([page(1), page(0)])).flat();
  return found.sort((a, b) => (a.order.id < b.order.id ? 1 : -1)).slice(0, query.limit);
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
