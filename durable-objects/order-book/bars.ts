import type { BarRow, TradeRow } from '../../data/ledger/rows.ts';
import { BAR_INTERVALS } from '../../domain/feeds/bar-interval.ts';

/** What the trades of one moment add to the bar of each interval that they fall into. */
export function barsOf(trades: readonly TradeRow[], time: number): BarRow[] {
  const first = trades[0];
  if (first === undefined) return [];
  let high = first[2];
  let low = first[2];
  let close = first[2];
  let volume = 0;
  let quoteVolume = 0;
  for (const [, , price, quantity, value] of trades) {
    if (price > high) high = price;
    if (price < low) low = price;
    close = price;
    volume += quantity;
    quoteVolume += value;
  }
  return BAR_INTERVALS.map(([name, length]) => [
    name,
    time - (time % length),
    first[2],
    high,
    low,
    close,
    volume,
    quoteVolume,
    trades.length,
  ]);
}
