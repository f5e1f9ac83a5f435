import { expect, test } from 'vitest';
import { phoneNumberOf, spellingsOf } from './phone-number.ts';

test.each([
  ['+49 171 1234567', '+491711234567'],
  ['+49 (0)171 1234567', '+491711234567'],
  ['+49 ( 0 ) 171 / 123-45.67', '+491711234567'],
  ['+4901711234567', '+491711234567'],
  ['0049 171 1234567', '+491711234567'],
  ['＋４９（０）１７１　１２３４５６７', '+491711234567'],
  ['+49\u2011171\u20131234567', '+491711234567'],
  ['\u202a+49 171 1234567\u202c', '+491711234567'],
  ['+44 (0)20 7946 0958', '+442079460958'],
  ['+353 (0)86 123 4567', '+353861234567'],
  ['+1 (555) 010-0002', '+15550100002'],
  ['+52 1 55 1234 5678', '+525512345678'],
  ['+54 9 11 1234 5678', '+5491112345678'],
  ['+39 06 698 12345', '+390669812345'],
  ['+39 (0)6 698 12345', '+390669812345'],
  ['+225 07 01 02 03 04', '+2250701020304'],
  ['+242 06 123 4567', '+242061234567'],
  ['+378 0549 123456', '+3780549123456'],
])('%s is kept as %s', (written, kept) => {
  expect(phoneNumberOf(written)).toBe(kept);
  expect(phoneNumberOf(kept), 'and stays so').toBe(kept);
});

test.each([
  '',
  '0171 1234567',
  '491711234567',
  '+49',
  '+0 171 1234567',
  '+49 171 call me',
  '+49 171 1234567 ext 3',
  '+12345678901234567',
])('%j is no international number', (written) => {
  expect(phoneNumberOf(written)).toBeNull();
});

test('every way in which a number was kept before leads to the one of today', () => {
  for (const number of ['+491711234567', '+390669812345', '+525512345678', '+15550100002'])
    for (const spelling of spellingsOf(number)) expect(phoneNumberOf(spelling)).toBe(number);
  expect(spellingsOf('+491711234567')).toEqual(['+491711234567', '+4901711234567']);
  expect(spellingsOf('+390669812345')).toEqual(['+390669812345']);
  expect(spellingsOf('+525512345678')).toEqual(['+525512345678', '+5205512345678', '+5215512345678']);
});
