import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../calendar/durations.ts';
import { BAR_INTERVALS, BAR_LENGTH_MS, type BarInterval } from '../charts/bar-interval.ts';
import { quoteAt } from './market-data.ts';
import type { PriceProcess } from './price-process.ts';
import { priceProcessOf } from './symbols.ts';
import { barsOf, lastPrice, printsOf } from './tape.ts';

const times = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2034, 0) });
const processes = fc.stringMatching(/^[A-Z]{1,5}$/).map((symbol) => priceProcessOf(symbol) as PriceProcess);
const APPLE = priceProcessOf('AAPL') as PriceProcess;

const upTo = (to_ms: number, interval: BarInterval, bars: number) => {
  const length_ms = BAR_LENGTH_MS[interval];
  const from_ms = (Math.floor(to_ms / length_ms) - bars + 1) * length_ms;
  return barsOf(APPLE, { interval, from_ms, to_ms }, to_ms);
};

test('highest and lowest of a span are those of all its seconds', () => {
  fc.assert(
    fc.property(processes, times, fc.integer({ min: 0, max: 3 * HOUR_MS }), (process, at_ms, length_ms) => {
      const from_ms = Math.floor(at_ms / MINUTE_MS) * MINUTE_MS;
      const prices: number[] = [];
      for (let second_ms = from_ms; second_ms <= from_ms + length_ms; second_ms += 1_000) {
        prices.push(lastPrice(process, second_ms));
      }
      const { open, high, low, close } = printsOf(process, from_ms, from_ms + length_ms);
      expect({ open, high, low, close }).toEqual({
        open: prices[0],
        high: Math.max(...prices),
        low: Math.min(...prices),
        close: prices.at(-1),
      });
    }),
    { numRuns: 40 },
  );
});

describe('bars', () => {
  const now_ms = Date.parse('2026-06-10T14:32:10.400Z');

  test.each([
    ['1m', '5m', 60],
    ['5m', '15m', 48],
    ['15m', '1h', 24],
    ['1h', '1d', 3],
  ] as const)('of %s add up to those of %s', (fine, coarse, count) => {
    const wide = upTo(now_ms, coarse, count);
    const from_ms = wide[0]?.start_ms ?? 0;
    const parts = barsOf(APPLE, { interval: fine, from_ms, to_ms: now_ms }, now_ms);
    for (const bar of wide) {
      const within = parts.filter(
        ({ start_ms }) => start_ms >= bar.start_ms && start_ms < bar.start_ms + BAR_LENGTH_MS[coarse],
      );
      expect(bar).toEqual({
        start_ms: within[0]?.start_ms,
        open: within[0]?.open,
        high: String(Math.max(...within.map(({ high }) => Number(high)))),
        low: String(Math.min(...within.map(({ low }) => Number(low)))),
        close: within.at(-1)?.close,
        volume: String(within.reduce((sum, { volume }) => sum + Number(volume), 0)),
      });
    }
  });

  test.each(BAR_INTERVALS)('of %s that have ended never change, and end with the one that holds now', (interval) => {
    const [before, later] = [upTo(now_ms, interval, 10), upTo(now_ms + BAR_LENGTH_MS[interval], interval, 11)];
    expect(later.slice(0, 9)).toEqual(before.slice(0, 9));
    expect(before.at(-1)?.start_ms).toBe(Math.floor(now_ms / BAR_LENGTH_MS[interval]) * BAR_LENGTH_MS[interval]);
  });

  test('of today and yesterday are what the quote says', () => {
    const [yesterday, today] = upTo(now_ms, '1d', 2);
    const { open, high, low, last, prevClose, volume } = quoteAt(APPLE, now_ms);
    expect(today).toMatchObject({ open, high, low, close: last, volume });
    expect(yesterday?.close).toBe(prevClose);
  });

  test('reach no further than now, and are 5,000 at most', () => {
    const all = barsOf(APPLE, { interval: '1m', from_ms: now_ms - 30 * DAY_MS, to_ms: now_ms + DAY_MS }, now_ms);
    expect(all).toHaveLength(5_000);
    expect(all.at(-1)?.start_ms).toBe(Math.floor(now_ms / MINUTE_MS) * MINUTE_MS);
    expect(barsOf(APPLE, { interval: '1m', from_ms: now_ms + DAY_MS, to_ms: now_ms + 2 * DAY_MS }, now_ms)).toEqual([]);
  });
});

test('the quote’s high never falls and its low never rises within a day', () => {
  const start_ms = Date.parse('2026-06-10T00:00:00Z');
  let [high, low] = [0, Number.POSITIVE_INFINITY];
  for (let at_ms = start_ms; at_ms < start_ms + HOUR_MS; at_ms += 1_700) {
    const quote = quoteAt(APPLE, at_ms);
    expect(Number(quote.high)).toBeGreaterThanOrEqual(high);
    expect(Number(quote.low)).toBeLessThanOrEqual(low);
    [high, low] = [Number(quote.high), Number(quote.low)];
  }
});
