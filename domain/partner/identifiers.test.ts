import { describe, expect, test } from 'vitest';
import { contradicts, isCusip, isIsin } from './identifiers.ts';

describe('a CUSIP', () => {
  test.each(['037833100', '38259P508', '594918104', '17275R102'])('%s is one', (text) => {
    expect(isCusip(text)).toBe(true);
  });

  test.each(['037833101', '38259P509', '03783310', '0378331000', '38259p508'])('%s is none', (text) => {
    expect(isCusip(text)).toBe(false);
  });
});

describe('an ISIN', () => {
  test.each(['US0378331005', 'US5949181045', 'GB0002634946', 'AU0000XVGZA3'])('%s is one', (text) => {
    expect(isIsin(text)).toBe(true);
  });

  test.each(['US0378331006', 'US037833100', 'us0378331005', '120378331005'])('%s is none', (text) => {
    expect(isIsin(text)).toBe(false);
  });
});

describe('a CUSIP beside an ISIN', () => {
  test.each([
    ['US0378331005', '037833100', false],
    ['US5949181045', '037833100', true],
    ['CA0679011084', '067901108', false],
    ['CA0679011084', '037833100', true],
    // The ISIN of a depositary receipt's issuer abroad contains a number of that country.
    ['GB0002634946', '037833100', false],
  ])('%s names another security than %s: %s', (isin, cusip, expected) => {
    expect(contradicts(isin, cusip)).toBe(expected);
  });
});
