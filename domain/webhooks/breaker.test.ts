import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../calendar/durations.ts';
import { Breaker } from './breaker.ts';

const NOW = 1_800_000_000_000;
/** The middle of the jitter. */
const MIDDLE = 0.5;

/** Each as soon as it may be tried. */
function failing(times: number): Breaker {
  const breaker = new Breaker();
  for (let count = 0; count < times; count++) breaker.failed(Math.max(NOW, breaker.openUntil), MIDDLE);
  return breaker;
}

describe('a breaker', () => {
  it('is closed up to four failures in a row: as many are tried as may be under way', () => {
    expect(failing(4).room(NOW, 3, 20)).toBe(17);
    expect(failing(4).room(NOW, 25, 20)).toBe(0);
    expect(failing(4).openUntil).toBe(0);
  });

  it('opens with the fifth: nothing is tried until its time is over', () => {
    const breaker = failing(5);
    expect(breaker.openUntil).toBe(NOW + 5 * SECOND_MS);
    expect(breaker.room(NOW + 5 * SECOND_MS - 1, 0, 20)).toBe(0);
  });

  it('says how it is', () => {
    expect(failing(4).circuit(NOW)).toBe('closed');
    const breaker = failing(5);
    expect(breaker.circuit(breaker.openUntil - 1)).toBe('open');
    expect(breaker.circuit(breaker.openUntil)).toBe('half_open');
    breaker.succeeded();
    expect(breaker.circuit(NOW)).toBe('closed');
  });

  it('is half open then: one is tried, and no other beside it', () => {
    const breaker = failing(5);
    expect(breaker.room(NOW + 5 * SECOND_MS, 0, 20)).toBe(1);
    expect(breaker.room(NOW + 5 * SECOND_MS, 1, 20)).toBe(0);
  });

  it('opens for longer with each failure, six hours at most', () => {
    const waits = [5, 6, 7, 8, 9, 10, 11, 12, 13, 40].map(
      (times) => failing(times).openUntil - Math.max(NOW, failing(times - 1).openUntil),
    );
    const [SECONDS, MINUTES] = [SECOND_MS, MINUTE_MS];
    expect(waits.slice(0, 5)).toEqual([5 * SECONDS, 30 * SECONDS, 2 * MINUTES, 10 * MINUTES, 30 * MINUTES]);
    expect(waits.slice(-3)).toEqual([6 * HOUR_MS, 6 * HOUR_MS, 6 * HOUR_MS]);
  });

  it('does not count what was under way when it opened', () => {
    const breaker = failing(5);
    for (let count = 0; count < 50; count++) breaker.failed(NOW, MIDDLE);
    expect(breaker.openUntil).toBe(NOW + 5 * SECOND_MS);
  });

  it('goes on where its state was kept', () => {
    const kept = new Breaker(failing(7).state);
    expect([kept.openUntil, kept.room(kept.openUntil, 0, 20)]).toEqual([failing(7).openUntil, 1]);
  });

  it('closes with one success, and counts from the beginning', () => {
    const breaker = failing(9);
    breaker.succeeded();
    expect(breaker.room(NOW, 0, 20)).toBe(20);
    for (let count = 0; count < 4; count++) breaker.failed(NOW, MIDDLE);
    expect(breaker.room(NOW, 0, 20)).toBe(20);
  });
});
