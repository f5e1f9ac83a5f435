import { expect, it } from 'vitest';
import { capturedAtFailure } from './captured-at.ts';

const HOUR = 60 * 60_000;
const event = { date: 100 * HOUR, createdAt: 50 * HOUR };

it('takes a frame from a day before the event was known or began, whichever was earlier', () => {
  expect(capturedAtFailure(26 * HOUR, event, 110 * HOUR)).toBeNull();
  expect(capturedAtFailure(26 * HOUR - 1, event, 110 * HOUR)).toBe('before_the_event');
  expect(capturedAtFailure(26 * HOUR, { date: 50 * HOUR, createdAt: 100 * HOUR }, 110 * HOUR)).toBeNull();
});

it('takes a frame of a clock that is a little ahead', () => {
  expect(capturedAtFailure(110 * HOUR + 300_000, event, 110 * HOUR)).toBeNull();
  expect(capturedAtFailure(110 * HOUR + 300_001, event, 110 * HOUR)).toBe('in_the_future');
});
