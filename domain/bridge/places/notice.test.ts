import { describe, expect, test } from 'vitest';
import { heldAt, PLACE_NOTICE_MS, restated } from './notice.ts';

const NOW = 1_000_000_000_000;

describe('what operators state of places', () => {
  test('holds at once where nothing was stated, or used, before', () => {
    expect(restated(null, 'a', NOW)).toEqual({ value: 'a', next: null });
  });

  test('holds after its notice where something else holds, and the other until then', () => {
    const stated = restated({ value: 'a', next: null }, 'b', NOW);
    expect(stated).toEqual({ value: 'a', next: { value: 'b', from: NOW + PLACE_NOTICE_MS } });
    expect(heldAt(stated, NOW + PLACE_NOTICE_MS - 1)).toBe('a');
    expect(heldAt(stated, NOW + PLACE_NOTICE_MS)).toBe('b');
  });

  test('keeps its time where it is stated again, and has another where it is another', () => {
    const first = restated({ value: 'a', next: null }, 'b', NOW);
    expect(restated(first, 'b', NOW + 1)).toEqual(first);
    const other = { value: 'a', next: { value: 'c', from: NOW + 1 + PLACE_NOTICE_MS } };
    expect(restated(first, 'c', NOW + 1)).toEqual(other);
  });

  test('is taken back by stating what holds', () => {
    const first = restated({ value: 'a', next: null }, 'b', NOW);
    expect(restated(first, 'a', NOW + 1)).toEqual({ value: 'a', next: null });
  });

  test('stands once its time has come, and what was before is another then', () => {
    const first = restated({ value: 'a', next: null }, 'b', NOW);
    const later = NOW + PLACE_NOTICE_MS;
    expect(restated(first, 'b', later)).toEqual({ value: 'b', next: null });
    expect(restated(first, 'a', later)).toEqual({ value: 'b', next: { value: 'a', from: later + PLACE_NOTICE_MS } });
  });

  test('holds at once where it needs no notice', () => {
    const isSame = (one: { of: string }, other: { of: string }) => one.of === other.of;
    const stands = { value: { of: 'a', key: 1 }, next: null };
    expect(restated(stands, { of: 'a', key: 2 }, NOW, isSame)).toEqual({ value: { of: 'a', key: 2 }, next: null });
  });
});
