import { describe, expect, test } from 'vitest';
import { err, ok } from '../result.ts';
import { BAR_INTERVALS } from './bar-interval.ts';
import { CHART_RANGES, chartWindow } from './chart-window.ts';

const now = Date.parse('2026-06-10T14:32:10Z');

test('range defaults to 1d and interval to a fitting one', () => {
  expect(chartWindow(undefined, undefined, now)).toEqual(
    ok({ interval: '5m', from: Date.parse('2026-06-09T14:35:00Z') }),
  );
  expect(chartWindow('5y', undefined, now)).toMatchObject({ value: { interval: '1d' } });
});

test('the window ends with the bar that holds now and has no more bars than the range', () => {
  expect(chartWindow('5d', '1d', now)).toEqual(ok({ interval: '1d', from: Date.parse('2026-06-06T00:00:00Z') }));
});

describe('a pair that would exceed 5,000 bars is refused', () => {
  const refused = CHART_RANGES.flatMap((range) =>
    BAR_INTERVALS.filter((interval) => !chartWindow(range, interval, now).ok).map((interval) => `${range}/${interval}`),
  );
  test('the pairs', () => {
    expect(refused).toEqual([
      '5d/1m',
      '1m/1m',
      '1m/5m',
      '3m/1m',
      '3m/5m',
      '3m/15m',
      '6m/1m',
      '6m/5m',
      '6m/15m',
      '1y/1m',
      '1y/5m',
      '1y/15m',
      '1y/1h',
      '5y/1m',
      '5y/5m',
      '5y/15m',
      '5y/1h',
    ]);
  });

  test('with the numbers', () => {
    expect(chartWindow('5d', '1m', now)).toEqual(err({ reason: 'too_many_bars', bars: 7_200, bars_max: 5_000 }));
  });

  test('the default of every range fits', () => {
    for (const range of CHART_RANGES) expect(chartWindow(range, undefined, now).ok).toBe(true);
  });
});
