import { expect, it } from 'vitest';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { retentionMsOf } from './retention.ts';

it.each([1, 7, 30, 400])('C-09: the retention period is that of the deployment: %i days', (days) => {
  expect(retentionMsOf({ EVENT_RETENTION_DAYS: `${days}` })).toBe(days * DAY_MS);
});

it.each(['0', '0.5'])('C-09: a retention period of %s days is a day', (days) => {
  expect(retentionMsOf({ EVENT_RETENTION_DAYS: days })).toBe(DAY_MS);
});

it.each(['', ' ', '-1', 'a month', 'NaN', 'Infinity'])('C-09: a retention period of %j is none', (days) => {
  expect(() => retentionMsOf({ EVENT_RETENTION_DAYS: days })).toThrow('EVENT_RETENTION_DAYS is no number of days');
});
