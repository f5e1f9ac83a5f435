import { expect, it } from 'vitest';
import { RestrictionsBody, SecurityEditBody } from './security-schema.ts';

it('takes no valuation of a day that nobody means', () => {
  const isTaken = (last_valuation_date: string) => SecurityEditBody.safeParse({ last_valuation_date }).success;
  expect(['0001-01-01', '1899-12-30', '1900-12-31', '1901-01-01', '2026-01-20'].map(isTaken)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
});

it('takes no characters into restrictions that are no text', () => {
  const isTaken = (transfer_restrictions: string) => RestrictionsBody.safeParse({ transfer_restrictions }).success;
  expect(['\u0000', 'a\u202eb', '\ud800', 'Board consent.\nBy mail.'].map(isTaken)).toEqual([
    false,
    false,
    false,
    true,
  ]);
});
