import { and, asc, desc, eq, gt, ne, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { AssetStatus } from '../../domain/assets/asset.ts';
import type { Market, MarketRoute, MarketStatus } from '../../domain/markets/market.ts';
import type { SecurityActor } from '../../domain/partner/security-state.ts';
import type { Database } from '../database.ts';
import { ownTerms } from '../markets/markets.ts';
import { assets } from '../schema/catalog.ts';
import { bars, markets } from '../schema/markets.ts';
import { securities } from '../schema/partner.ts';
import { registerEvents } from '../schema/register.ts';

interface PairAsset {
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  readonly status: AssetStatus;
}

/** A market as those who run the venue see it, whatever its route and state. */
export interface VenueMarket {
  readonly market: Omit<Market, 'tracksLots'>;
  readonly base: PairAsset;
  readonly quote: PairAsset;
  /** Who has halted its security, and why; null where its lister has no say, or it is not halted. */
  readonly securityHalt: { readonly by: SecurityActor | null; readonly reason: string | null } | null;
  /** Last trade, scaled; null before the first. */
  readonly lastPrice: number | null;
  /** Whether its shares are being split or exchanged: the ledger takes no orders meanwhile. */
  readonly isSplitting: boolean;
  /** Unix ms at which the last halt of its own ends, or has ended. */
  readonly haltedUntil: number | null;
}

export interface VenueMarketFilter {
  /** Null for any, as with those below. */
  readonly status: MarketStatus | null;
  readonly route: MarketRoute | null;
  /** Begins its symbol, whatever the case. */
  readonly search: string | null;
  /** Symbol of the last market of the page before; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

const base = alias(assets, 'base');
const quote = alias(assets, 'quote');

/** Markets by symbol. */
export function listVenueMarkets(db: Database, filter: VenueMarketFilter): Promise<VenueMarket[]> {
  const { status, route, search, after, limit } = filter;
  return select(
    db,
    [
      gt(markets.symbol, after),
      status === null ? undefined : eq(markets.status, status),
      route === null ? undefined : eq(markets.route, route),
      search === null
        ? undefined
        : sql`upper(substr(${markets.symbol}, 1, ${search.length})) = ${search.toUpperCase()}`,
    ],
    limit,
  );
}

/** Markets that are not closed for good: those that are halted first, then by symbol. */
export function listLivingMarkets(db: Database, limit: number): Promise<VenueMarket[]> {
  const isHalted = sql`${markets.status} = 'halted'`;
  return select(db, [ne(markets.status, 'closed')], limit, [desc(isHalted)]);
}

export async function findVenueMarket(db: Database, symbol: string): Promise<VenueMarket | null> {
  return (await select(db, [eq(markets.symbol, symbol)], 1))[0] ?? null;
}

/** How many markets there are, by their own state. */
export async function countMarkets(db: Database): Promise<Readonly<Record<MarketStatus, number>>> {
  const rows = await db.all<{ status: MarketStatus; count: number }>(
    sql`SELECT status, count(*) AS count FROM markets GROUP BY status`,
  );
  return { open: 0, halted: 0, closed: 0, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) };
}

export async function isAnyMarketHalted(db: Database): Promise<boolean> {
  const [row] = await db.all<{ isAny: number }>(
    sql`SELECT EXISTS (SELECT 1 FROM markets WHERE status = 'halted') AS isAny`,
  );
  return row?.isAny === 1;
}

async function select(
  db: Database,
  conditions: readonly (SQL | undefined)[],
  limit: number,
  first: readonly SQL[] = [],
): Promise<VenueMarket[]> {
  const rows = await db
    .select({
      market: markets,
      base: { id: base.id, symbol: base.symbol, name: base.name, status: base.status, scale: base.scale },
      quote: { id: quote.id, symbol: quote.symbol, name: quote.name, status: quote.status, scale: quote.scale },
      security: { state: securities.state, haltedBy: securities.haltedBy, reason: securities.reason },
      lastPrice: sql<number | null>`(
        SELECT ${bars.close} FROM ${bars} WHERE ${bars.book} = ${markets.symbol} AND ${bars.interval} = '1d'
        ORDER BY ${bars.bucket} DESC LIMIT 1
      )`,
      isSplitting: sql<number>`EXISTS (
        SELECT 1 FROM ${registerEvents} WHERE ${registerEvents.security} = ${markets.baseAsset}
        AND ${registerEvents.state} = 'announced' AND ${registerEvents.type} IN ('split', 'merger', 'conversion'))`,
    })
    .from(markets)
    .innerJoin(base, eq(base.id, markets.baseAsset))
    .innerJoin(quote, eq(quote.id, markets.quoteAsset))
    .leftJoin(securities, eq(securities.id, markets.baseAsset))
    .where(and(...conditions))
    .orderBy(...first, asc(markets.symbol))
    .limit(limit);
  return rows.map(
    ({
      market,
      base: { scale, ...ofBase },
      quote: { scale: quoteScale, ...ofQuote },
      security,
      lastPrice,
      isSplitting,
    }) => ({
      market: { ...ownTerms(market), quantityScale: scale, quoteScale },
      base: ofBase,
      quote: ofQuote,
      securityHalt: security?.state === 'halted' ? { by: security.haltedBy, reason: security.reason } : null,
      lastPrice,
      isSplitting: isSplitting === 1,
      haltedUntil: market.haltedUntil,
    }),
  );
}
