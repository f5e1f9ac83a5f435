import { database } from '../../data/database.ts';
import { type AssetMarketRow, listDayCloses, listMarketsOfAssets } from '../../data/markets/day-closes.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { SOURCE_SCALES } from '../../domain/charts/source-day-quote.ts';
import { decimalToScaled } from '../../domain/money/decimal-text.ts';
import type { Close, PricedHistory } from '../../domain/portfolio/value-by-day.ts';
import { hasSource, readSourceCloses } from '../market-data/source-prices.ts';

/** Assets whose source is asked for one answer; the prices of others are not known. */
const SOURCED_MAX = 50;
/** Markets whose closes are read at once. */
const BOOKS_OF_PART = 100;

/**
 * What assets closed at, day by day of UTC, with the last close before `from`: those of routed markets as their source says, others as they traded here.
 * Of a routed asset whose source says nothing now no price is known.
 */
export async function readPriceHistory(
  env: Env,
  assetIds: readonly string[],
  from: number,
  now_ms: number,
): Promise<ReadonlyMap<string, PricedHistory>> {
  const rows = await listMarketsOfAssets(database(env.DB), assetIds);
  const sourced = rows.filter((row) => hasSource(pricedOf(row)));
  const own = rows.filter((row) => !hasSource(pricedOf(row)));
  const told = await Promise.all(sourced.map((row, at) => (at < SOURCED_MAX ? readCloses(env, row, now_ms) : [])));
  const byBook = await readOwnCloses(env, own, from);
  return new Map([
    ...sourced.map((row, at) => [row.assetId, sourcedHistory(row, told[at] ?? [])] as const),
    ...own.map((row) => [row.assetId, ownHistory(row, byBook.get(row.book ?? '') ?? [])] as const),
  ]);
}

function sourcedHistory({ quantityScale }: AssetMarketRow, closes: readonly Close[]): PricedHistory {
  return { quantityScale, priceScale: SOURCE_SCALES.price, closes, reference: null, isAdjusted: true };
}

function ownHistory(row: AssetMarketRow, closes: readonly Close[]): PricedHistory {
  const { quantityScale, priceScale, referencePrice } = row;
  const reference = referencePrice === null ? null : BigInt(referencePrice);
  return { quantityScale, priceScale: priceScale ?? 0, closes, reference, isAdjusted: false };
}

async function readOwnCloses(
  env: Env,
  rows: readonly AssetMarketRow[],
  from: number,
): Promise<ReadonlyMap<string, readonly Close[]>> {
  const books = rows.flatMap(({ book }) => book ?? []);
  const closes = new Map<string, readonly Close[]>();
  for (let at = 0; at < books.length; at += BOOKS_OF_PART) {
    const part = await listDayCloses(database(env.DB), books.slice(at, at + BOOKS_OF_PART), from);
    for (const [book, rowsOfBook] of Map.groupBy(part, (row) => row.book))
      closes.set(
        book,
        rowsOfBook.map(({ day, close }) => ({ day, price: BigInt(close) })),
      );
  }
  return closes;
}

async function readCloses(env: Env, row: AssetMarketRow, now_ms: number): Promise<readonly Close[]> {
  const closes = (await readSourceCloses(env, pricedOf(row), now_ms)) ?? [];
  return closes.flatMap(({ start_ms, close }) => {
    const price = decimalToScaled(close, SOURCE_SCALES.price);
    return price.ok && price.value > 0 ? [{ day: start_ms - (start_ms % DAY_MS), price: BigInt(price.value) }] : [];
  });
}

function pricedOf({ symbol, route }: AssetMarketRow) {
  return { asset: { symbol }, market: route === null ? null : { route } };
}
