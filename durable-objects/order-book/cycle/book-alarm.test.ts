import { describe, expect, it } from 'vitest';
import { BookAlarm } from './book-alarm.ts';

/** An object with one alarm and a clock that stands until it is set. */
function object() {
  const at = { now: 0, due: undefined as number | undefined, alarm: Number.POSITIVE_INFINITY, chance: 0 };
  const alarm = new BookAlarm({
    now: () => at.now,
    random: () => at.chance,
    get: () => at.due,
    put: (due) => {
      at.due = due;
    },
    clear: () => {
      at.due = undefined;
    },
    wakeAt: (time) => {
      at.alarm = Math.min(at.alarm, time);
    },
  });
  /** The clock goes on to the alarm, which rings. */
  const ring = (hasOutbox: boolean): boolean => {
    at.now = at.alarm;
    at.alarm = Number.POSITIVE_INFINITY;
    return alarm.woken(hasOutbox);
  };
  return { at, alarm, ring };
}

describe('the alarm of a book', () => {
  it('rings soon after a cycle, for what a crash would leave, and then for the next expiry', () => {
    const { at, alarm, ring } = object();
    alarm.afterCycle(60_000);
    expect(at.alarm).toBe(1_000);
    expect(ring(true)).toBe(true);
    alarm.drained(60_000);
    expect(at.alarm).toBe(60_000);
    expect(ring(false)).toBe(true);
  });

  it('rings for an order that came while the alarm of an earlier cycle was still set', () => {
    const { at, alarm, ring } = object();
    alarm.afterCycle(null);
    alarm.drained(null);
    at.now = 500;
    alarm.afterCycle(60_000);
    for (let rings = 0; at.now < 60_000 && rings < 5; rings++) if (ring(false)) alarm.drained(60_000);
    expect(at.now).toBe(60_000);
  });

  it('rests twice as long each time that the book cannot start, two minutes at most, and one second again once it has', () => {
    const { at, alarm, ring } = object();
    const rest = (): number => {
      const before = at.now;
      alarm.couldNotStart();
      expect(ring(false)).toBe(true);
      return at.now - before;
    };
    expect(Array.from({ length: 8 }, rest)).toEqual([1, 2, 4, 8, 16, 32, 60, 60].map((seconds) => seconds * 1_000));
    at.chance = 0.5;
    expect(rest()).toBe(90_000);
    alarm.drained(null);
    expect(rest()).toBe(1_500);
    alarm.drained(null);
    alarm.afterCycle(null);
    expect(ring(true)).toBe(true);
    expect(rest()).toBe(1_500);
  });

  it('that an order is to expire earlier is kept while the book cannot start', () => {
    const { at, alarm } = object();
    alarm.drained(1_200);
    at.chance = 0.5;
    alarm.couldNotStart();
    expect(at.due).toBe(1_200);
  });

  it('rings for the earlier of two expiries, whichever was asked for first', () => {
    const { at, alarm } = object();
    alarm.drained(60_000);
    alarm.afterCycle(300);
    expect(at.alarm).toBe(300);
    expect(at.due).toBe(300);
  });

  it('is set again when the object was woken for something else', () => {
    const { at, alarm, ring } = object();
    alarm.drained(60_000);
    at.alarm = 10_000;
    expect(ring(false)).toBe(false);
    expect(at.alarm).toBe(60_000);
  });

  it('wakes a book that has something to settle though it was not to be woken', () => {
    const { ring } = object();
    expect(ring(true)).toBe(true);
  });
});
