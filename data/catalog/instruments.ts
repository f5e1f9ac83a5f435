import { and, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Market } from '../../domain/markets/market.ts';
import type { VersionedRate } from '../../domain/money/dollar-rate.ts';
import type { DollarTerms } from '../../domain/order-entry/limit-currency.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import type { Database } from '../database.ts';
import { marketOfAsset } from '../markets/market-of-asset.ts';
import { isInForce } from '../markets/rates.ts';
import { assets } from '../schema/catalog.ts';
import { markets, rates, venue } from '../schema/markets.ts';
import type { AssetRow } from './assets.ts';

/** An asset with the market it trades on, read in one statement, so that the market's rulesVersion covers both. */
export interface Instrument {
  readonly asset: AssetRow;
  /** Null for an asset without a book of its own. */
  readonly market: Market | null;
  /** Symbol of the market's quote asset; null without a market. */
  readonly quoteSymbol: string | null;
  /** What limits in money go by; null without a market, and where no rate of its quote asset is stated. */
  readonly dollars: DollarTerms | null;
}

const quote = alias(assets, 'quote');
const cash = alias(assets, 'cash');

const WITHOUT_MARKET = { market: null, quoteSymbol: null, dollars: null } as const;

/** The asset under this id with the market against cash that its orders go to, or null. */
export async function findInstrumentOfAsset(db: Database, assetId: string): Promise<Instrument | null> {
  const rows = await select(db, eq(assets.id, assetId));
  const row = rows.find(({ market, marketOfIt }) => market !== null && market.symbol === marketOfIt) ?? rows[0];
  if (row === undefined) return null;
  return row.marketOfIt === null ? { asset: row.asset, ...WITHOUT_MARKET } : instrumentOf(row);
}

/** The market under this symbol with its base asset, or null. */
export async function findInstrumentOfMarket(db: Database, symbol: string): Promise<Instrument | null> {
  const [row] = await select(db, eq(markets.symbol, symbol));
  return row === undefined ? null : instrumentOf(row);
}

/** The markets under these symbols; unknown ones are left out. */
export async function findInstrumentsOfMarkets(db: Database, symbols: readonly string[]): Promise<Instrument[]> {
  const rows = await select(db, sql`${markets.symbol} IN (SELECT value FROM json_each(${JSON.stringify(symbols)}))`);
  return rows.map(instrumentOf);
}

function select(db: Database, wanted: SQL) {
  return db
    .select({
      asset: assets,
      market: markets,
      quote: { symbol: quote.symbol, scale: quote.scale },
      cash: { id: cash.id, scale: cash.scale },
      rate: { version: rates.version, numerator: rates.numerator, denominator: rates.denominator },
      venueHalted: venue.halted,
      marketOfIt: marketOfAsset(assets),
    })
    .from(assets)
    .innerJoin(venue, eq(venue.id, 1))
    .leftJoin(markets, eq(markets.baseAsset, assets.id))
    .leftJoin(quote, eq(quote.id, markets.quoteAsset))
    .leftJoin(cash, eq(cash.symbol, CASH_SYMBOL))
    .leftJoin(rates, and(eq(rates.asset, markets.quoteAsset), isInForce))
    .where(wanted);
}

function instrumentOf(row: Awaited<ReturnType<typeof select>>[number]): Instrument {
  if (row.market === null || row.quote === null) return { asset: row.asset, ...WITHOUT_MARKET };
  const status = row.market.status;
  return {
    asset: row.asset,
    quoteSymbol: row.quote.symbol,
    dollars: dollarTermsOf(row.market.quoteAsset, row.cash, row.rate),
    market: {
      ...row.market,
      quantityScale: row.asset.scale,
      quoteScale: row.quote.scale,
      tracksLots: row.asset.tracksLots,
      status: row.venueHalted && status === 'open' ? 'halted' : status,
    },
  };
}

function dollarTermsOf(
  quoteAsset: string,
  dollar: { readonly id: string; readonly scale: number } | null,
  rate: VersionedRate | null,
): DollarTerms | null {
  if (dollar === null) return null;
  if (dollar.id === quoteAsset) return { scale: dollar.scale, rate: null };
  return rate === null ? null : { scale: dollar.scale, rate };
}
