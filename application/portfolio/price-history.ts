import { database } from '../../data/database.ts';
import { type AssetMarketRow, listDayCloses, listMarketsOfAssets } from '../../data/markets/day-closes.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { SOURCE_SCALES } from '../../domain/charts/source-day-quote.ts';
import { decimalToScaled } from '../../domain/money/decimal-text.ts';
import type { Close, PricedHistory } from '../../domain/portfolio/value-by-day.ts';
import { hasSource, readSourceBars } from '../market-data/source-prices.ts';

/** Assets whose source is asked for its bars in one answer; others count at what has traded here. */
const SOURCED_MAX = 20;

/**
 * What assets closed at, day by day of UTC: those of routed markets as their source says, as far as it answers now, others as they traded here. With
 * the last close before `from`, where our own books have one.
 */
export async function readPriceHistory(
  env: Env,
  assetIds: readonly string[],
  from: number,
  now_ms: number,
): Promise<ReadonlyMap<string, PricedHistory>> {
  const rows = await listMarketsOfAssets(database(env.DB), assetIds);
  const sourced = rows.filter((row) => hasSource(pricedOf(row))).slice(0, SOURCED_MAX);
  const told = await Promise.all(sourced.map((row) => readSourceCloses(env, row, from, now_ms)));
  const bySource = new Map(sourced.map(({ assetId }, at) => [assetId, told[at] ?? null]));
  const own = rows.filter(({ assetId, book }) => book !== null && (bySource.get(assetId) ?? null) === null);
  const closes = await listDayCloses(
    database(env.DB),
    own.flatMap(({ book }) => book ?? []),
    from,
  );
  const byBook = Map.groupBy(closes, ({ book }) => book);
  return new Map(
    rows.map((row) => {
      const sourceCloses = bySource.get(row.assetId) ?? null;
      if (sourceCloses !== null) return [row.assetId, historyOf(row, SOURCE_SCALES.price, sourceCloses)] as const;
      const traded = (byBook.get(row.book ?? '') ?? []).map(({ day, close }) => ({ day, price: BigInt(close) }));
      return [row.assetId, historyOf(row, row.priceScale ?? 0, traded)] as const;
    }),
  );
}

function historyOf(row: AssetMarketRow, priceScale: number, closes: readonly Close[]): PricedHistory {
  const { referencePrice: reference, quantityScale } = row;
  const factor = 10n ** BigInt(priceScale - (row.priceScale ?? priceScale));
  return { quantityScale, priceScale, closes, reference: reference === null ? null : BigInt(reference) * factor };
}

/** Null where the source says nothing now. */
async function readSourceCloses(env: Env, row: AssetMarketRow, from: number, now_ms: number): Promise<Close[] | null> {
  const read = await readSourceBars(env, pricedOf(row), { interval: '1d', from_ms: from, to_ms: now_ms });
  if (!read.ok || read.value === null) return null;
  return read.value.value.flatMap(({ start_ms, close }) => {
    const price = decimalToScaled(close, SOURCE_SCALES.price);
    return price.ok && price.value > 0 ? [{ day: start_ms - (start_ms % DAY_MS), price: BigInt(price.value) }] : [];
  });
}

function pricedOf({ symbol, route }: AssetMarketRow) {
  return { asset: { symbol }, market: route === null ? null : { route } };
}
