import { and, desc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { orderOfExecution } from '../../domain/ledger/broker-clearing.ts';
import type { BreakKind } from '../../domain/ledger/records.ts';
import type { BookMarket, VenueRoute } from '../../domain/markets/market.ts';
import { settlementTermOf } from '../../domain/markets/settlement-term.ts';
import type { Database } from '../database.ts';
import { bookedExecutions, brokerBreaks } from '../schema/broker.ts';
import { assets } from '../schema/catalog.ts';
import { markets } from '../schema/markets.ts';

/** A break with its market, and with what its execution was booked as. */
export interface BreakRecord {
  readonly told: Readonly<typeof brokerBreaks.$inferSelect>;
  readonly market: BookMarket & { readonly route: VenueRoute };
  readonly booking: Readonly<typeof bookedExecutions.$inferSelect> | null;
}

export interface BreakFilter {
  /** Null for any, as with those below. */
  readonly isOpen: boolean | null;
  readonly symbol: string | null;
  readonly kind: BreakKind | null;
  readonly orderId: string | null;
  /** The last break of the page before. */
  readonly before: BreakPlace | null;
  readonly limit: number;
}

export interface BreakPlace {
  readonly at: number;
  readonly symbol: string;
  readonly id: string;
}

const quote = alias(assets, 'quote');

export async function findBreak(db: Database, symbol: string, id: string): Promise<BreakRecord | null> {
  const [found] = await select(db, [eq(brokerBreaks.book, symbol), eq(brokerBreaks.id, id)], 1);
  return found ?? null;
}

/** Newest first, by what the broker says of their time. */
export function listBreaks(db: Database, filter: BreakFilter): Promise<BreakRecord[]> {
  const { isOpen, symbol, kind, orderId, before, limit } = filter;
  const place = sql`(${brokerBreaks.at}, ${brokerBreaks.book}, ${brokerBreaks.id})`;
  const conditions = [
    isOpen === null ? undefined : isOpen ? isNull(brokerBreaks.resolvedAt) : isNotNull(brokerBreaks.resolvedAt),
    symbol === null ? undefined : eq(brokerBreaks.book, symbol),
    kind === null ? undefined : eq(brokerBreaks.kind, kind),
    orderId === null ? undefined : eq(brokerBreaks.orderId, orderId),
    before === null ? undefined : sql`${place} < (CAST(${before.at} AS INTEGER), ${before.symbol}, ${before.id})`,
  ];
  return select(db, conditions, limit);
}

/** Whether an execution of the broker is a trade of the market, or was booked. Each is one for good, so this is the same whenever it is asked. */
export async function isCounted(db: Database, symbol: string, executionId: string): Promise<boolean> {
  const order = orderOfExecution(executionId);
  const rows = await db.all(sql`
    SELECT 1 FROM trades WHERE buy_order = ${order} AND buy_order GLOB 'execution:*' AND book = ${symbol}
    UNION ALL
    SELECT 1 FROM trades WHERE sell_order = ${order} AND sell_order GLOB 'execution:*' AND book = ${symbol}
    UNION ALL
    SELECT 1 FROM booked_executions WHERE book = ${symbol} AND execution_id = ${executionId}`);
  return rows.length > 0;
}

async function select(db: Database, conditions: readonly (SQL | undefined)[], limit: number): Promise<BreakRecord[]> {
  const rows = await db
    .select({
      told: brokerBreaks,
      booking: bookedExecutions,
      market: {
        symbol: markets.symbol,
        route: markets.route,
        baseAsset: markets.baseAsset,
        quoteAsset: markets.quoteAsset,
        priceScale: markets.priceScale,
      },
      category: assets.category,
      quantityScale: assets.scale,
      quoteScale: quote.scale,
      tracksLots: assets.tracksLots,
    })
    .from(brokerBreaks)
    .innerJoin(markets, eq(markets.symbol, brokerBreaks.book))
    .innerJoin(assets, eq(assets.id, markets.baseAsset))
    .innerJoin(quote, eq(quote.id, markets.quoteAsset))
    .leftJoin(bookedExecutions, eq(bookedExecutions.id, brokerBreaks.resolutionId))
    .where(and(...conditions))
    .orderBy(desc(brokerBreaks.at), desc(brokerBreaks.book), desc(brokerBreaks.id))
    .limit(limit);
  return rows.map(({ told, booking, market, category, ...scales }) => {
    // Only markets whose orders are handed over hear a broker.
    const route = market.route as VenueRoute;
    return { told, booking, market: { ...market, ...scales, route, settlement: settlementTermOf(route, category) } };
  });
}
