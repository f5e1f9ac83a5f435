import { describe, expect, test } from 'vitest';
import {
  counting,
  FORMER_MS,
  isOutlived,
  type KeptVersion,
  keepFirst,
  keepStated,
  keptAt,
  SEEN_BEFORE_MS,
  standing,
  VERSIONS_MAX,
} from './kept-versions.ts';
import { PLACE_NOTICE_MS, restated, type Stated } from './notice.ts';

const NOW = 1_000_000_000_000;
const DAY_MS = 86_400_000;
const isSame = (one: string, other: string) => one === other;
const kept = (known: readonly KeptVersion<string>[], stated: Stated<string>, now: number) =>
  keepStated(known, stated, now, isSame);
const first = [{ value: 'a', from: 0, countsFrom: 0 }];
const second = (from: number, countsFrom = from, value = 'b') => [...first, { value, from, countsFrom }];
const only = (value: string): Stated<string> => ({ value, from: 0, next: null });
const announced = (from: number): Stated<string> => ({ ...only('a'), next: { value: 'b', from } });

describe('what a signer keeps of what is stated', () => {
  test('is what is stated, as it is, where it has seen no funds yet', () => {
    expect(keepFirst(only('a'))).toEqual(first);
    expect(keptAt(first, 0, NOW)).toBe('a');
    expect(keepFirst({ ...announced(NOW + 5), from: NOW })).toEqual([
      { value: 'a', from: NOW, countsFrom: NOW },
      { value: 'b', from: NOW + 5, countsFrom: NOW + 5 },
    ]);
  });

  test('is a first place, too, no sooner than it was stated and seen', () => {
    const from = NOW + PLACE_NOTICE_MS;
    const known = kept([], { ...only('a'), from }, NOW);
    expect(known).toEqual([{ value: 'a', from, countsFrom: from }]);
    expect(kept(known, { ...only('a'), from }, from)).toEqual(known);
    expect(() => keptAt(known, from - 1, from)).toThrow('nothing is known');
    const hurried = kept([], only('a'), NOW);
    expect(hurried).toEqual([{ value: 'a', from: NOW, countsFrom: NOW + SEEN_BEFORE_MS }]);
    expect(kept(hurried, only('a'), NOW + 1)).toEqual(hurried);
  });

  test('is a change for transfers that begin once it holds', () => {
    const from = NOW + PLACE_NOTICE_MS;
    const known = kept(first, announced(from), NOW);
    expect(known).toEqual(second(from));
    expect(kept(known, announced(from), from)).toEqual(known);
    expect([keptAt(known, from - 1, from), keptAt(known, from, from)]).toEqual(['a', 'b']);
  });

  test('is no change that it has not seen for long enough, whatever is stated', () => {
    const soon = NOW + SEEN_BEFORE_MS - 1;
    const known = kept(first, announced(soon), NOW);
    expect(known).toEqual(second(soon, NOW + SEEN_BEFORE_MS));
    expect(() => keptAt(known, soon, soon)).toThrow('without notice');
    expect(keptAt(known, soon, soon + 1)).toBe('b');
    for (const stated of [announced(NOW), announced(NOW - DAY_MS), only('b')]) {
      const changed = kept(first, stated, NOW);
      expect(changed).toEqual(second(NOW, NOW + SEEN_BEFORE_MS));
      // Its time goes on, however often it looks.
      expect(kept(changed, stated, NOW + DAY_MS)).toEqual(changed);
      expect(() => keptAt(changed, NOW, NOW + SEEN_BEFORE_MS - 1)).toThrow('without notice');
      expect(keptAt(changed, NOW, NOW + SEEN_BEFORE_MS)).toBe('b');
      // What began before it saw the change is never judged by it.
      expect(keptAt(changed, NOW - 1, NOW + SEEN_BEFORE_MS)).toBe('a');
    }
  });

  test('is no change that was taken back, and one that is stated again begins anew', () => {
    const known = kept(first, announced(NOW + PLACE_NOTICE_MS), NOW);
    expect(kept(known, only('a'), NOW + DAY_MS)).toEqual(first);
    const again = kept(kept(known, only('a'), NOW + DAY_MS), announced(NOW + 2 * DAY_MS), NOW + DAY_MS);
    expect(again).toEqual(second(NOW + 2 * DAY_MS, NOW + DAY_MS + SEEN_BEFORE_MS));
    const other = kept(known, { ...only('a'), next: { value: 'c', from: NOW + PLACE_NOTICE_MS } }, NOW + DAY_MS);
    expect(other).toEqual(second(NOW + PLACE_NOTICE_MS, NOW + DAY_MS + SEEN_BEFORE_MS, 'c'));
    expect(kept(kept(first, only('b'), NOW), only('a'), NOW + 1)).toEqual(first);
  });

  test('follows where a change is put off, or holds earlier than was said', () => {
    const known = kept(first, announced(NOW + PLACE_NOTICE_MS), NOW);
    const later = NOW + 2 * PLACE_NOTICE_MS;
    expect(kept(known, announced(later), NOW + 1)).toEqual(second(later));
    expect(kept(known, only('b'), NOW + DAY_MS)).toEqual(second(NOW + DAY_MS, NOW + PLACE_NOTICE_MS));
  });

  test('has a change that is to follow one without notice', () => {
    const stated = { ...only('b'), next: { value: 'c', from: NOW + PLACE_NOTICE_MS } };
    const known = kept(first, stated, NOW);
    const third = { value: 'c', from: NOW + PLACE_NOTICE_MS, countsFrom: NOW + PLACE_NOTICE_MS };
    expect(known).toEqual([...second(NOW, NOW + SEEN_BEFORE_MS), third]);
    expect(kept(known, stated, NOW + 1)).toEqual(known);
  });

  test('takes at once what needs no notice', () => {
    const isKeyless = (one: string, other: string) => one[0] === other[0];
    expect(keepStated(first, only('a2'), NOW, isKeyless)).toEqual([{ ...first[0], value: 'a2' }]);
  });

  test('has what held before, and of too many the newest', () => {
    const known = Array.from({ length: VERSIONS_MAX + 1 }, (_, from) => ({
      value: `v${from}`,
      from,
      countsFrom: from,
    }));
    const lasting = kept(known, only(`v${VERSIONS_MAX}`), NOW);
    expect(lasting).toEqual(known.slice(1));
    expect(() => keptAt(lasting, 0, NOW)).toThrow('nothing is known');
    expect(keptAt(lasting, 1, NOW)).toBe('v1');
  });

  test('is what counts already, of what is stated no more', () => {
    expect(counting(second(NOW + 1), NOW)).toEqual(first);
    expect(counting(second(NOW), NOW)).toEqual(second(NOW));
  });

  test('stands as what counts and what is to, and for a while what was before', () => {
    expect(standing([], NOW)).toEqual([]);
    expect(standing(second(NOW + 1), NOW)).toEqual(['a', 'b']);
    expect(standing(second(NOW), NOW)).toEqual(['a', 'b']);
    expect(standing(second(NOW), NOW + FORMER_MS - 1)).toEqual(['a', 'b']);
    expect(standing(second(NOW), NOW + FORMER_MS)).toEqual(['b']);
    expect(standing([{ value: 'a', from: NOW + 1, countsFrom: NOW + 1 }], NOW)).toEqual(['a']);
  });

  test('holds for no payout any more once it was replaced long ago, by an id that names a time before', () => {
    const known = second(NOW, NOW + SEEN_BEFORE_MS);
    const ends = NOW + SEEN_BEFORE_MS + FORMER_MS;
    expect(isOutlived(known, NOW - 1, ends - 1)).toBe(false);
    expect(isOutlived(known, NOW - 1, ends)).toBe(true);
    expect(isOutlived(known, NOW, ends)).toBe(false);
    expect(isOutlived(first, 0, ends)).toBe(false);
    // What is to hold has replaced nothing yet.
    expect(isOutlived(second(ends + 1), ends - 1, ends)).toBe(false);
  });

  test('says nothing of a transfer that would begin later, or whose id says no time', () => {
    const known = kept(first, announced(NOW + PLACE_NOTICE_MS), NOW);
    expect(keptAt(known, NOW + 60_000, NOW)).toBe('a');
    expect(() => keptAt(known, NOW + 60_001, NOW)).toThrow('begins later');
    expect(() => keptAt(known, Number.NaN, NOW)).toThrow('begins later');
    // A clock that is a little behind is no change without notice.
    expect(keptAt(second(NOW + 5), NOW + 5, NOW)).toBe('b');
  });

  test('is what is stated, at every time, for who looks often enough', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    for (let run = 0; run < 50; run++) {
      let [stated, known, now] = [only('a'), keepFirst(only('a')), NOW];
      for (let hour = 0; hour < 400; hour++) {
        now += 3_600_000;
        if (random(20) === 0) stated = restated(stated, 'abc'[random(3)] as string, now);
        known = kept(known, stated, now);
        const held = stated.next !== null && stated.next.from <= now ? stated.next.value : stated.value;
        expect(keptAt(known, now, now)).toBe(held);
        expect(known.length).toBeLessThan(12);
      }
    }
  });
});
