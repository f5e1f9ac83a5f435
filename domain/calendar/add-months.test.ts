import { expect, test } from 'vitest';
import { addMonths } from './add-months.ts';

const at = (text: string) => Date.parse(text);

test('twelve months later is the same day and time of the next year', () => {
  expect(addMonths(at('2025-03-14T09:30:00.250Z'), 12)).toBe(at('2026-03-14T09:30:00.250Z'));
});

test('29 February becomes 28 February in a year without one', () => {
  expect(addMonths(at('2024-02-29T00:00:00Z'), 12)).toBe(at('2025-02-28T00:00:00Z'));
});

test('months are taken back across a year', () => {
  expect(addMonths(at('2025-01-31T12:00:00Z'), -2)).toBe(at('2024-11-30T12:00:00Z'));
});
