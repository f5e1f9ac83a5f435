import { expect, it } from 'vitest';
import { capturedAtFailure } from './captured-at.ts';

const HOUR = 60 * 60_000;
const event = { date: 100 * HOUR, endDate: 108 * HOUR, createdAt: 50 * HOUR };

it('takes a frame from a day before the event was known or began, whichever was earlier', () => {
  expect(capturedAtFailure(26 * HOUR, event, 110 * HOUR)).toBeNull();
  expect(capturedAtFailure(26 * HOUR - 1, event, 110 * HOUR)).toBe('before_the_event');
  expect(capturedAtFailure(26 * HOUR, { ...event, date: 50 * HOUR, createdAt: 100 * HOUR }, 110 * HOUR)).toBeNull();
});

it('takes a frame of a clock that is a little ahead', () => {
  expect(capturedAtFailure(110 * HOUR + 300_000, event, 110 * HOUR)).toBeNull();
  expect(capturedAtFailure(110 * HOUR + 300_001, event, 110 * HOUR)).toBe('in_the_future');
});

it('E-05: takes a frame until a day after the event ended or was made, whichever was later', () => {
  expect(capturedAtFailure(132 * HOUR, event, 500 * HOUR)).toBeNull();
  expect(capturedAtFailure(132 * HOUR + 1, event, 500 * HOUR)).toBe('after_the_event');
  const madeLater = { ...event, createdAt: 200 * HOUR };
  expect(capturedAtFailure(224 * HOUR, madeLater, 500 * HOUR)).toBeNull();
  expect(capturedAtFailure(224 * HOUR + 1, madeLater, 500 * HOUR)).toBe('after_the_event');
});
