import { expect, test } from 'vitest';
import { fundsOf, LEAST_PARTS } from './funds-of.ts';

const QUOTED = '1000';
const unnamed = (amount: string) => ({ amount });
const named = (amount: string) => ({ amount, payer: 'somebody' });

test('a speck that nobody is known to have paid settles nothing while the payer may still pay', () => {
  const least = String(1_000n / LEAST_PARTS);
  const speck = unnamed(String(BigInt(least) - 1n));
  expect(fundsOf([speck], QUOTED, false)).toBeUndefined();
  expect(fundsOf([speck, unnamed(least)], QUOTED, false)).toEqual(unnamed(least));
  expect(fundsOf([speck, unnamed('999'), unnamed(QUOTED)], QUOTED, false)).toEqual(unnamed(QUOTED));
  expect(fundsOf([unnamed('0')], QUOTED, false)).toBeUndefined();
});

test('what the payer alone has paid counts, however little it is', () => {
  expect(fundsOf([named('1')], QUOTED, false)).toEqual(named('1'));
});

test('a speck goes back once the quote has ended long ago, behind whatever counts', () => {
  expect(fundsOf([unnamed('1')], QUOTED, true)).toEqual(unnamed('1'));
  expect(fundsOf([unnamed('1'), unnamed('500')], QUOTED, true)).toEqual(unnamed('500'));
  expect(fundsOf([], QUOTED, true)).toBeUndefined();
});
