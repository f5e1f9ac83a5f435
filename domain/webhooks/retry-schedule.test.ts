import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../calendar/durations.ts';
import { nextTryAt, notBefore, retryAtOf } from './retry-schedule.ts';

const START = 1_800_000_000_000;

test('waits grow from five seconds to six hours', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 20].map(
    (tries) => (nextTryAt({ tries, firstTriedAt: START }, START, 0.5) ?? 0) - START,
  );
  expect(waits).toEqual([
    5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 10_800_000, 21_600_000, 21_600_000, 21_600_000,
  ]);
});

test('a message is tried for three days, the last time when they are over, and then given up', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.integer({ min: 0, max: 15_000 })),
        {
          minLength: 64,
          maxLength: 64,
        },
      ),
      (luck) => {
        let now = START;
        let tries = 0;
        for (const [random, took_ms] of luck) {
          now += took_ms;
          tries += 1;
          const next = nextTryAt({ tries, firstTriedAt: START }, now, random);
          if (next === null) break;
          expect(next).toBeGreaterThanOrEqual(now);
          expect(next - now).toBeLessThanOrEqual(1.2 * 6 * HOUR_MS + 1);
          expect(next).toBeLessThanOrEqual(START + 3 * DAY_MS);
          now = next;
        }
        expect(now).toBeGreaterThanOrEqual(START + 3 * DAY_MS);
        expect(tries).toBeGreaterThan(15);
        expect(tries).toBeLessThan(32);
      },
    ),
  );
});

test('waits differ by up to a fifth, so that receivers that failed together are not called together', () => {
  const at = (random: number) => nextTryAt({ tries: 8, firstTriedAt: START }, START, random);
  expect(at(0)).toBe(START + 0.8 * 6 * HOUR_MS);
  expect(at(0.999_999_999)).toBe(START + 1.2 * 6 * HOUR_MS);
});

test.each<[string, string | null, number | null]>([
  ['seconds', '40', START + 40_000],
  ['no seconds', '0', START],
  ['spaces around them', ' 40 ', START + 40_000],
  ['a date', 'Fri, 15 Jan 2027 08:00:40 GMT', START + 40_000],
  ['a date of RFC 850', 'Friday, 15-Jan-27 08:00:40 GMT', START + 40_000],
  ['a date of asctime', 'Fri Jan 15 08:00:40 2027', START + 40_000],
  ['a date of asctime, whose day has one digit', 'Tue Feb  2 08:00:00 2027', START + 18 * DAY_MS],
  ['a year of two digits of the century before', 'Saturday, 15-Jan-94 08:00:00 GMT', Date.UTC(1994, 0, 15, 8)],
  ['a leap second', 'Fri, 15 Jan 2027 07:59:60 GMT', START],
  ['more seconds than there are in a day', '99999999999', START + DAY_MS],
  ['more digits than a number holds', '9'.repeat(400), START + DAY_MS],
  ['a day that its month has not', 'Tue, 31 Nov 2026 00:00:40 GMT', null],
  ['a day 29 of February in a common year', 'Mon, 29 Feb 2027 00:00:00 GMT', null],
  ['an hour that there is not', 'Fri, 15 Jan 2027 24:00:00 GMT', null],
  ['another zone', 'Fri, 15 Jan 2027 08:00:40 +0100', null],
  ['no zone', 'Fri, 15 Jan 2027 08:00:40', null],
  ['a month in another language', 'Fri, 15 Mai 2027 08:00:40 GMT', null],
  ['a date in the past', 'Thu, 14 Jan 2027 08:00:00 GMT', START - DAY_MS],
  ['nothing', null, null],
  ['an empty value', '', null],
  ['less than nothing', '-5', null],
  ['parts of a second', '1.5', null],
  ['an exponent', '1e3', null],
  ['words', 'soon', null],
  ['a date that is none', 'Fri, 45 Jan 2027 08:00:00 GMT', null],
  ['a moment of ISO 8601', '2027-01-15T08:00:40Z', null],
  ['two values', '40, 50', null],
])('R-08: Retry-After with %s', (_, header, at) => {
  expect(retryAtOf(header, START)).toBe(at);
});

test('R-08: a try is put off as long as the receiver asks, up to a day and to the last try; never hastened', () => {
  const failed = { tries: 1, firstTriedAt: START };
  const due = START + 5_000;
  expect(notBefore(due, START + 40_000, failed, START)).toBe(START + 40_000);
  for (const asked of [null, START, START - DAY_MS]) expect(notBefore(due, asked, failed, START)).toBe(due);
  expect(notBefore(due, START + 30 * DAY_MS, failed, START)).toBe(START + DAY_MS);
  const late = START + 2.5 * DAY_MS;
  expect(notBefore(late + 5_000, late + DAY_MS, failed, late)).toBe(START + 3 * DAY_MS);
});
