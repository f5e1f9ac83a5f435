import { and, desc, eq, inArray, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { RELEASED } from '../domain/ledger/settlement.ts';
import type { OrderStatus } from '../domain/orders/order.ts';
import type { Database } from './database.ts';
import { assets, markets, orders } from './schema.ts';

type OrderRow = typeof orders.$inferSelect;

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
  /** Null lists all; `open` those that are not final, `final` those in any of these statuses. */
  readonly status: { readonly open: true } | { readonly final: readonly OrderStatus[] } | null;
  readonly assetId: string | null;
  /** Id of the last order of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

export { RELEASED };

const quote = alias(assets, 'quote');

/** An order of this account, or null. */
export async function findOrder(
  db: Database,
  wanted: { id: string; account: string; owner: string },
): Promise<ScaledOrder | null> {
  const [row] = await select(
    db,
    [eq(orders.id, wanted.id), eq(orders.account, wanted.account), eq(orders.owner, wanted.owner)],
    1,
  );
  return row ?? null;
}

/** Orders of an account, newest first. */
export function listOrders(db: Database, filter: OrderFilter): Promise<ScaledOrder[]> {
  const conditions: (SQL | undefined)[] = [eq(orders.account, filter.account), eq(orders.owner, filter.owner)];
  if (filter.status !== null) {
    conditions.push(
      'open' in filter.status
        ? eq(orders.open, 1)
        : and(eq(orders.open, 0), inArray(orders.status, [...filter.status.final])),
    );
  }
  if (filter.assetId !== null) conditions.push(eq(orders.assetId, filter.assetId));
  if (filter.before !== null) conditions.push(lt(orders.id, filter.before));
  return select(db, conditions, filter.limit);
}

/** Ids, owners and books of orders, to find out where to send what concerns them. */
export async function findOrderBooks(
  db: Database,
  account: string,
  ids: readonly string[],
): Promise<{ id: string; book: string | null; status: OrderStatus }[]> {
  return db
    .select({ id: orders.id, book: orders.book, status: orders.status })
    .from(orders)
    .where(
      and(eq(orders.account, account), sql`${orders.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
    );
}

/** Whether the account has ever placed an order in this market. */
export async function hasOrdersOn(db: Database, account: string, book: string): Promise<boolean> {
  const placed = and(eq(orders.account, account), eq(orders.book, book));
  return (await db.select({ id: orders.id }).from(orders).where(placed).limit(1)).length > 0;
}

/** Whether an order stands under this id that was never matched and never will be. */
export async function isOrderReleased(db: Database, id: string): Promise<boolean> {
  const row = await db.select({ code: orders.code }).from(orders).where(eq(orders.id, id)).get();
  return row?.code === RELEASED;
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
