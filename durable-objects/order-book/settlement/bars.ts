import { BAR_INTERVALS, BAR_LENGTH_MS } from '../../../domain/charts/bar-interval.ts';
import type { BarUpdate, Trade } from '../../../domain/ledger/records.ts';

/** What the trades of one moment add to the bar of each interval that they fall into. */
export function barsOf(trades: readonly Trade[], time: number): BarUpdate[] {
  const first = trades[0];
  if (first === undefined) return [];
  const open = first.price;
  let high = open;
  let low = open;
  let close = open;
  let volume = 0;
  let quoteVolume = 0;
  for (const { price, quantity, notional } of trades) {
    if (price > high) high = price;
    if (price < low) low = price;
    close = price;
    volume += quantity;
    quoteVolume += notional;
  }
  return BAR_INTERVALS.map((interval) => ({
    interval,
    bucket: time - (time % BAR_LENGTH_MS[interval]),
    open,
    high,
    low,
    close,
    volume,
    quoteVolume,
    trades: trades.length,
  }));
}
