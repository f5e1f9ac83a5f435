import { describe, expect, test } from 'vitest';
import { instrumentFailure, preIpoFailure, takesOrders } from './instrument-failure.ts';

const asset = { tradeable: true, status: 'APPROVED' };
const open = { asset, market: { status: 'open', route: 'internal' } } as const;

describe('whether orders for an instrument are taken', () => {
  test.each([
    ['an asset that is not tradeable', { ...open, asset: { ...asset, tradeable: false } }],
    ['one that is suspended', { ...open, asset: { ...asset, status: 'SUSPENDED' } }],
  ])('not of %s, on any route', (_, instrument) => {
    const failure = { reason: 'asset_not_tradeable', detail: 'asset_not_open' };
    expect(instrumentFailure(instrument, 'internal')).toEqual(failure);
    expect(instrumentFailure(instrument, 'broker')).toEqual(failure);
    expect(takesOrders(instrument)).toBe(false);
  });

  test('a route of books needs a market of its own that is open', () => {
    const halted = { asset, market: { status: 'halted', route: 'internal' } } as const;
    expect(instrumentFailure(open, 'internal')).toBeNull();
    expect(instrumentFailure(halted, 'internal')).toEqual({ reason: 'market_not_open', status: 'halted' });
    const routed = { asset, market: { status: 'open', route: 'broker' } } as const;
    const noMarket = { reason: 'asset_not_tradeable', detail: 'no_market' };
    expect(instrumentFailure({ asset, market: null }, 'internal')).toEqual(noMarket);
    expect(instrumentFailure({ asset, market: null }, 'broker')).toEqual(noMarket);
    expect(instrumentFailure(routed, 'broker')).toBeNull();
    expect(instrumentFailure(routed, 'prime')).toEqual(noMarket);
    expect(instrumentFailure(routed, 'internal')).toEqual(noMarket);
    expect(instrumentFailure(open, 'broker')).toEqual(noMarket);
    expect([open, halted, { asset, market: null }].map(takesOrders)).toEqual([true, false, true]);
  });

  test('what is meant as an indication of interest is one, and none is for sale', () => {
    expect(preIpoFailure({ preIpo: true }, 'internal', 'buy')).toEqual({ reason: 'not_pre_ipo' });
    expect(preIpoFailure({ preIpo: false }, 'internal', 'sell')).toBeNull();
    expect(preIpoFailure({ preIpo: true }, 'indication', 'buy')).toBeNull();
    expect(preIpoFailure({ preIpo: null }, 'indication', 'buy')).toBeNull();
    expect(preIpoFailure({ preIpo: false }, 'indication', 'buy')).toEqual({ reason: 'pre_ipo' });
    expect(preIpoFailure({ preIpo: false }, 'indication', 'sell')).toEqual({
      reason: 'asset_not_tradeable',
      detail: 'indications_only',
    });
  });
});
