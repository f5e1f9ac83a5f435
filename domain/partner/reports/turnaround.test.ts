import { describe, expect, it } from 'vitest';
import { receivedForDue, TurnaroundTally, turnaroundDue } from './turnaround.ts';

const at = (text: string) => Date.parse(text);

describe('turnaroundDue', () => {
  it.each([
    // A Monday at noon, and a second later: due on Thursday, on Friday.
    ['2026-06-08T12:00:00-04:00', '2026-06-11T12:00:00-04:00'],
    ['2026-06-08T12:00:01-04:00', '2026-06-12T12:00:00-04:00'],
    // A Saturday counts as the Monday after.
    ['2026-06-06T09:00:00-04:00', '2026-06-11T12:00:00-04:00'],
    // Thanksgiving is no business day, and the weekend is none.
    ['2026-11-25T10:00:00-05:00', '2026-12-01T12:00:00-05:00'],
    // The clock changes in between.
    ['2026-10-30T10:00:00-04:00', '2026-11-04T12:00:00-05:00'],
  ])('of what is received %s is %s', (received, due) => {
    expect(new Date(turnaroundDue(at(received))).toISOString()).toBe(new Date(due).toISOString());
  });
});

describe('receivedForDue', () => {
  it.each([
    ['2026-06-11T12:00:00-04:00', '2026-06-08T12:00:00-04:00'],
    ['2026-06-11T11:59:59-04:00', '2026-06-05T12:00:00-04:00'],
    ['2026-06-13T12:00:00-04:00', '2026-06-09T12:00:00-04:00'],
    ['2026-12-01T12:00:00-05:00', '2026-11-25T12:00:00-05:00'],
  ])('the last that is due by %s was received %s', (dueBy, received) => {
    expect(new Date(receivedForDue(at(dueBy))).toISOString()).toBe(new Date(received).toISOString());
  });
});

describe('the tally', () => {
  const now = at('2026-07-10T12:00:00-04:00');

  it('counts items by the month of their receipt in New York', () => {
    const tally = new TurnaroundTally();
    const received = at('2026-06-30T23:30:00-04:00');
    tally.add({ receivedAt: received, turnedAroundAt: received + 1 }, now);
    expect(tally.months()).toEqual([{ month: '2026-06', received: 1, inTime: 1, late: 0, open: 0, isCompliant: true }]);
  });

  it('is compliant from nine in ten on; what is not due yet counts for neither', () => {
    const tally = new TurnaroundTally();
    const receivedAt = at('2026-06-08T09:00:00-04:00');
    const due = turnaroundDue(receivedAt);
    for (let item = 0; item < 9; item++) tally.add({ receivedAt, turnedAroundAt: due }, now);
    tally.add({ receivedAt, turnedAroundAt: due + 1 }, now);
    tally.add({ receivedAt: now - 1, turnedAroundAt: null }, now);
    expect(tally.months()).toEqual([
      { month: '2026-06', received: 10, inTime: 9, late: 1, open: 0, isCompliant: true },
      { month: '2026-07', received: 1, inTime: 0, late: 0, open: 1, isCompliant: true },
    ]);
    tally.add({ receivedAt, turnedAroundAt: null }, now);
    expect(tally.months()[0]).toMatchObject({ late: 2, isCompliant: false });
  });
});
