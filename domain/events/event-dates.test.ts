import { describe, expect, it } from 'vitest';
import { eventDatesOf, eventPhaseOf } from './event-dates.ts';

const at = (text: string) => Date.parse(text);

describe('dates of an event', () => {
  it('a day begins and ends with the UTC day', () => {
    expect(eventDatesOf('2026-06-01', '2026-06-02')).toEqual({
      date: at('2026-06-01T00:00:00.000Z'),
      endDate: at('2026-06-02T23:59:59.999Z'),
    });
  });

  it('times count in their own zone, and without one in UTC', () => {
    expect(eventDatesOf('2026-06-01T10:00:00+02:00', '2026-06-01T12:00:00')).toEqual({
      date: at('2026-06-01T08:00:00Z'),
      endDate: at('2026-06-01T12:00:00Z'),
    });
  });

  it('without an end the event lasts to the end of the UTC day on which it begins', () => {
    expect(eventDatesOf('2026-06-01T20:00:00Z', null)?.endDate).toBe(at('2026-06-01T23:59:59.999Z'));
  });

  it('an end before the beginning is none', () => {
    expect(eventDatesOf('2026-06-02', '2026-06-01')).toBeNull();
    expect(eventDatesOf('2026-06-02', '2026-06-02')).not.toBeNull();
  });
});

describe('the group of an event', () => {
  it.each([
    ['upcoming', 999],
    ['ongoing', 1_000],
    ['ongoing', 2_000],
    ['past', 2_001],
  ] as const)('is %s at %i of 1000 to 2000', (phase, now) => {
    expect(eventPhaseOf({ date: 1_000, endDate: 2_000 }, now)).toBe(phase);
  });
});
