import { describe, expect, test } from 'vitest';
import { heldAt, PLACE_NOTICE_MS, restated } from './notice.ts';

const NOW = 1_000_000_000_000;

const held = (value: string, from = 0) => ({ value, from, next: null });

describe('what operators state of places', () => {
  test('holds after its notice where nothing was stated before', () => {
    const stated = restated(null, 'a', NOW);
    expect(stated).toEqual(held('a', NOW + PLACE_NOTICE_MS));
    expect([NOW + PLACE_NOTICE_MS - 1, NOW + PLACE_NOTICE_MS].map((at) => heldAt(stated, at))).toEqual([null, 'a']);
    // Stated again it keeps its time, and has another where it is another.
    expect(restated(stated, 'a', NOW + 1)).toEqual(stated);
    expect(restated(stated, 'b', NOW + 1)).toEqual(held('b', NOW + 1 + PLACE_NOTICE_MS));
  });

  test('holds after its notice where something else holds, and the other until then', () => {
    const stated = restated(held('a'), 'b', NOW);
    expect(stated).toEqual({ ...held('a'), next: { value: 'b', from: NOW + PLACE_NOTICE_MS } });
    expect(heldAt(stated, NOW + PLACE_NOTICE_MS - 1)).toBe('a');
    expect(heldAt(stated, NOW + PLACE_NOTICE_MS)).toBe('b');
  });

  test('keeps its time where it is stated again, and has another where it is another', () => {
    const first = restated(held('a'), 'b', NOW);
    expect(restated(first, 'b', NOW + 1)).toEqual(first);
    const other = { ...held('a'), next: { value: 'c', from: NOW + 1 + PLACE_NOTICE_MS } };
    expect(restated(first, 'c', NOW + 1)).toEqual(other);
  });

  test('is taken back by stating what holds', () => {
    const first = restated(held('a', 5), 'b', NOW);
    expect(restated(first, 'a', NOW + 1)).toEqual(held('a', 5));
  });

  test('stands once its time has come, and what was before is another then', () => {
    const first = restated(held('a'), 'b', NOW);
    const later = NOW + PLACE_NOTICE_MS;
    expect(restated(first, 'b', later)).toEqual(held('b', later));
    expect(restated(first, 'a', later)).toEqual({
      ...held('b', later),
      next: { value: 'a', from: later + PLACE_NOTICE_MS },
    });
  });

  test('holds at once where it needs no notice, and what is to follow still follows', () => {
    const needsNone = (one: { of: string; key?: number }, other: { of: string; key?: number }) => one.of === other.of;
    const next = { value: { of: 'b' }, from: NOW + 5 };
    const stands = { value: { of: 'a', key: 1 }, from: 0, next };
    expect(restated(stands, { of: 'a', key: 2 }, NOW, needsNone)).toEqual({ ...stands, value: { of: 'a', key: 2 } });
    expect(restated(stands, { of: 'b', key: 2 }, NOW, needsNone)).toEqual({
      ...stands,
      next: { value: { of: 'b', key: 2 }, from: NOW + 5 },
    });
    const waits = { value: { of: 'a', key: 1 }, from: NOW + 5, next: null };
    expect(restated(waits, { of: 'a', key: 2 }, NOW, needsNone)).toEqual({ ...waits, value: { of: 'a', key: 2 } });
  });
});
