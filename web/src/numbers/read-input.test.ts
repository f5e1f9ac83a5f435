import { describe, expect, test } from 'vitest';
import { readInput, showInput } from './read-input.ts';
import { showNumber } from './show-number.ts';

describe('what a person types', () => {
  test.each([
    ['1,234.5', 'en-US', '1234.5'],
    ['1.234,5', 'de-DE', '1234.5'],
    ['25,36', 'de-DE', '25.36'],
    ['25.', 'en-US', '25'],
    ['.5', 'en-US', '0.5'],
    [' 1 000 ', 'en-US', '1000'],
  ])('%s in %s is %s', (typed, locale, read) => {
    expect(readInput(typed, locale)).toBe(read);
  });

  test.each([
    ['25,36', 'en-US'],
    ['1.5', 'de-DE'],
    ['-5', 'en-US'],
    ['1e5', 'en-US'],
    ['', 'en-US'],
    ['12a', 'de-DE'],
    ['1,2,3', 'en-US'],
  ])('%s in %s is no number: a slip of the mark is no other amount', (typed, locale) => {
    expect(readInput(typed, locale)).toBeNull();
  });

  test('is read as it was shown', () => {
    for (const locale of ['en-US', 'de-DE']) expect(readInput(showInput('1234.5', locale), locale)).toBe('1234.5');
  });
});

test('numbers are shown by the locale, with every digit and a true minus', () => {
  expect(showNumber('1234567.891', 'en-US', { decimals: 2 })).toBe('1,234,567.89');
  expect(showNumber('1234567.891', 'de-DE', { decimals: 2 })).toBe('1.234.567,89');
  expect(showNumber('9007199254740993.25', 'en-US', { decimals: 2 })).toBe('9,007,199,254,740,993.25');
  expect(showNumber('-312.44', 'en-US', { decimals: 2, signed: true })).toBe('\u2212312.44');
  expect(showNumber('5', 'en-US', { decimals: 2, signed: true })).toBe('+5.00');
});
