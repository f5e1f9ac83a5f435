import { describe, expect, test } from 'vitest';
import { type BandStand, referenceAfter, referenceAt } from './band-reference.ts';

const MINUTE = 60_000;
const RULES = { bandBps: 100, referencePrice: 10_000, referenceStatement: null };

describe('what a band lies around after a cycle', () => {
  test.each([
    ['within its minute', 0, 10_000],
    ['a minute later', 1, 10_020],
    ['three minutes later', 3, 10_060],
    ['once it has come to its target', 5, 10_100],
    ['much later', 2_000, 10_100],
  ])('is nearer to its target by a fifth of the width a minute: %s', (_, minutes, reference) => {
    expect(referenceAfter(minutes, { reference: 10_000, target: 10_100 }, RULES, false)).toBe(reference);
    const down = referenceAfter(minutes, { reference: 10_000, target: 9_900 }, RULES, false);
    expect(down).toBe(20_000 - reference);
  });

  test('begins at the reference price of the rules, and stays where there is no target', () => {
    expect(referenceAfter(1, { reference: null, target: 10_100 }, RULES, false)).toBe(10_020);
    expect(referenceAfter(9, { reference: 10_050, target: null }, RULES, false)).toBe(10_050);
    expect(referenceAfter(9, { reference: null, target: null }, RULES, false)).toBeNull();
  });

  test('is its target at once after a halt, without a band, and where there was no price before', () => {
    const way = { reference: 10_000, target: 10_100 };
    expect(referenceAfter(0, way, RULES, true)).toBe(10_100);
    expect(referenceAfter(0, way, { ...RULES, bandBps: 0 }, false)).toBe(10_100);
    expect(referenceAfter(0, { ...way, reference: null }, { ...RULES, referencePrice: null }, false)).toBe(10_100);
  });
});

describe('what a band lies around by what its book has told', () => {
  const stand: BandStand = { reference: 10_000, target: 10_100, at: 5 * MINUTE + 59_999, statement: null };

  test('moves as minutes turn, with no cycle between', () => {
    const at = (now: number) => referenceAt(now, stand, RULES, null);
    expect([at(6 * MINUTE - 1), at(6 * MINUTE), at(8 * MINUTE)]).toEqual([10_000, 10_020, 10_060]);
  });

  test('is its target once the halt is over in which it was told, and not for one that was over before', () => {
    const halt = 5 * MINUTE + 60_500;
    expect(referenceAt(halt - 1, stand, RULES, halt)).toBe(10_020);
    expect(referenceAt(halt, stand, RULES, halt)).toBe(10_100);
    expect(referenceAt(halt, stand, RULES, stand.at)).toBe(10_020);
  });

  test('is the reference price that an operator has stated since', () => {
    const stated = { ...RULES, referenceStatement: 2 };
    expect(referenceAt(6 * MINUTE, stand, stated, null)).toBeNull();
    expect(referenceAt(6 * MINUTE, { ...stand, statement: 2 }, stated, null)).toBe(10_020);
    expect(referenceAt(6 * MINUTE, stand, { ...stated, referencePrice: null }, null)).toBe(10_020);
    expect(referenceAt(6 * MINUTE, { ...stand, statement: 3 }, stated, null)).toBe(10_020);
  });
});
