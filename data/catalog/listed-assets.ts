import { and, asc, eq, isNull, ne, not, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { AssetCategory, Rail } from '../../domain/assets/asset.ts';
import type { AssetSearch } from '../../domain/assets/asset-search.ts';
import type { MarketRoute } from '../../domain/markets/market.ts';
import type { Database } from '../database.ts';
import { marketOfAsset } from '../markets/market-of-asset.ts';
import { assets } from '../schema/catalog.ts';
import { markets } from '../schema/markets.ts';
import type { AssetRow } from './assets.ts';

/** An asset as a list shows it, with its market against cash. */
export interface ListedAsset {
  readonly asset: AssetRow;
  readonly market: {
    readonly symbol: string;
    readonly route: MarketRoute;
    readonly priceScale: number;
    readonly referencePrice: number | null;
  } | null;
  readonly rank: number;
}

export interface AssetFilter {
  readonly rail: Rail | null;
  readonly category: AssetCategory | null;
  readonly tradeable: boolean | null;
  readonly search: AssetSearch | null;
  /** Whether assets offered without general solicitation (506(b)) may be shown. */
  readonly unsolicited: boolean;
  /** The last asset of the page before. */
  readonly after: PlaceInList | null;
  readonly limit: number;
}

/** Where an asset stands in a list: by rank, then by symbol. */
export interface PlaceInList {
  /** How well it fits the search: 0 its symbol is it, 1 begins with it, 2 every word is one of symbol or name, 3 begins one. 0 without a search. */
  readonly rank: number;
  readonly symbol: string;
}

/**
 * Approved assets of the three rails, the best fit first. The rank of one depends on nothing but itself and the search, so that what is not shown
 * moves nothing that is.
 */
export async function listAssets(db: Database, filter: AssetFilter): Promise<ListedAsset[]> {
  const conditions: (SQL | undefined)[] = [
    eq(assets.status, 'APPROVED'),
    notInArray(assets.category, ['currency', 'allowance']),
  ];
  if (filter.rail !== null) conditions.push(eq(assets.rail, filter.rail));
  if (filter.category !== null) conditions.push(eq(assets.category, filter.category));
  if (filter.tradeable !== null) {
    const takesOrders = and(
      eq(assets.tradeable, true),
      sql`coalesce(${markets.status}, '') = 'open' AND ${markets.route} = coalesce(${assets.executionRoute}, 'internal')
        AND NOT EXISTS (SELECT 1 FROM venue WHERE halted)`,
    ) as SQL;
    conditions.push(filter.tradeable ? takesOrders : not(takesOrders));
  }
  if (!filter.unsolicited) conditions.push(or(isNull(assets.accreditationType), ne(assets.accreditationType, '506b')));
  if (filter.search !== null) conditions.push(isAmong(filter.search.prefixes));
  const rank = filter.search === null ? sql<number>`CAST(0 AS INTEGER)` : rankBy(filter.search);
  if (filter.after !== null) {
    conditions.push(sql`(${rank}, ${assets.symbol}) > (CAST(${filter.after.rank} AS INTEGER), ${filter.after.symbol})`);
  }
  return db
    .select({
      asset: assets,
      market: {
        symbol: markets.symbol,
        route: markets.route,
        priceScale: markets.priceScale,
        referencePrice: markets.referencePrice,
      },
      rank,
    })
    .from(assets)
    .leftJoin(markets, eq(markets.symbol, marketOfAsset(assets)))
    .where(and(...conditions))
    .orderBy(asc(rank), asc(assets.symbol))
    .limit(filter.limit);
}

/** Whether the index of symbols and names finds the asset. */
function isAmong(query: string): SQL {
  return sql`${assets.id} IN (SELECT asset_id FROM asset_search WHERE asset_search MATCH ${query})`;
}

function rankBy({ symbol, words }: AssetSearch): SQL<number> {
  return sql<number>`CASE WHEN ${assets.symbol} = ${symbol} THEN 0
    WHEN substr(${assets.symbol}, 1, length(${symbol})) = ${symbol} THEN 1
    WHEN ${isAmong(words)} THEN 2 ELSE 3 END`;
}
