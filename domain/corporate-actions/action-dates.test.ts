import { expect, test } from 'vitest';
import { actionMoments } from './action-dates.ts';

/** Noon in New York, in winter. */
const NOW = Date.parse('2026-11-23T12:00:00-05:00');

test('a record date ends with its day in New York, a payment date begins with it', () => {
  expect(actionMoments({ recordDate: '2026-11-30', dueDate: '2026-12-10' }, NOW)).toEqual({
    ok: true,
    value: { recordAt: Date.parse('2026-12-01T00:00:00-05:00') - 1, dueAt: Date.parse('2026-12-10T00:00:00-05:00') },
  });
  expect(actionMoments({ recordDate: null, dueDate: '2027-06-01' }, NOW)).toEqual({
    ok: true,
    value: { recordAt: null, dueAt: Date.parse('2027-06-01T00:00:00-04:00') },
  });
});

test('a payment on the record date follows its end', () => {
  const recordAt = Date.parse('2026-12-01T00:00:00-05:00') - 1;
  expect(actionMoments({ recordDate: '2026-11-30', dueDate: '2026-11-30' }, NOW)).toEqual({
    ok: true,
    value: { recordAt, dueAt: recordAt },
  });
});

test('a moment stands for itself, of today also in the past', () => {
  expect(actionMoments({ recordDate: '2026-11-23T16:00:00Z', dueDate: '2026-11-23T16:00:01Z' }, NOW)).toEqual({
    ok: true,
    value: { recordAt: Date.parse('2026-11-23T16:00:00Z'), dueAt: Date.parse('2026-11-23T16:00:01Z') },
  });
  expect(actionMoments({ recordDate: '2026-11-23T05:00:00Z', dueDate: '2026-11-23' }, NOW)).toMatchObject({ ok: true });
  expect(actionMoments({ recordDate: '2026-11-23T04:59:59Z', dueDate: '2026-11-23' }, NOW)).toEqual({
    ok: false,
    error: { reason: 'in_the_past', field: 'recordDate' },
  });
});

test.each([
  [
    { recordDate: '2026-11-22', dueDate: '2026-11-23' },
    { reason: 'in_the_past', field: 'recordDate' },
  ],
  [
    { recordDate: null, dueDate: '2026-11-22' },
    { reason: 'in_the_past', field: 'dueDate' },
  ],
  [{ recordDate: '2026-12-02', dueDate: '2026-12-01' }, { reason: 'paid_before_record' }],
  [
    { recordDate: null, dueDate: '2028-11-26' },
    { reason: 'too_far_ahead', field: 'dueDate' },
  ],
])('dates %o are refused', (dates, error) => {
  expect(actionMoments(dates, NOW)).toEqual({ ok: false, error });
});
