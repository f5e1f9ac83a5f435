import { describe, expect, test } from 'vitest';
import { nextNyseOpening } from '../calendar/nyse-session.ts';
import { waitsUntil } from './trading-hours.ts';

const SATURDAY = Date.UTC(2026, 10, 21, 17);
const MONDAY = nextNyseOpening(SATURDAY);
const HOUR_MS = 3_600_000;

describe('an order that waits for its market', () => {
  const of = (order: Partial<Parameters<typeof waitsUntil>[1]> = {}, now_ms = SATURDAY) =>
    waitsUntil('nyse', { status: 'open', filled: 0, expiresAt: null, createdAt: SATURDAY - HOUR_MS, ...order }, now_ms);

  test('says when that opens', () => {
    expect(of()).toBe(MONDAY);
    expect(of({ expiresAt: MONDAY + 1 })).toBe(MONDAY);
  });

  test.each([
    ['its market is open', of({}, MONDAY)],
    ['its broker has had it since the last session', of({ createdAt: SATURDAY - 24 * HOUR_MS })],
    ['it was placed before the last session', of({ createdAt: SATURDAY - 7 * 24 * HOUR_MS })],
    ['it has ended', of({ status: 'cancelled' })],
    ['it has filled in part', of({ status: 'open', filled: 1 })],
    ['its time is over before', of({ expiresAt: MONDAY })],
    [
      'its market has no hours',
      waitsUntil('always', { status: 'open', filled: 0, expiresAt: null, createdAt: 0 }, SATURDAY),
    ],
  ])('waits for none where %s', (_, opens) => {
    expect(opens).toBeNull();
  });
});
