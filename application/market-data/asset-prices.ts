import { database } from '../../data/database.ts';
import { latestDayBars } from '../../data/markets/bars.ts';
import { priceTerms } from '../../domain/assets/price-terms.ts';
import type { SourceQuote } from '../../domain/broker/market-data-source.ts';
import { type DayBar, type DayQuote, dayQuote } from '../../domain/charts/day-quote.ts';
import { SOURCE_SCALES, sourceDayQuote } from '../../domain/charts/source-day-quote.ts';
import type { Market } from '../../domain/markets/market.ts';
import { readBook } from '../order-book/read-book.ts';
import type { Known } from './latest-known.ts';
import { hasSource, readSourceQuotes } from './source-prices.ts';

/** An asset with its market against cash. */
export interface PricedAsset {
  readonly asset: {
    readonly id: string;
    readonly symbol: string;
    /** Decimals of a quantity. */
    readonly scale: number;
    readonly referencePrice: number | null;
  };
  readonly market: Pick<Market, 'symbol' | 'route' | 'priceScale' | 'referencePrice'> | null;
}

/** What an asset costs. */
export interface AssetPrice {
  readonly quote: DayQuote;
  readonly scales: { readonly price: number; readonly volume: number };
  /** When the source of the prices said so, Unix milliseconds. */
  readonly at_ms: number;
  /** Its source is away: this is what it said last, or where it has said nothing what last traded here. */
  readonly isStale: boolean;
}

/** What an asset costs. As readPrices, but a market's last trade is its book's own, which may be ahead of what has settled. */
export async function readPrice(env: Env, priced: PricedAsset, now_ms: number): Promise<AssetPrice> {
  const { market } = priced;
  if (market !== null && !hasSource(priced)) {
    const [ticker, bars] = await Promise.all([
      readBook(env, market.symbol, (book) => book.ticker()),
      latestDayBars(database(env.DB), [market.symbol]),
    ]);
    return { ...ownPrice(priced, bars.get(market.symbol) ?? [], ticker.last, now_ms), isStale: false };
  }
  const [read] = await readPrices(env, [priced], now_ms);
  return read?.price ?? { ...ownPrice(priced, [], null, now_ms), isStale: false };
}

/**
 * Assets with what they cost: those of routed markets as their source quotes them, all others as they last traded here. Sources are waited for
 * two seconds at most, all at once (docs/design/broker.md#market-data).
 */
export async function readPrices<T extends PricedAsset>(
  env: Env,
  assets: readonly T[],
  now_ms: number,
): Promise<(T & { readonly price: AssetPrice })[]> {
  const sourced = assets.filter(hasSource);
  const known = await readSourceQuotes(env, sourced);
  const quotes = new Map(sourced.map((priced, at) => [priced.asset.id, known[at] ?? null]));
  const own = assets.filter(({ asset }) => (quotes.get(asset.id) ?? null) === null);
  const bars = await latestDayBars(
    database(env.DB),
    own.flatMap(({ market }) => market?.symbol ?? []),
  );
  return assets.map((priced) => {
    const quoted = quotes.get(priced.asset.id) ?? null;
    if (quoted !== null) return { ...priced, price: sourcePrice(quoted) };
    const days = bars.get(priced.market?.symbol ?? '') ?? [];
    return { ...priced, price: { ...ownPrice(priced, days, null, now_ms), isStale: hasSource(priced) } };
  });
}

function sourcePrice({ value, isStale }: Known<SourceQuote>): AssetPrice {
  return { quote: sourceDayQuote(value), scales: SOURCE_SCALES, at_ms: value.at_ms, isStale };
}

function ownPrice(
  { asset, market }: PricedAsset,
  days: readonly DayBar[],
  last: number | null,
  now_ms: number,
): Omit<AssetPrice, 'isStale'> {
  const { scale, reference } = priceTerms(asset, market);
  return {
    quote: dayQuote(days, last, reference, now_ms),
    scales: { price: scale, volume: asset.scale },
    at_ms: now_ms,
  };
}
