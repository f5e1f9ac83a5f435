import { expect, test } from 'vitest';
import { lockupEndsAt } from './lockup.ts';

test('a lock-up ends as its expiry date begins in New York, winter and summer', () => {
  expect(lockupEndsAt('2027-01-15')).toBe(Date.parse('2027-01-15T05:00:00Z'));
  expect(lockupEndsAt('2027-07-15')).toBe(Date.parse('2027-07-15T04:00:00Z'));
});

test('no expiry date is no lock-up', () => {
  expect(lockupEndsAt(null)).toBeNull();
});
