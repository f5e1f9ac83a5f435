import { describe, expect, test } from 'vitest';
import { bandError, indicationMarketError, routedMarketError } from './routed-market-error.ts';

describe('a market of indications', () => {
  const of = (
    asset: Partial<Parameters<typeof indicationMarketError>[0]> = {},
    bandBps = 0,
    elsewhere: string | null = null,
  ) =>
    indicationMarketError(
      { executionRoute: 'indication', category: 'pre-ipo', quoteSymbol: 'USD', ...asset },
      { bandBps },
      elsewhere,
    );

  test('is of a pre-IPO asset that goes that way, in dollars, alone and without a band', () => {
    expect(of()).toBeNull();
  });

  test.each([
    ['of an asset that goes another way', of({ executionRoute: 'internal' }), { reason: 'asset_not_routed' }],
    ['of an asset without a route', of({ executionRoute: null }), { reason: 'asset_not_routed' }],
    ['of another category', of({ category: 'privates' }), { reason: 'asset_not_pre_ipo' }],
    ['that quotes in something else', of({ quoteSymbol: 'EUR' }), { reason: 'quote_not_cash' }],
    ['beside another one', of({}, 0, 'NOVA.IOI-USD'), { reason: 'asset_routed_elsewhere', symbol: 'NOVA.IOI-USD' }],
    ['with a band', of({}, 1), { reason: 'band_without_trading' }],
  ])('is none %s', (_, error, expected) => {
    expect(error).toEqual(expected);
  });
});

test('a band is refused to a market of indications, and to no other', () => {
  expect(bandError('indication', 1)).toEqual({ reason: 'band_without_trading' });
  expect(bandError('indication', 0)).toBeNull();
  for (const route of ['internal', 'broker', 'prime'] as const) expect(bandError(route, 500)).toBeNull();
});

describe('a market at a broker', () => {
  const TERMS = {
    route: 'broker',
    category: 'stocks',
    quoteSymbol: 'USD',
    priceScale: 4,
    quantityScale: 2,
    quoteScale: 4,
    tickSize: 100,
    lotSize: 100,
  } as const;
  const of = (
    terms: Partial<Parameters<typeof routedMarketError>[0]> = {},
    route: Parameters<typeof routedMarketError>[1] = 'broker',
    elsewhere: string | null = null,
  ) => routedMarketError({ ...TERMS, ...terms }, route, elsewhere);

  test('has its units: a cent in four decimals, whole shares', () => {
    expect(of()).toBeNull();
  });

  test.each([
    ['of an asset that goes another way', of({}, 'internal'), { reason: 'asset_not_routed' }],
    ['beside another one', of({}, 'broker', 'ACME-USD'), { reason: 'asset_routed_elsewhere', symbol: 'ACME-USD' }],
    ['that quotes in something else', of({ quoteSymbol: 'EUR' }), { reason: 'quote_not_cash' }],
    ['of other decimals', of({ priceScale: 2 }), { reason: 'not_as_broker', field: 'priceScale', required: 4 }],
    ['of another tick', of({ tickSize: 1 }), { reason: 'not_as_broker', field: 'tickSize', required: 0.01 }],
    ['of parts of shares', of({ lotSize: 1 }), { reason: 'not_as_broker', field: 'lotSize', required: 1 }],
    ['whose money has too few decimals', of({ quoteScale: 3 }), { reason: 'quote_scale_too_small', required: 4 }],
  ])('is none %s', (_, error, expected) => {
    expect(error).toEqual(expected);
  });

  test('X-18: of a currency has a tick of a hundredth of a cent', () => {
    expect(of({ category: 'forex', tickSize: 1 })).toBeNull();
    expect(of({ category: 'forex' })).toEqual({ reason: 'not_as_broker', field: 'tickSize', required: 0.0001 });
  });

  test('at the prime broker takes any units, but dollars alone', () => {
    const units = { route: 'prime', priceScale: 2, tickSize: 1, lotSize: 1, quoteScale: 2 } as const;
    expect(of(units, 'prime')).toBeNull();
    expect(of({ ...units, quoteSymbol: 'EUR' }, 'prime')).toEqual({ reason: 'quote_not_cash' });
  });
});
