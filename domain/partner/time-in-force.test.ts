import { expect, test } from 'vitest';
import { termsOfTimeInForce, timeInForceOf } from './time-in-force.ts';

test.each([
  ['in summer', '2026-07-01T14:00:00Z', '2026-07-02T04:00:00Z'],
  ['in winter', '2026-01-15T14:00:00Z', '2026-01-16T05:00:00Z'],
  ['when UTC has its next day already', '2026-07-02T03:59:59.999Z', '2026-07-02T04:00:00Z'],
  ['from the first moment of a day', '2026-07-02T04:00:00Z', '2026-07-03T04:00:00Z'],
  ['on a day of 25 hours', '2026-11-01T12:00:00Z', '2026-11-02T05:00:00Z'],
])('a day order ends with its day in New York, %s', (_, placedAt, ends) => {
  expect(termsOfTimeInForce('day', Date.parse(placedAt))).toEqual({ timeInForce: 'GTD', expiresAt: Date.parse(ends) });
});

test('the others end by themselves or not at all', () => {
  expect(termsOfTimeInForce('gtc', 0)).toEqual({ timeInForce: 'GTC', expiresAt: null });
  expect(termsOfTimeInForce('ioc', 0)).toEqual({ timeInForce: 'IOC', expiresAt: null });
  expect(termsOfTimeInForce('fok', 0)).toEqual({ timeInForce: 'FOK', expiresAt: null });
});

test('a limit order is good for the day where nothing is said, a market order for the moment', () => {
  expect([timeInForceOf(undefined, 'limit'), timeInForceOf(undefined, 'market')]).toEqual(['day', 'ioc']);
  expect(timeInForceOf('gtc', 'limit')).toBe('gtc');
});
