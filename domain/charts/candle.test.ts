import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../calendar/durations.ts';
import { barsInCandle, type Candle, candleStart, candlesOf, makingOf } from './candle.ts';

const bar = (bucket: number, open: number, high: number, low: number, close: number, volume = 1): Candle => ({
  bucket,
  open,
  high,
  low,
  close,
  volume,
  quoteVolume: volume * close,
  trades: 1,
});

describe('candles of 4 h and of a week', () => {
  test('begin at midnight UTC and every four hours, and on Monday', () => {
    const at = Date.parse('2026-11-26T13:30:00Z');
    expect(new Date(candleStart(makingOf('4h'), at)).toISOString()).toBe('2026-11-26T12:00:00.000Z');
    expect(new Date(candleStart(makingOf('1w'), at)).toISOString()).toBe('2026-11-23T00:00:00.000Z');
    expect(new Date(candleStart(makingOf('1w'), Date.parse('2026-11-23T00:00:00Z'))).getUTCDay()).toBe(1);
    expect([barsInCandle(makingOf('4h')), barsInCandle(makingOf('1w')), barsInCandle(makingOf('1m'))]).toEqual([
      4, 7, 1,
    ]);
  });

  test('open with their first bar, close with their last, and add up between', () => {
    const bars = [
      bar(9 * HOUR_MS, 4, 9, 3, 8, 2),
      bar(6 * HOUR_MS, 5, 7, 1, 4),
      bar(4 * HOUR_MS, 2, 6, 2, 5),
      bar(HOUR_MS, 1, 1, 1, 1),
    ];
    expect(candlesOf(makingOf('4h'), bars)).toEqual([
      { ...bar(8 * HOUR_MS, 4, 9, 3, 8, 2) },
      { bucket: 4 * HOUR_MS, open: 2, high: 7, low: 1, close: 4, volume: 2, quoteVolume: 9, trades: 2 },
      { ...bar(0, 1, 1, 1, 1) },
    ]);
  });

  test('lose no volume, and stand newest first without a start twice', () => {
    const days = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 60 });
    fc.assert(
      fc.property(days, (chosen) => {
        const bars = chosen.toSorted((a, b) => b - a).map((day) => bar(day * DAY_MS, 1, 2, 1, 2, day + 1));
        const candles = candlesOf(makingOf('1w'), bars);
        const sum = (of: readonly Candle[]) => of.reduce((whole, { volume }) => whole + volume, 0);
        expect(sum(candles)).toBe(sum(bars));
        const starts = candles.map(({ bucket }) => bucket);
        expect(starts).toEqual([...new Set(starts)].toSorted((a, b) => b - a));
      }),
    );
  });
});
