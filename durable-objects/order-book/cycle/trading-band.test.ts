import { describe, expect, test } from 'vitest';
import { type BandPrices, type BandRules, bandRulesOf, LIMIT_STATE_MS, TradingBand } from './trading-band.ts';

const MINUTE = 60_000;
const RULES = bandRulesOf({ bandBps: 100, bandHaltSeconds: 300, referencePrice: 10_000, tickSize: 1 });

/** An end of the band, wherever. */
const END = 10_100;

/** As books before the going price had them. */
const single = (last: number | null): BandPrices => ({
  last,
  going: null,
  followsGoing: false,
  statementsHold: false,
  lowestIsNoEnd: false,
});

const agreed = (going: number | null, last = going): BandPrices => ({
  last,
  going,
  followsGoing: true,
  statementsHold: false,
  lowestIsNoEnd: false,
});

/** From engine version 14 on. */
const floored = (going: number | null, last = going): BandPrices => ({ ...holding(going, last), lowestIsNoEnd: true });

/** From engine version 11 on. */
const holding = (going: number | null, last = going): BandPrices => ({ ...agreed(going, last), statementsHold: true });

function bandOf(rules: Partial<BandRules> = {}, prices = single(null)): TradingBand {
  const band = new TradingBand();
  band.begin(MINUTE, prices);
  band.goBy({ ...RULES, ...rules }, prices);
  return band;
}

test('a book that was told no rules has no band', () => {
  expect(new TradingBand().band).toBeNull();
});

test('the band stays where it is within a minute, whatever trades', () => {
  const band = bandOf();
  expect(band.band).toEqual({ low: 9_900, high: 10_100 });
  band.begin(MINUTE + 1, single(10_100));
  band.begin(2 * MINUTE - 1, single(10_090));
  expect(band.band).toEqual({ low: 9_900, high: 10_100 });
  expect(band.referenceAt(2 * MINUTE - 1, single(10_090))).toBeNull();
});

test('with the next minute it lies around the last trade', () => {
  const band = bandOf();
  band.begin(MINUTE + 1, single(10_100));
  expect(band.referenceAt(2 * MINUTE, single(10_100))).toBe(10_100);
  band.begin(2 * MINUTE, single(10_100));
  expect(band.band).toEqual({ low: 9_999, high: 10_201 });
  band.begin(2 * MINUTE + 1, single(10_201));
  expect(band.band).toEqual({ low: 9_999, high: 10_201 });
});

test('a cycle of an earlier minute begins none anew', () => {
  const band = bandOf();
  band.begin(2 * MINUTE, single(10_100));
  band.begin(MINUTE, single(10_150));
  band.begin(2 * MINUTE + 1, single(10_201));
  expect(band.band).toEqual({ low: 9_999, high: 10_201 });
});

test('without a reference price it lies around the first trade at once', () => {
  const band = bandOf({ referencePrice: null });
  expect(band.band).toBeNull();
  band.begin(MINUTE + 1, single(20_000));
  expect(band.band).toEqual({ low: 19_800, high: 20_200 });
  band.begin(MINUTE + 2, single(20_200));
  expect(band.band).toEqual({ low: 19_800, high: 20_200 });
});

test('a halt begins when trading reaches the end of the band, lasts as long as the rules say, and moves the band', () => {
  const band = bandOf({ bandHaltSeconds: 5 });
  expect(band.reached(MINUTE + 10, END, single(null))).toBe(MINUTE + 5_010);
  expect(band.reached(MINUTE + 20, END, single(null))).toBeNull();
  expect([band.isHaltedAt(MINUTE + 5_009), band.isHaltedAt(MINUTE + 5_010)]).toEqual([true, false]);
  band.begin(MINUTE + 5_009, single(10_100));
  expect([band.haltedUntil, band.band]).toEqual([MINUTE + 5_010, { low: 9_900, high: 10_100 }]);
  band.begin(MINUTE + 5_010, single(10_100));
  expect([band.haltedUntil, band.band]).toEqual([null, { low: 9_999, high: 10_201 }]);
});

test('rules without a halt end the one that is under way', () => {
  const band = bandOf();
  band.reached(MINUTE + 10, END, single(null));
  expect(band.goBy({ ...RULES, bandHaltSeconds: 1 }, single(10_100))).toBe(false);
  expect(band.isHaltedAt(MINUTE + 11)).toBe(true);
  expect(band.goBy({ ...RULES, bandHaltSeconds: 0 }, single(10_100))).toBe(true);
  expect([band.isHaltedAt(MINUTE + 11), band.band]).toEqual([false, { low: 9_999, high: 10_201 }]);
});

test('without a length there is no halt', () => {
  const band = bandOf({ bandHaltSeconds: 0 });
  expect(band.reached(MINUTE, END, single(null))).toBeNull();
  expect(band.haltedUntil).toBeNull();
});

test('its snapshot gives the same again', () => {
  const band = bandOf();
  band.begin(MINUTE + 1, single(10_050));
  band.reached(MINUTE + 1, END, single(null));
  const restored = new TradingBand(JSON.parse(JSON.stringify(band.snapshot())));
  expect(restored.snapshot()).toEqual(band.snapshot());
  for (const each of [band, restored]) each.begin(10 * MINUTE, single(10_050));
  expect(restored.band).toEqual(band.band);
  expect(restored.hasRules(RULES)).toBe(true);
  for (const change of [{ bandBps: 99 }, { bandHaltSeconds: 1 }, { referencePrice: 9_999 }, { tickSize: 10 }])
    expect(restored.hasRules({ ...RULES, ...change })).toBe(false);
});

describe('a band that follows the going price', () => {
  const following = (rules: Partial<BandRules> = {}) => bandOf(rules, agreed(null));

  test('T-08: moves by a fifth of its width a minute at most, either way', () => {
    const band = following();
    band.begin(2 * MINUTE, agreed(10_100));
    expect(band.reference).toBe(10_020);
    band.begin(2 * MINUTE + 1, agreed(10_100));
    expect(band.reference).toBe(10_020);
    band.begin(4 * MINUTE, agreed(10_100));
    expect(band.reference).toBe(10_060);
    band.begin(5 * MINUTE, agreed(9_000));
    expect(band.reference).toBe(10_040);
    expect(band.referenceAt(6 * MINUTE, agreed(10_045))).toBe(10_045);
  });

  test('T-08: is not moved by trades that make no going price', () => {
    const band = following();
    for (let minute = 2; minute < 20; minute++) band.begin(minute * MINUTE, agreed(null, 10_100));
    expect(band.band).toEqual({ low: 9_900, high: 10_100 });
  });

  test('lies around the first trade where there is no reference price, and around one that an operator states anew', () => {
    const band = following({ referencePrice: null });
    band.begin(2 * MINUTE, agreed(null, 20_000));
    expect(band.band).toEqual({ low: 19_800, high: 20_200 });
    band.goBy({ ...RULES, referencePrice: 15_000 }, agreed(null, 20_000));
    expect(band.band).toEqual({ low: 14_850, high: 15_150 });
  });

  test('T-08: halts when the going price stands at its end 15 s after trading came there, and not before', () => {
    const band = following({ bandHaltSeconds: 5 });
    expect(band.reached(MINUTE + 10, END, agreed(null))).toBeNull();
    expect(band.nextDue).toBe(MINUTE + 10 + LIMIT_STATE_MS);
    expect(band.begin(MINUTE + 9 + LIMIT_STATE_MS, agreed(10_100))).toBeNull();
    const now = MINUTE + 10 + LIMIT_STATE_MS;
    expect(band.begin(now, agreed(10_100))).toBe(now + 5_000);
    expect([band.isHaltedAt(now + 4_999), band.nextDue]).toEqual([true, now + 5_000]);
    band.begin(now + 5_000, agreed(10_100));
    expect([band.haltedUntil, band.reference]).toEqual([null, 10_100]);
  });

  test.each([
    ['nobody else has agreed', null],
    ['the going price has left the end', 10_099],
  ])('T-08: does not halt where %s', (_, going) => {
    const band = following();
    band.reached(MINUTE, END, agreed(null));
    expect(band.begin(MINUTE + LIMIT_STATE_MS, agreed(going, 10_100))).toBeNull();
    expect([band.haltedUntil, band.nextDue]).toEqual([null, null]);
  });

  test('T-08: halts for twice as long soon after another halt, sixteen times at most', () => {
    const band = following({ bandHaltSeconds: 10 });
    let time = MINUTE;
    const lengths: number[] = [];
    for (let halt = 0; halt < 6; halt++) {
      band.reached(time, END, agreed(null));
      time += LIMIT_STATE_MS;
      const until = band.begin(time, agreed(band.band?.high ?? 0)) ?? time;
      lengths.push((until - time) / 1_000);
      time = until;
      band.begin(time, agreed(band.reference));
    }
    expect(lengths).toEqual([10, 20, 40, 80, 160, 160]);
    time += 11 * MINUTE;
    band.begin(time, agreed(band.reference));
    band.reached(time, END, agreed(null));
    const now = time + LIMIT_STATE_MS;
    expect(band.begin(now, agreed(band.band?.high ?? 0))).toBe(now + 10_000);
  });

  test('rules without a halt end a limit state', () => {
    const band = following();
    band.reached(MINUTE, END, agreed(null));
    band.goBy({ ...RULES, bandHaltSeconds: 0 }, agreed(null));
    expect(band.nextDue).toBeNull();
  });

  test('its snapshot gives the same again in a limit state', () => {
    const band = following();
    band.reached(MINUTE, END, agreed(null));
    const restored = new TradingBand(JSON.parse(JSON.stringify(band.snapshot())));
    const now = MINUTE + LIMIT_STATE_MS;
    expect(restored.begin(now, agreed(10_100))).toBe(band.begin(now, agreed(10_100)));
    expect(restored.snapshot()).toEqual(band.snapshot());
  });
});

test('rules from before have a band of no width at a low price until the rules of now take their place, in a row of their own', () => {
  const cheap = { bandBps: 2_000, bandHaltSeconds: 300, referencePrice: 400, tickSize: 100 };
  const band = new TradingBand();
  band.begin(MINUTE, holding(null));
  band.goBy(cheap, holding(null));
  expect([band.band, band.hasRules(cheap)]).toEqual([{ low: 400, high: 400 }, false]);
  band.goBy(bandRulesOf(cheap), holding(null));
  expect([band.band, band.hasRules(cheap)]).toEqual([{ low: 300, high: 500 }, true]);
});

describe('a reference price that an operator states', () => {
  const stated = (rules: Partial<BandRules> = {}) => bandOf({ referenceStatement: 1, ...rules }, holding(null));

  test('is what the band lies around at once, whatever has traded, and the same price stated again is another statement', () => {
    const band = stated();
    band.begin(10 * MINUTE, holding(10_400));
    expect(band.reference).toBe(10_180);
    expect(band.isStated({ ...RULES, referenceStatement: 1 })).toBe(false);
    expect(band.isStated({ ...RULES, referenceStatement: 2 })).toBe(true);
    expect(band.hasRules({ ...RULES, referenceStatement: 2 })).toBe(false);
    band.goBy({ ...RULES, referenceStatement: 2 }, holding(10_400));
    expect([band.reference, band.band]).toEqual([null, { low: 9_900, high: 10_100 }]);
    expect(band.hasRules({ ...RULES, referenceStatement: 2 })).toBe(true);
  });

  test('stays what the band lies around when a halt ends, and for as long as no accounts agree on another', () => {
    const band = stated({ bandHaltSeconds: 600 });
    band.reached(MINUTE, END, holding(null));
    const halt = MINUTE + LIMIT_STATE_MS;
    expect(band.begin(halt, holding(10_100))).toBe(halt + 600_000);
    band.goBy({ ...RULES, bandHaltSeconds: 600, referencePrice: 12_000, referenceStatement: 2 }, holding(10_100));
    band.begin(halt + 600_000, holding(null, 10_100));
    band.begin(99 * MINUTE, holding(null, 10_100));
    expect(band.band).toEqual({ low: 11_880, high: 12_120 });
    band.begin(100 * MINUTE, holding(12_100));
    expect(band.reference).toBe(12_024);
  });

  test('ends no halt, and is what the band lies around where the same rules end it', () => {
    const band = stated();
    band.reached(MINUTE, END, holding(null));
    const halt = MINUTE + LIMIT_STATE_MS;
    band.begin(halt, holding(10_100));
    expect(band.goBy({ ...RULES, referenceStatement: 2 }, holding(10_100))).toBe(false);
    expect(band.isHaltedAt(halt)).toBe(true);
    const ends = { ...RULES, bandHaltSeconds: 0, referencePrice: 12_000, referenceStatement: 3 };
    expect(band.goBy(ends, holding(10_100))).toBe(true);
    expect(band.band).toEqual({ low: 11_880, high: 12_120 });
  });

  test.each([
    ['other rules say the same of it', { referenceStatement: 1, bandBps: 200 }, false],
    ['it is withdrawn', { referencePrice: null, referenceStatement: 2 }, false],
    ['it is one from before', { referencePrice: 12_000, referenceStatement: null }, false],
  ] as const)('is stated anew or not where %s', (_, rules, isStated) => {
    expect(stated().isStated({ ...RULES, ...rules })).toBe(isStated);
  });

  test('is another statement as another price, where rules have no statements', () => {
    const band = bandOf({}, holding(null));
    expect(band.isStated({ ...RULES, referencePrice: 12_000 })).toBe(true);
    expect(band.isStated(RULES)).toBe(false);
  });

  test('outlives rules of before, which a read model that is being rebuilt shows', () => {
    const band = stated({ referencePrice: 12_000, referenceStatement: 5 });
    const before = { ...RULES, referenceStatement: 4 };
    expect([band.isStated(before), band.hasRules(before)]).toEqual([false, true]);
    band.goBy({ ...before, bandBps: 200 }, holding(10_100));
    expect(band.band).toEqual({ low: 11_760, high: 12_240 });
    const again = { ...RULES, bandBps: 200, referencePrice: 12_000, referenceStatement: 5 };
    expect([band.isStated(again), band.hasRules(again)]).toEqual([false, true]);
  });

  test('moves nothing where it is withdrawn: the band stays, and follows as slowly as ever', () => {
    const band = stated();
    band.begin(MINUTE, holding(null, 8_000));
    band.goBy({ ...RULES, referencePrice: null, referenceStatement: 2 }, holding(null, 8_000));
    expect(band.band).toEqual({ low: 9_900, high: 10_100 });
    band.begin(2 * MINUTE, holding(null, 8_000));
    expect(band.reference).toBe(9_980);
  });

  test('is not brought back by rules of before, where the band has followed since', () => {
    const band = stated({ referencePrice: 12_000, referenceStatement: 5 });
    band.begin(10 * MINUTE, holding(12_100));
    const followed = band.reference;
    expect(followed).not.toBeNull();
    band.goBy({ ...RULES, bandBps: 200, referenceStatement: 4 }, holding(12_100));
    expect(band.reference).toBe(followed);
  });

  test('is no statement of the first rules of a book, unless it has an id', () => {
    expect(new TradingBand().isStated(RULES)).toBe(false);
    expect(new TradingBand().isStated({ ...RULES, referenceStatement: 1 })).toBe(true);
  });

  test('counts by the ratio of a split where nobody agrees on a price', () => {
    const half = (price: number) => price / 2;
    const band = stated();
    band.reprice(holding(null, 14_000), half);
    expect(band.reference).toBe(5_000);
    band.reprice(holding(6_000, 14_000), half);
    expect(band.reference).toBe(6_000);
    const before = bandOf({}, agreed(null));
    before.reprice(agreed(null, 14_000), half);
    expect(before.reference).toBe(14_000);
  });

  test('is drawn back to the going price by engine versions before', () => {
    const band = bandOf({}, agreed(null));
    band.goBy({ ...RULES, referencePrice: 12_000, referenceStatement: 2 }, agreed(10_100));
    expect(band.reference).toBeNull();
    band.begin(2 * MINUTE, agreed(10_100));
    expect(band.reference).toBe(11_976);
    band.goBy({ ...RULES, referencePrice: 12_000, referenceStatement: 3 }, agreed(10_100));
    expect(band.reference).toBe(11_976);
  });
});

describe('a limit state', () => {
  test.each([
    ['widens', { bandBps: 500 }],
    ['narrows', { bandBps: 50 }],
    ['takes away', { bandBps: 0 }],
    ['lays elsewhere', { referencePrice: 10_050, referenceStatement: 2 }],
  ])('ends with the band that an operator %s', (_, rules) => {
    const band = bandOf({}, holding(null));
    band.reached(MINUTE, END, holding(null));
    band.goBy({ ...RULES, ...rules }, holding(null));
    expect(band.nextDue).toBeNull();
    expect(band.begin(MINUTE + LIMIT_STATE_MS, holding(10_100))).toBeNull();
    expect(band.haltedUntil).toBeNull();
  });

  test('goes on under rules that leave the band where it is, and outlived it in engine versions before', () => {
    const now = MINUTE + LIMIT_STATE_MS;
    const band = bandOf({}, holding(null));
    band.reached(MINUTE, END, holding(null));
    band.goBy({ ...RULES, bandHaltSeconds: 5 }, holding(null));
    expect(band.begin(now, holding(10_100))).toBe(now + 5_000);
    const before = bandOf({}, agreed(null));
    before.reached(MINUTE, END, agreed(null));
    before.goBy({ ...RULES, bandBps: 500 }, agreed(null));
    expect(before.begin(now, agreed(10_100))).toBe(now + 300_000);
  });
});

describe('a market at the lowest price there is', () => {
  const RULES_OF_CHEAP = { referencePrice: 5, tickSize: 5 };
  const now = MINUTE + LIMIT_STATE_MS;

  test('halts for no trade there, and did in engine versions before', () => {
    const band = bandOf(RULES_OF_CHEAP, floored(5));
    expect(band.band).toEqual({ low: 5, high: 10 });
    band.reached(MINUTE, 5, floored(5));
    expect(band.nextDue).toBeNull();
    const before = bandOf(RULES_OF_CHEAP, holding(5));
    before.reached(MINUTE, 5, holding(5));
    expect(before.begin(now, holding(5))).toBe(now + 300_000);
  });

  test('halts at the upper end, where trading stands there, and not where it has gone down again', () => {
    for (const [going, halts] of [
      [10, now + 300_000],
      [5, null],
    ] as const) {
      const band = bandOf(RULES_OF_CHEAP, floored(5));
      band.reached(MINUTE, 10, floored(5));
      expect(band.begin(now, floored(going))).toBe(halts);
    }
  });

  test('halts at a lower end that is above it', () => {
    const band = bandOf({ referencePrice: 15, tickSize: 5 }, floored(15));
    expect(band.band).toMatchObject({ low: 10 });
    band.reached(MINUTE, 10, floored(15));
    expect(band.begin(now, floored(10))).toBe(now + 300_000);
  });
});

describe('where the band lies and goes', () => {
  test('is told once for each change, and first of all', () => {
    const band = bandOf({}, holding(null));
    expect(band.isUntold).toBe(true);
    const first = { reference: null, target: null, statement: null, at: MINUTE };
    expect(band.tell(MINUTE, holding(null))).toEqual(first);
    expect([band.isUntold, band.tell(MINUTE + 1, holding(null))]).toEqual([false, null]);
    expect(band.tell(MINUTE + 2, holding(10_100))).toEqual({ ...first, target: 10_100, at: MINUTE + 2 });
    band.begin(2 * MINUTE, holding(10_100));
    const second = { reference: 10_020, target: 10_100, statement: null, at: 2 * MINUTE };
    expect(band.tell(2 * MINUTE, holding(10_100))).toEqual(second);
    const restored = new TradingBand(JSON.parse(JSON.stringify(band.snapshot())));
    expect([restored.tell(2 * MINUTE, holding(10_100)), restored.isUntold]).toEqual([null, false]);
    band.goBy({ ...RULES, referenceStatement: 2 }, holding(null));
    expect(band.tell(2 * MINUTE + 1, holding(null))).toMatchObject({ reference: null, statement: 2 });
    band.forgetTold();
    expect(band.isUntold).toBe(true);
  });

  test('is told of no market without a band', () => {
    const band = bandOf({ bandBps: 0 }, holding(null));
    expect([band.isUntold, band.tell(MINUTE, holding(10_100))]).toEqual([false, null]);
  });
});
