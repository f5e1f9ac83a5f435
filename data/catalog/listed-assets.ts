import { and, asc, eq, gt, isNull, ne, not, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { AssetCategory, ExecutionRouteName, Rail } from '../../domain/assets/asset.ts';
import { MARKET_ROUTES, type MarketRoute } from '../../domain/markets/market.ts';
import type { Database } from '../database.ts';
import { marketOfAsset } from '../markets/market-of-asset.ts';
import { assets, markets } from '../schema.ts';
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
}

export interface AssetFilter {
  readonly rail: Rail | null;
  readonly category: AssetCategory | null;
  readonly tradeable: boolean | null;
  /** Execution routes that take orders. */
  readonly routes: readonly ExecutionRouteName[];
  /** Words that must all occur in symbol or name; empty for any. */
  readonly words: readonly string[];
  /** Whether assets offered without general solicitation (506(b)) may be shown. */
  readonly unsolicited: boolean;
  /** Symbol of the last asset of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

/** Approved assets of the three rails by symbol. */
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
      sql`coalesce(${assets.executionRoute}, 'internal') IN (SELECT value FROM json_each(${JSON.stringify(filter.routes)}))`,
      sql`(coalesce(${assets.executionRoute}, 'internal') NOT IN (SELECT value FROM json_each(${JSON.stringify(MARKET_ROUTES)}))
        OR (coalesce(${markets.status}, '') = 'open' AND ${markets.route} = coalesce(${assets.executionRoute}, 'internal')
          AND NOT EXISTS (SELECT 1 FROM venue WHERE halted)))`,
    ) as SQL;
    conditions.push(filter.tradeable ? takesOrders : not(takesOrders));
  }
  if (!filter.unsolicited) conditions.push(or(isNull(assets.accreditationType), ne(assets.accreditationType, '506b')));
  if (filter.after !== null) conditions.push(gt(assets.symbol, filter.after));
  if (filter.words.length > 0) {
    // Both sides by the same lower(): SQLite's leaves letters beyond ASCII as they are.
    const words = JSON.stringify(filter.words);
    conditions.push(sql`NOT EXISTS (SELECT 1 FROM json_each(${words}) word
      WHERE instr(lower(${assets.symbol} || ' ' || ${assets.name}), lower(word.value)) = 0)`);
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
    })
    .from(assets)
    .leftJoin(markets, eq(markets.symbol, marketOfAsset(assets)))
    .where(and(...conditions))
    .orderBy(asc(assets.symbol))
    .limit(filter.limit);
}
