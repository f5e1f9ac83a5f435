import { and, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { hasWholeNotionals, isAtBroker, isRouted, type Market, type MarketRoute } from '../../domain/markets/market.ts';
import { marketSymbol } from '../../domain/markets/market-symbol.ts';
import {
  indicationMarketError,
  type RoutedMarketError,
  routedMarketError,
} from '../../domain/markets/routed-market-error.ts';
import { SETTLES_NEXT_TRADING_DAY } from '../../domain/markets/settlement-term.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { createOnce } from '../create-once.ts';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import { markets } from '../schema/markets.ts';

/** What the creator of a market says. Prices and quantities are scaled integers. */
export interface MarketTerms
  extends Pick<
      Market,
      'baseAsset' | 'quoteAsset' | 'priceScale' | 'tickSize' | 'lotSize' | 'quantityMin' | 'quantityMax'
    >,
    Partial<
      Pick<
        Market,
        'route' | 'makerFeeBps' | 'takerFeeBps' | 'bandBps' | 'bandHaltSeconds' | 'tradingHours' | 'referencePrice'
      >
    > {
  readonly createdAt: number;
}

export type MarketError =
  | { readonly reason: 'asset_not_found'; readonly asset: string }
  /** Tick × lot is not a whole unit of the quote asset (docs/design/money.md#notional). */
  | { readonly reason: 'notional_not_whole' }
  | { readonly reason: 'not_positive'; readonly field: 'tickSize' | 'lotSize' | 'quantityMin' }
  | { readonly reason: 'not_on_lot'; readonly field: 'quantityMin' | 'quantityMax' }
  | { readonly reason: 'not_on_tick'; readonly field: 'referencePrice' }
  | { readonly reason: 'minimum_above_maximum' }
  | { readonly reason: 'fee_out_of_range' }
  /** Orders that meet each other do so at any time. */
  | { readonly reason: 'hours_without_broker' };

/** The asset's shares would leave by this market, or by the other, before they have settled (docs/design/broker.md#settlement). */
export interface SettlesOtherwise {
  readonly reason: 'settles_otherwise';
  /** The other market. */
  readonly symbol: string;
}

/** What decides whether a market may have its route. */
type RoutedTerms = Pick<
  Market,
  'route' | 'baseAsset' | 'quoteAsset' | 'priceScale' | 'tickSize' | 'lotSize' | 'bandBps'
>;

/** Highest fee of a market: 10 %. */
const FEE_BPS_MAX = 1_000;

const base = alias(assets, 'base');
const quote = alias(assets, 'quote');

/** Stores a market, named after its assets' symbols, and answers its symbol; one that stands is left as it is. */
export async function createMarket(db: Database, terms: MarketTerms): Promise<Result<string, MarketError>> {
  const named = await nameMarket(db, terms);
  if (!named.ok) return named;
  const symbol = named.value;
  await db
    .insert(markets)
    .values({ ...terms, symbol })
    .onConflictDoNothing();
  return named;
}

/** The same for an operator, written down; `symbol_taken` where the market stands. */
export async function openMarket(
  db: Database,
  terms: Required<MarketTerms>,
  action: OperatorAction,
): Promise<
  Result<
    string,
    | MarketError
    | RoutedMarketError
    | SettlesOtherwise
    | { readonly reason: 'symbol_taken' }
    | { readonly reason: 'security_has_market' }
  >
> {
  const named = await nameMarket(db, terms);
  if (!named.ok) return named;
  const symbol = named.value;
  const routedError = isRouted(terms) ? await whyNotRouted(db, terms) : null;
  if (routedError !== null) return err(routedError);
  const otherwise = settlingOtherwise(terms);
  const other = await db.get<{ symbol: string }>(otherwise);
  // A market that stands under this symbol is none other.
  if (other !== undefined && other.symbol !== symbol) return err({ reason: 'settles_otherwise', symbol: other.symbol });
  const second = secondOfSecurity(terms, symbol);
  if ((await db.get(second)) !== undefined) return err({ reason: 'security_has_market' });
  const created = await createOnce(db, {
    action,
    type: 'operator.market_created',
    subject: symbol,
    after: { symbol, ...terms },
    now: terms.createdAt,
    conflict: sql`SELECT 1 FROM markets WHERE symbol = ${symbol}
                  OR (${terms.route} <> 'internal' AND route = ${terms.route} AND base_asset = ${terms.baseAsset})
                  OR EXISTS (${otherwise}) OR EXISTS (${second})`,
    inserts: (takesPlace) => [
      sql`INSERT INTO markets (symbol, route, base_asset, quote_asset, price_scale, tick_size, lot_size, quantity_min, quantity_max,
                               maker_fee_bps, taker_fee_bps, band_bps, band_halt_seconds, trading_hours, reference_price,
                               created_at)
          SELECT ${symbol}, ${terms.route}, ${terms.baseAsset}, ${terms.quoteAsset}, ${terms.priceScale}, ${terms.tickSize}, ${terms.lotSize},
                 ${terms.quantityMin}, ${terms.quantityMax}, ${terms.makerFeeBps}, ${terms.takerFeeBps}, ${terms.bandBps},
                 ${terms.bandHaltSeconds}, ${terms.tradingHours},
                 ${terms.referencePrice}, ${terms.createdAt} WHERE ${takesPlace}
          ON CONFLICT DO NOTHING`,
    ],
  });
  return created ? named : err({ reason: 'symbol_taken' });
}

/** A partner's security has one market, whose trades its register, its transfers and its corporate actions follow, and pays for nothing elsewhere. */
function secondOfSecurity(
  { baseAsset, quoteAsset }: Pick<MarketTerms, 'baseAsset' | 'quoteAsset'>,
  symbol: string,
): SQL {
  return sql`SELECT s.id FROM securities s
             WHERE s.id = ${quoteAsset}
                OR (s.id = ${baseAsset} AND EXISTS (SELECT 1 FROM markets WHERE base_asset = s.id AND symbol <> ${symbol}))
             LIMIT 1`;
}

/**
 * A market of these assets by which shares would leave at once that another market settles later, be it the one that opens or that one. In SQL, so that two
 * that open at the same time do not miss each other.
 */
function settlingOtherwise({
  route,
  baseAsset,
  quoteAsset,
}: Pick<MarketTerms, 'baseAsset' | 'quoteAsset' | 'route'>): SQL {
  const { route: laterRoute, category } = SETTLES_NEXT_TRADING_DAY;
  const isLater = sql`(m.route = ${laterRoute} AND a.category = ${category})`;
  const opensLater = sql`(${route} = ${laterRoute}
                          AND EXISTS (SELECT 1 FROM assets WHERE id = ${baseAsset} AND category = ${category}))`;
  return sql`SELECT m.symbol AS symbol FROM markets m JOIN assets a ON a.id = m.base_asset
             WHERE m.status <> 'closed'
               AND CASE WHEN ${opensLater}
                     THEN ${baseAsset} IN (m.base_asset, m.quote_asset) AND NOT ${isLater}
                     ELSE m.base_asset IN (${baseAsset}, ${quoteAsset}) AND ${isLater} END
             LIMIT 1`;
}

/** Why the asset's orders cannot go to this route from here on, though it has a market there that is not closed, or null. */
export async function routeChangeError(
  db: Database,
  { id }: Pick<typeof assets.$inferSelect, 'id'>,
  route: MarketRoute,
): Promise<RoutedMarketError | null> {
  if (!isRouted({ route })) return null;
  const isThere = and(eq(markets.baseAsset, id), eq(markets.route, route), ne(markets.status, 'closed'));
  for (const row of await db.select().from(markets).where(isThere)) {
    const error = await whyNotRouted(db, { ...ownTerms(row), route }, route);
    if (error !== null) return error;
  }
  return null;
}

/**
 * Why a market of assets that exist cannot have its route, or null.
 *
 * @param executionRoute where the asset's orders go; left out, as it says
 */
async function whyNotRouted(
  db: Database,
  terms: RoutedTerms,
  executionRoute?: MarketRoute,
): Promise<RoutedMarketError | null> {
  const isElsewhere = and(
    eq(markets.baseAsset, terms.baseAsset),
    eq(markets.route, terms.route),
    ne(markets.quoteAsset, terms.quoteAsset),
  );
  // Not in one batch: D1 answers columns of one name once there.
  const [[of], [elsewhere]] = await Promise.all([
    db
      .select({
        executionRoute: base.executionRoute,
        category: base.category,
        quantityScale: base.scale,
        quoteScale: quote.scale,
        quoteSymbol: quote.symbol,
      })
      .from(base)
      .innerJoin(quote, eq(quote.id, terms.quoteAsset))
      .where(eq(base.id, terms.baseAsset)),
    db.select({ symbol: markets.symbol }).from(markets).where(isElsewhere),
  ]);
  if (of === undefined) throw new Error(`no assets of a market of ${terms.baseAsset}`);
  const routedElsewhere = elsewhere?.symbol ?? null;
  const goes = executionRoute ?? of.executionRoute;
  return isAtBroker(terms)
    ? routedMarketError({ ...terms, ...of }, goes, routedElsewhere)
    : indicationMarketError({ ...of, executionRoute: goes }, terms, routedElsewhere);
}

/** The symbol of a market of assets that exist, under terms that make one. */
async function nameMarket(db: Database, terms: MarketTerms): Promise<Result<string, MarketError>> {
  const [baseRow, quoteRow] = await db.batch([
    db.select().from(assets).where(eq(assets.id, terms.baseAsset)),
    db.select().from(assets).where(eq(assets.id, terms.quoteAsset)),
  ]);
  const baseAsset = baseRow[0];
  const quoteAsset = quoteRow[0];
  if (baseAsset === undefined) return err({ reason: 'asset_not_found', asset: terms.baseAsset });
  if (quoteAsset === undefined) return err({ reason: 'asset_not_found', asset: terms.quoteAsset });
  const error = marketError({ ...terms, quantityScale: baseAsset.scale, quoteScale: quoteAsset.scale });
  if (error !== null) return err(error);
  return ok(marketSymbol(baseAsset.symbol, quoteAsset.symbol, terms.route));
}

/** Why these parameters make no market, or null. Pure. */
export function marketError(
  terms: Pick<
    Market,
    'priceScale' | 'quantityScale' | 'quoteScale' | 'tickSize' | 'lotSize' | 'quantityMin' | 'quantityMax'
  > &
    Partial<Pick<Market, 'route' | 'makerFeeBps' | 'takerFeeBps' | 'tradingHours' | 'referencePrice'>>,
): MarketError | null {
  if (terms.tickSize <= 0) return { reason: 'not_positive', field: 'tickSize' };
  if (terms.lotSize <= 0) return { reason: 'not_positive', field: 'lotSize' };
  if (terms.quantityMin <= 0) return { reason: 'not_positive', field: 'quantityMin' };
  if (!hasWholeNotionals(terms)) return { reason: 'notional_not_whole' };
  if (terms.quantityMin % terms.lotSize !== 0) return { reason: 'not_on_lot', field: 'quantityMin' };
  if (terms.quantityMax % terms.lotSize !== 0) return { reason: 'not_on_lot', field: 'quantityMax' };
  if (terms.quantityMin > terms.quantityMax) return { reason: 'minimum_above_maximum' };
  const reference = terms.referencePrice ?? null;
  if (reference !== null && (reference <= 0 || reference % terms.tickSize !== 0)) {
    return { reason: 'not_on_tick', field: 'referencePrice' };
  }
  for (const fee of [terms.makerFeeBps ?? 0, terms.takerFeeBps ?? 0]) {
    if (fee < 0 || fee > FEE_BPS_MAX) return { reason: 'fee_out_of_range' };
  }
  const hasHours = (terms.tradingHours ?? 'always') !== 'always';
  return hasHours && terms.route !== 'broker' ? { reason: 'hours_without_broker' } : null;
}

/** The market under this symbol with its own status (the market-wide halt is not in it), or null. */
export async function findMarket(db: Database, symbol: string): Promise<Market | null> {
  const [row] = await selectMarkets(db).where(eq(markets.symbol, symbol));
  return row === undefined ? null : marketOf(row);
}

/** Markets of these symbols, by symbol. */
export async function findMarkets(db: Database, symbols: readonly string[]): Promise<ReadonlyMap<string, Market>> {
  const json = JSON.stringify(symbols);
  const rows = await selectMarkets(db).where(inArray(markets.symbol, sql`(SELECT value FROM json_each(${json}))`));
  return new Map(rows.map((row) => [row.market.symbol, marketOf(row)]));
}

/** Every market by symbol, each with its own status. */
export async function listMarkets(db: Database): Promise<Market[]> {
  return (await selectMarkets(db).orderBy(markets.symbol)).map(marketOf);
}

/** Markets that trade the asset, or quote in it, by symbol. */
export async function listMarketsOf(db: Database, assetId: string): Promise<Market[]> {
  const isOfAsset = or(eq(markets.baseAsset, assetId), eq(markets.quoteAsset, assetId));
  return (await selectMarkets(db).where(isOfAsset).orderBy(markets.symbol)).map(marketOf);
}

function selectMarkets(db: Database) {
  return db
    .select({
      market: markets,
      quantityScale: base.scale,
      quoteScale: quote.scale,
      tracksLots: base.tracksLots,
    })
    .from(markets)
    .innerJoin(base, eq(base.id, markets.baseAsset))
    .innerJoin(quote, eq(quote.id, markets.quoteAsset))
    .$dynamic();
}

type MarketRow = Awaited<ReturnType<typeof selectMarkets>>[number];

function marketOf({ market, ...ofAssets }: MarketRow): Market {
  return { ...ownTerms(market), ...ofAssets };
}

/** A row without its time and what its book has told. */
export function ownTerms({
  createdAt: _,
  haltedUntil: __,
  bandReference: ___,
  bandTarget: ____,
  bandToldAt: _____,
  bandStatement: ______,
  ...terms
}: typeof markets.$inferSelect) {
  return terms;
}
