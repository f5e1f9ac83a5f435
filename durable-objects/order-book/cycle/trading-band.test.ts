import { expect, test } from 'vitest';
import { type BandRules, TradingBand } from './trading-band.ts';

const MINUTE = 60_000;
const RULES: BandRules = { bandBps: 100, bandHaltSeconds: 300, referencePrice: 10_000, tickSize: 1 };

function bandOf(rules: Partial<BandRules> = {}): TradingBand {
  const band = new TradingBand();
  band.begin(MINUTE, null);
  band.goBy({ ...RULES, ...rules }, null);
  return band;
}

test('a book that was told no rules has no band', () => {
  expect(new TradingBand().band).toBeNull();
});

test('the band stays where it is within a minute, whatever trades', () => {
  const band = bandOf();
  expect(band.band).toEqual({ low: 9_900, high: 10_100 });
  band.begin(MINUTE + 1, 10_100);
  band.begin(2 * MINUTE - 1, 10_090);
  expect(band.band).toEqual({ low: 9_900, high: 10_100 });
  expect(band.referenceAt(2 * MINUTE - 1, 10_090)).toBeNull();
});

test('with the next minute it lies around the last trade', () => {
  const band = bandOf();
  band.begin(MINUTE + 1, 10_100);
  expect(band.referenceAt(2 * MINUTE, 10_100)).toBe(10_100);
  band.begin(2 * MINUTE, 10_100);
  expect(band.band).toEqual({ low: 9_999, high: 10_201 });
  band.begin(2 * MINUTE + 1, 10_201);
  expect(band.band).toEqual({ low: 9_999, high: 10_201 });
});

test('a cycle of an earlier minute begins none anew', () => {
  const band = bandOf();
  band.begin(2 * MINUTE, 10_100);
  band.begin(MINUTE, 10_150);
  band.begin(2 * MINUTE + 1, 10_201);
  expect(band.band).toEqual({ low: 9_999, high: 10_201 });
});

test('without a reference price it lies around the first trade at once', () => {
  const band = bandOf({ referencePrice: null });
  expect(band.band).toBeNull();
  band.begin(MINUTE + 1, 20_000);
  expect(band.band).toEqual({ low: 19_800, high: 20_200 });
  band.begin(MINUTE + 2, 20_200);
  expect(band.band).toEqual({ low: 19_800, high: 20_200 });
});

test('a halt begins when trading reaches the end of the band, lasts as long as the rules say, and moves the band', () => {
  const band = bandOf({ bandHaltSeconds: 5 });
  expect(band.reached(MINUTE + 10)).toBe(MINUTE + 5_010);
  expect(band.reached(MINUTE + 20)).toBeNull();
  expect([band.isHaltedAt(MINUTE + 5_009), band.isHaltedAt(MINUTE + 5_010)]).toEqual([true, false]);
  band.begin(MINUTE + 5_009, 10_100);
  expect([band.haltedUntil, band.band]).toEqual([MINUTE + 5_010, { low: 9_900, high: 10_100 }]);
  band.begin(MINUTE + 5_010, 10_100);
  expect([band.haltedUntil, band.band]).toEqual([null, { low: 9_999, high: 10_201 }]);
});

test('rules without a halt end the one that is under way', () => {
  const band = bandOf();
  band.reached(MINUTE + 10);
  expect(band.goBy({ ...RULES, bandHaltSeconds: 1 }, 10_100)).toBe(false);
  expect(band.isHaltedAt(MINUTE + 11)).toBe(true);
  expect(band.goBy({ ...RULES, bandHaltSeconds: 0 }, 10_100)).toBe(true);
  expect([band.isHaltedAt(MINUTE + 11), band.band]).toEqual([false, { low: 9_999, high: 10_201 }]);
});

test('without a length there is no halt', () => {
  const band = bandOf({ bandHaltSeconds: 0 });
  expect(band.reached(MINUTE)).toBeNull();
  expect(band.haltedUntil).toBeNull();
});

test('its snapshot gives the same again', () => {
  const band = bandOf();
  band.begin(MINUTE + 1, 10_050);
  band.reached(MINUTE + 1);
  const restored = new TradingBand(JSON.parse(JSON.stringify(band.snapshot())));
  expect(restored.snapshot()).toEqual(band.snapshot());
  for (const each of [band, restored]) each.begin(10 * MINUTE, 10_050);
  expect(restored.band).toEqual(band.band);
  expect(restored.hasRules(RULES)).toBe(true);
  for (const change of [{ bandBps: 99 }, { bandHaltSeconds: 1 }, { referencePrice: 9_999 }, { tickSize: 10 }])
    expect(restored.hasRules({ ...RULES, ...change })).toBe(false);
});
