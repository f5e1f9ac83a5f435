import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../calendar/durations.ts';
import { Breaker } from './breaker.ts';

const NOW = 1_800_000_000_000;
/** The middle of the jitter. */
const MIDDLE = 0.5;

/** Each as soon as it may be tried. */
function failing(times: number): Breaker {
  const breaker = new Breaker();
  for (let count = 0; count < times; count++) breaker.failed(Math.max(NOW, breaker.openUntil), MIDDLE, null);
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
    breaker.succeeded(NOW);
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
    for (let count = 0; count < 50; count++) breaker.failed(NOW, MIDDLE, null);
    expect(breaker.openUntil).toBe(NOW + 5 * SECOND_MS);
  });

  it('goes on where its state was kept', () => {
    const kept = new Breaker(failing(7).state);
    expect([kept.openUntil, kept.room(kept.openUntil, 0, 20)]).toEqual([failing(7).openUntil, 1]);
  });

  it('closes with one success, and counts from the beginning', () => {
    const breaker = failing(9);
    breaker.succeeded(NOW);
    expect(breaker.room(NOW, 0, 20)).toBe(20);
    for (let count = 0; count < 4; count++) breaker.failed(NOW, MIDDLE, null);
    expect(breaker.room(NOW, 0, 20)).toBe(20);
  });

  describe('R-08: of a receiver that asks to be left alone', () => {
    const asked = (until: number, breaker = new Breaker()): Breaker => {
      breaker.failed(NOW, MIDDLE, until);
      return breaker;
    };

    it('opens with the first such answer until then, and one is tried after it', () => {
      const breaker = asked(NOW + HOUR_MS);
      expect([breaker.openUntil, breaker.circuit(NOW), breaker.room(NOW + HOUR_MS - 1, 0, 20)]).toEqual([
        NOW + HOUR_MS,
        'open',
        0,
      ]);
      expect([breaker.room(NOW + HOUR_MS, 0, 20), breaker.room(NOW + HOUR_MS, 1, 20)]).toEqual([1, 0]);
    });

    it('is not closed by what was under way, and by what is tried after it', () => {
      const breaker = asked(NOW + HOUR_MS);
      expect([breaker.succeeded(NOW + 1), breaker.circuit(NOW + 1)]).toEqual([false, 'open']);
      expect([breaker.succeeded(NOW + HOUR_MS), breaker.circuit(NOW + HOUR_MS)]).toEqual([true, 'closed']);
    });

    it('waits for the latest of what it is asked, a day at most, and never less than for its failures', () => {
      expect(asked(NOW + MINUTE_MS, asked(NOW + HOUR_MS)).openUntil).toBe(NOW + HOUR_MS);
      expect(asked(NOW + 2 * HOUR_MS, asked(NOW + HOUR_MS)).openUntil).toBe(NOW + 2 * HOUR_MS);
      expect(asked(NOW + 30 * DAY_MS).openUntil).toBe(NOW + DAY_MS);
      expect(asked(NOW + SECOND_MS).openUntil).toBe(NOW + 5 * SECOND_MS);
    });

    it('does not open for a time that is over', () => {
      expect(asked(NOW).circuit(NOW)).toBe('closed');
    });

    it('goes on where its state was kept', () => {
      const kept = new Breaker(asked(NOW + HOUR_MS).state);
      expect([kept.succeeded(NOW + 1), kept.openUntil]).toEqual([false, NOW + HOUR_MS]);
    });
  });
});
