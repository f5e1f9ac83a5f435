import { expect, test } from 'vitest';
import { leftAfter, payableMax, readAmount } from './pay-rules.ts';

const USD = { decimals: '2', available: '100.1234' };

test('an amount is read by the marks of its reader, and is more than nothing', () => {
  expect(readAmount('1,000.5', { ...USD, available: '5000' }, 'withdrawal', 'en-US').amount).toBe('1000.5');
  expect(readAmount('12,50', USD, 'withdrawal', 'de-DE').amount).toBe('12.50');
  for (const text of ['0', '-1', 'ten', '25,36'])
    expect(readAmount(text, USD, 'deposit', 'en-US')).toEqual({ amount: null, flaw: 'not_positive' });
  expect(readAmount(' ', USD, 'deposit', 'en-US')).toEqual({ amount: null, flaw: null });
});

test('an amount has no more decimals than are paid', () => {
  expect(readAmount('1.005', USD, 'deposit', 'en-US').flaw).toBe('too_many_decimals');
  expect(readAmount('1.500', USD, 'deposit', 'en-US').flaw).toBeNull();
});

test('no more than is available is paid out; anything may be paid in', () => {
  expect(readAmount('100.12', USD, 'withdrawal', 'en-US').flaw).toBeNull();
  expect(readAmount('100.13', USD, 'withdrawal', 'en-US').flaw).toBe('too_much');
  expect(readAmount('5000', USD, 'deposit', 'en-US').flaw).toBeNull();
});

test('all that can be paid out leaves what is less than a cent', () => {
  expect([payableMax(USD), payableMax({ decimals: '0', available: '7.9' })]).toEqual(['100.12', '7']);
  expect(leftAfter(USD, '100.12')).toBe('0.0034');
});
