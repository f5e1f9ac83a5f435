import { expect, test } from 'vitest';
import { DAY_MS } from '../calendar/durations.ts';
import { type Attempt, afterAttempt, errorOfStatus, leftAloneUntil } from './attempt.ts';

const NOW = 1_800_000_000_000;
const answered = (status: number): Attempt => ({ status, error: errorOfStatus(status), response: '' });
const first = { tries: 1, firstTriedAt: NOW };

test.each([200, 201, 202, 204, 299])('%i is a success', (status) => {
  expect(afterAttempt(answered(status), first, NOW, 0.5)).toEqual({ type: 'delivered' });
});

test.each([100, 301, 302, 307, 308, 304, 400, 401, 404, 429, 500, 503, 599])('%i is tried again', (status) => {
  expect(afterAttempt(answered(status), first, NOW, 0.5)).toEqual({ type: 'retry', at: NOW + 5_000 });
});

test('a redirect is a failure of its own kind', () => {
  expect([301, 302, 303, 307, 308].map(errorOfStatus)).toEqual(new Array(5).fill('redirect'));
});

test('no answer is tried again', () => {
  const none: Attempt = { status: null, error: 'timeout', response: null };
  expect(afterAttempt(none, first, NOW, 0.5)).toEqual({ type: 'retry', at: NOW + 5_000 });
});

test('410 ends the endpoint at once', () => {
  expect(afterAttempt(answered(410), first, NOW, 0.5)).toEqual({ type: 'disable', reason: 'gone' });
});

test('three days of failures end the endpoint', () => {
  const failed = { tries: 20, firstTriedAt: NOW - 3 * DAY_MS };
  expect(afterAttempt(answered(500), failed, NOW, 0.5)).toEqual({ type: 'disable', reason: 'failing' });
});

test.each([
  [429, NOW],
  [503, NOW],
  [400, null],
  [413, null],
  [500, null],
])('R-08: %i with Retry-After speaks of the receiver, or of its message alone', (status, until) => {
  expect(leftAloneUntil({ ...answered(status), retryAt: NOW })).toBe(until);
  expect(leftAloneUntil(answered(status))).toBeNull();
});
