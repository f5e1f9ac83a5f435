import { describe, expect, it } from 'vitest';
import { eventDatesOf, eventPhaseOf } from './event-dates.ts';

const at = (text: string) => Date.parse(text);

describe('dates of an event', () => {
  it('E-05: a day without a zone begins where it first begins, and ends when it is over everywhere', () => {
    const dates = { date: at('2026-06-01T00:00:00.000+14:00'), endDate: at('2026-06-03T11:59:59.999Z') };
    expect(eventDatesOf('2026-06-01', '2026-06-02')).toEqual(dates);
    expect(eventDatesOf('2026-06-02', null)?.endDate).toBe(dates.endDate);
    const morning = eventDatesOf('2026-11-28', null)!;
    expect(eventPhaseOf(morning, at('2026-11-28T08:00:00+09:00'))).toBe('ongoing');
    expect(eventPhaseOf(morning, at('2026-11-28T23:00:00-11:00'))).toBe('ongoing');
    expect(eventPhaseOf(morning, at('2026-11-27T23:59:59+14:00'))).toBe('upcoming');
  });

  it('a first day is whole in the zone of the end', () => {
    expect(eventDatesOf('2026-06-01', '2026-06-02T18:00:00+09:00')?.date).toBe(at('2026-06-01T00:00:00+09:00'));
  });

  it('a last day is whole in the zone of the beginning', () => {
    expect(eventDatesOf('2026-06-01T18:00:00-05:00', '2026-06-02')?.endDate).toBe(at('2026-06-03T04:59:59.999Z'));
  });

  it('times count in their own zone, and without one in UTC', () => {
    expect(eventDatesOf('2026-06-01T10:00:00+02:00', '2026-06-01T12:00:00')).toEqual({
      date: at('2026-06-01T08:00:00Z'),
      endDate: at('2026-06-01T12:00:00Z'),
    });
  });

  it('E-09: without an end the event lasts through its day in its own zone, and twelve hours at least', () => {
    expect(eventDatesOf('2026-11-27T18:55:00-05:00', null)?.endDate).toBe(at('2026-11-28T06:55:00-05:00'));
    expect(eventDatesOf('2026-11-27T09:00:00+09:00', null)?.endDate).toBe(at('2026-11-27T23:59:59.999+09:00'));
  });

  it('E-09: at whatever hour and in whatever zone it begins', () => {
    for (let offset = -12; offset <= 14; offset++)
      for (let hour = 0; hour < 24; hour++) {
        const two = (value: number) => `${Math.abs(value)}`.padStart(2, '0');
        const zone = `${offset < 0 ? '-' : '+'}${two(offset)}:00`;
        const { date, endDate } = eventDatesOf(`2026-11-27T${two(hour)}:30:00${zone}`, null)!;
        expect(endDate - date).toBeGreaterThanOrEqual(12 * 3_600_000);
        expect(endDate).toBeGreaterThanOrEqual(at(`2026-11-27T23:59:59.999${zone}`));
        expect(endDate - date).toBeLessThan(24 * 3_600_000);
      }
  });

  it('an end before the beginning is none', () => {
    expect(eventDatesOf('2026-06-02', '2026-06-01')).toBeNull();
    expect(eventDatesOf('2026-06-02', '2026-06-02')).not.toBeNull();
    expect(eventDatesOf('2026-06-02', '2026-06-01T23:59:00+09:00')).toBeNull();
    expect(eventDatesOf('2026-06-02', '2026-06-02T00:00:00+09:00')).not.toBeNull();
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
