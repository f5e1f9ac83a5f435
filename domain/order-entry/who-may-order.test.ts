import { describe, expect, test } from 'vitest';
import type { AccountFacts } from '../identity/principal.ts';
import { accreditationFailure } from './accreditation-failure.ts';
import { keyLimitsFailure } from './key-limits-failure.ts';
import { traderOf } from './trader-of.ts';

const facts: AccountFacts = {
  accountId: 'ada',
  factsVersion: 1,
  kycStatus: 'completed',
  accreditationStatus: 'none',
  accreditationType: null,
  usPerson: true,
  annualIncome: 0,
  netWorth: 0,
  frozen: false,
};

const NOW = 1_767_225_600_000;

describe('who may place and amend orders', () => {
  test.each([
    ['nobody without an account', null, { reason: 'no_account' }],
    [
      'nobody before identity verification',
      { ...facts, kycStatus: 'pending' },
      { reason: 'kyc_incomplete', kycStatus: 'pending' },
    ],
    ['nobody whose account is frozen', { ...facts, frozen: true }, { reason: 'account_frozen' }],
  ] as const)('%s', (_, of, error) => {
    expect(traderOf(of, NOW)).toEqual({ ok: false, error });
  });

  test('anybody else', () => {
    expect(traderOf(facts, NOW)).toEqual({ ok: true, value: facts });
  });
});

describe('an identity that ends', () => {
  const ending = { ...facts, identityEndsAt: NOW };

  test('counts to the last millisecond, and from its end on nobody trades by it', () => {
    expect(traderOf(ending, NOW - 1)).toEqual({ ok: true, value: ending });
    for (const now of [NOW, NOW + 1])
      expect(traderOf(ending, now)).toEqual({ ok: false, error: { reason: 'kyc_incomplete', kycStatus: 'pending' } });
  });

  test('makes no refusal milder', () => {
    const error = { reason: 'kyc_incomplete', kycStatus: 'rejected' };
    expect(traderOf({ ...ending, kycStatus: 'rejected' }, NOW)).toEqual({ ok: false, error });
  });
});

describe('accreditation of the buyer', () => {
  const asset = { accreditationType: '506c', category: 'privates' } as const;
  const accredited = { ...facts, accreditationStatus: 'completed', accreditationType: '506c' } as const;

  test('a buyer must be what the asset asks for', () => {
    expect(accreditationFailure('buy', asset, facts)).toEqual({
      reason: 'accreditation_required',
      accreditationType: '506c',
    });
    expect(accreditationFailure('buy', asset, accredited)).toBeNull();
  });

  test('is judged by the clock: a verification that has ended lets nobody buy', () => {
    const ending = { ...accredited, accreditationEnd: { endsAt: NOW, leaves: 'expired' as const } };
    const failureAt = (now: number) => {
      const trader = traderOf(ending, now);
      return trader.ok ? accreditationFailure('buy', asset, trader.value)?.reason : trader.error.reason;
    };
    expect([failureAt(NOW - 1), failureAt(NOW)]).toEqual([undefined, 'accreditation_required']);
  });

  test('a seller need not be', () => {
    expect(accreditationFailure('sell', asset, facts)).toBeNull();
  });
});

describe('limits of an API key on each order', () => {
  const instrument = { asset: { id: 'acme', symbol: 'ACME', scale: 2 }, market: { symbol: 'ACME-USD' } };
  const key = { symbols: ['ACME-USD'], orderSizeLimits: { acme: 500 } };

  test('only markets of its list, which names an asset without a market by its symbol', () => {
    const other = { ...instrument, market: { symbol: 'ACME-EUR' } };
    expect(keyLimitsFailure(key, other, 1)).toEqual({ reason: 'symbol_not_allowed', symbol: 'ACME-EUR' });
    expect(keyLimitsFailure(key, { ...instrument, market: null }, 1)).toEqual({
      reason: 'symbol_not_allowed',
      symbol: 'ACME',
    });
    expect(keyLimitsFailure({ ...key, symbols: null }, other, 1)).toBeNull();
  });

  test('no order above its largest, told in JSON numbers', () => {
    expect(keyLimitsFailure(key, instrument, 500)).toBeNull();
    expect(keyLimitsFailure(key, instrument, 501)).toEqual({
      reason: 'order_size_exceeded',
      quantity: 5.01,
      quantityMax: 5,
    });
    expect(keyLimitsFailure({ ...key, orderSizeLimits: null }, instrument, 501)).toBeNull();
  });
});
