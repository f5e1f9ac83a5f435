import { database } from '../../data/database.ts';
import { listBars } from '../../data/markets/bars.ts';
import { CHART_BARS_MAX, type ChartWindow } from '../../domain/charts/chart-window.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { PricedAsset } from './asset-prices.ts';
import { type AskedTooOften, hasSource, readSourceBars } from './source-prices.ts';

/** A bar in JSON numbers. */
interface AssetBar {
  /** Unix milliseconds. */
  readonly start_ms: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

interface AssetBars {
  readonly bars: readonly AssetBar[];
  /** Their source is away: these are the bars that it told last, or none. */
  readonly isStale: boolean;
}

/** Bars of an asset, oldest first: of a routed market those of its source, and never our own among them. */
export async function readBars(
  env: Env,
  priced: PricedAsset,
  { interval, from }: ChartWindow,
  now_ms: number,
): Promise<Result<AssetBars, AskedTooOften>> {
  const { asset, market } = priced;
  if (market === null) return ok({ bars: [], isStale: false });
  if (hasSource(priced)) {
    const read = await readSourceBars(env, priced, { interval, from_ms: from, to_ms: now_ms });
    if (!read.ok) return read;
    const known = read.value;
    const bars = (known?.value ?? []).map(({ start_ms, open, high, low, close, volume }) => ({
      start_ms,
      open: Number(open),
      high: Number(high),
      low: Number(low),
      close: Number(close),
      volume: Number(volume),
    }));
    return ok({ bars, isStale: known?.isStale ?? true });
  }
  return ok({ bars: await readOwnBars(env, { asset, market }, { interval, from }), isStale: false });
}

/** Bars of a market by what traded on its own book, oldest first. */
export async function readOwnBars(
  env: Pick<Env, 'DB'>,
  { asset, market }: PricedAsset & { readonly market: NonNullable<PricedAsset['market']> },
  { interval, from }: ChartWindow,
): Promise<AssetBar[]> {
  const rows = await listBars(database(env.DB), { book: market.symbol, interval, from, limit: CHART_BARS_MAX });
  const price = (scaled: number) => fromScaled(scaled, market.priceScale);
  return rows.map((row) => ({
    start_ms: row.bucket,
    open: price(row.open),
    high: price(row.high),
    low: price(row.low),
    close: price(row.close),
    volume: fromScaled(row.volume, asset.scale),
  }));
}
