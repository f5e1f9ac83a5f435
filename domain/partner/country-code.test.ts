import { expect, test } from 'vitest';
import { isCountryCode } from './country-code.ts';

test.each(['US', 'GB', 'DE', 'BQ', 'SS', 'ZW', 'AD', 'XK'])('a country has the code %s', (text) => {
  expect(isCountryCode(text)).toBe(true);
});

test.each(['UK', 'XX', 'ZZ', 'EU', 'AA', 'SU', 'us', 'USA', 'U', '', ' US', 'US '])(
  'no country has the code %j',
  (text) => {
    expect(isCountryCode(text)).toBe(false);
  },
);

test('as many are assigned as ISO 3166-1 has', () => {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountryCode);
  expect(codes).toHaveLength(249 + 1);
});
