import { describe, expect, test } from 'vitest';
import { growthOf, storeBounds } from './store-growth.ts';

const DAY_MS = 86_400_000;
const GB = 1_000_000_000;

describe('the growth of a store', () => {
  test('is what a day has added, and how long that leaves', () => {
    const sizes = [
      { bytes: 1 * GB, seenAt: 0 },
      { bytes: 9 * GB, seenAt: DAY_MS },
      { bytes: 5 * GB, seenAt: 2 * DAY_MS },
    ];
    expect(growthOf(sizes, 10 * GB)).toEqual({ bytesPerDay: 2 * GB, daysLeft: 2 });
  });

  test('says nothing of less than a day, and of a store that does not grow no end', () => {
    const seen = (bytes: number, seenAt: number) => ({ bytes, seenAt });
    expect(growthOf([], GB)).toEqual({ bytesPerDay: null, daysLeft: null });
    expect(growthOf([seen(1, 0), seen(2, DAY_MS - 1)], GB)).toEqual({ bytesPerDay: null, daysLeft: null });
    expect(growthOf([seen(5, 0), seen(3, DAY_MS)], GB)).toEqual({ bytesPerDay: -2, daysLeft: null });
    expect(growthOf([seen(GB, 0), seen(3 * GB, DAY_MS)], GB)).toMatchObject({ daysLeft: 0 });
  });
});

describe('M-18: the bounds of a store', () => {
  test('are those of a deployment, and 10 and 8 GB where it says nothing', () => {
    expect(storeBounds(undefined, undefined)).toEqual({ bytesMax: 10 * GB, warnedFrom: 6 * GB, stopFrom: 8 * GB });
    expect(storeBounds('20', '9.5')).toEqual({ bytesMax: 20 * GB, warnedFrom: 9.5 * GB, stopFrom: 9.5 * GB });
  });

  test.each([
    ['', '8'],
    ['10', ''],
    ['10', '11'],
    ['ten', '8'],
    ['0', '0'],
    ['-1', '-1'],
    ['Infinity', '8'],
  ])('are none where it states %o and %o', (max, stop) => {
    expect(storeBounds(max, stop)).toBeNull();
  });
});
