import { describe, expect, it } from 'vitest';
import type { Market } from '../../../domain/markets/market.ts';
import { NO_PRICES } from '../../../domain/markets/price-band.ts';
import type { OrderTerms } from '../../../domain/orders/order.ts';
import { err } from '../../../domain/result.ts';
import type { AmendCommand, PlaceCommand } from '../rpc/commands.ts';
import { admissionOf, admittedOrder, prepareAmendment, prepareOrder } from './admission.ts';
import type { LedgerOrder } from './ledger-order.ts';

const MARKET: Market = {
  symbol: 'ACME-USD',
  route: 'internal',
  baseAsset: 'acme',
  quoteAsset: 'usd',
  priceScale: 2,
  quantityScale: 0,
  quoteScale: 2,
  tickSize: 5,
  lotSize: 1,
  quantityMin: 1,
  quantityMax: 1_000_000,
  makerFeeBps: 10,
  takerFeeBps: 30,
  bandBps: 0,
  bandHaltSeconds: 0,
  referencePrice: null,
  status: 'open',
  tracksLots: false,
  rulesVersion: 1,
};

function command(terms: Partial<OrderTerms>): PlaceCommand {
  return {
    type: 'place',
    orderId: 'o-1',
    account: 'a-1',
    owner: 'org',
    keyId: null,
    clientOrderId: null,
    terms: {
      side: 'buy',
      type: 'limit',
      timeInForce: 'GTC',
      quantity: 10,
      price: 10_00,
      stopPrice: null,
      expiresAt: null,
      selfTradePrevention: 'cancel_newest',
      hidden: false,
      displayQuantity: null,
      ...terms,
    },
    attributes: 0,
    requires: 0,
    allowanceAsset: null,
    positionAsset: null,
    daily: null,
    factsVersion: 1,
    rulesVersion: 1,
  };
}

/** The engine's side of an order that rests. */
const LIVE = { requires: 0, displayQuantity: 0, stopPrice: 0, pendingTrigger: false, price: 10_00 };

const MARKET_BUY = { type: 'market', timeInForce: 'IOC', price: null } as const;

/** Engine limit, reserve asset and reserve of a prepared order, or why it was refused. */
function prepared(terms: Partial<OrderTerms>, market: Partial<Market> = {}, last: number | null = null): unknown {
  const result = prepareOrder(command(terms), { ...MARKET, ...market }, { last, reference: last }, 0);
  if (!result.ok) return result.error;
  const { reserveAsset, reserve } = admissionOf(result.value);
  const placed = admittedOrder(result.value, [], { restricted: false, requires: 0, family: null });
  return [placed.terms.price, reserveAsset, reserve];
}

describe('what an order reserves', () => {
  it('a limit buy reserves its notional and the highest fee, rounded up', () => {
    expect(prepared({})).toEqual([10_00, 'usd', 100_00 + 30]);
    expect(prepared({ quantity: 1, price: 10_05 })).toEqual([10_05, 'usd', 10_05 + 4]);
  });

  it('a sell reserves its quantity', () => {
    expect(prepared({ side: 'sell' })).toEqual([10_00, 'acme', 10]);
  });

  it('a market buy reserves at the reference price + 5 %, on the tick, never beyond', () => {
    expect(prepared(MARKET_BUY, {}, 10_00)).toEqual([10_50, 'usd', 105_00 + 32]);
    expect(prepared(MARKET_BUY, {}, 10_05)).toEqual([10_55, 'usd', 105_50 + 32]);
    expect(prepared(MARKET_BUY, { referencePrice: 20_00 })).toEqual([21_00, 'usd', 210_00 + 63]);
  });

  it('a market sell stops at the reference price − 5 %', () => {
    expect(prepared({ ...MARKET_BUY, side: 'sell' }, {}, 10_06)).toEqual([9_60, 'acme', 10]);
    expect(prepared({ ...MARKET_BUY, side: 'sell' }, {}, 10_05)).toEqual([9_55, 'acme', 10]);
  });

  it('T-05: a pair without any reference price refuses what states no limit, sells and stops too', () => {
    const stop = { type: 'stop_loss', price: null, stopPrice: 20_00 } as const;
    for (const side of ['buy', 'sell'] as const)
      for (const terms of [MARKET_BUY, stop])
        expect(prepared({ ...terms, side })).toEqual({ reason: 'no_reference_price' });
  });

  it('a stop-market buy reserves at its trigger price + 5 %', () => {
    expect(prepared({ type: 'stop_loss', price: null, stopPrice: 20_00 }, {}, 10_00)).toEqual([
      21_00,
      'usd',
      210_00 + 63,
    ]);
  });
});

describe('an amendment', () => {
  it('may not give an iceberg more slices than one taker may fill', () => {
    const order: LedgerOrder = {
      orderId: 'o-1',
      account: 'a-1',
      side: 'buy',
      quantity: 100,
      limit: 10_00,
      price: 10_00,
      makerFeeBps: 0,
      takerFeeBps: 0,
      filled: 0,
      filledNotional: 0,
      remaining: 100,
      feeNumerator: 0,
      fee: 0,
      reserve: 1_000_00,
      allowanceAsset: null,
      allowance: 0,
      positionAsset: null,
      position: 0,
      restricted: false,
      lots: [],
      status: 'open',
      code: null,
      updatedAt: 0,
    };
    const amended = (quantity: number): unknown => {
      const amendment: AmendCommand = {
        type: 'amend',
        amendmentId: 'am-1',
        orderId: 'o-1',
        account: 'a-1',
        quantity,
        price: null,
        stopPrice: null,
        checkedOver: null,
        unfilledOnly: false,
        limitedKey: null,
        factsVersion: 1,
        rulesVersion: 1,
      };
      const result = prepareAmendment(amendment, order, { ...LIVE, displayQuantity: 10 }, MARKET, NO_PRICES, 0);
      return result.ok ? result.value.admission.reserve : result.error;
    };
    expect(amended(10_000)).toBe(99_000_00);
    expect(amended(10_001)).toEqual({ reason: 'invalid_amendment', detail: 'too_many_slices' });
  });
});

describe('the terms of an amendment', () => {
  const order: LedgerOrder = {
    orderId: 'o-1',
    account: 'a-1',
    side: 'buy',
    quantity: 10,
    limit: 10_00,
    price: 10_00,
    makerFeeBps: 0,
    takerFeeBps: 0,
    filled: 4,
    filledNotional: 40_00,
    remaining: 6,
    feeNumerator: 0,
    fee: 0,
    reserve: 60_00,
    allowanceAsset: null,
    allowance: 0,
    positionAsset: null,
    position: 0,
    restricted: false,
    lots: [],
    status: 'partially_filled',
    code: null,
    updatedAt: 0,
  };
  const lots: Partial<Market> = { lotSize: 2, quantityMin: 6, quantityMax: 20 };

  it('count what has filled and what remains at the new limit, and what a sell then brings at the least', () => {
    const exposureOf = (side: 'buy' | 'sell', quantity: number, price: number): object => {
      const amendment: AmendCommand = {
        type: 'amend',
        amendmentId: 'm-1',
        orderId: order.orderId,
        account: order.account,
        quantity,
        price,
        stopPrice: null,
        checkedOver: null,
        unfilledOnly: false,
        limitedKey: 'key-1',
        factsVersion: 1,
        rulesVersion: 1,
      };
      const amended = { ...order, side, makerFeeBps: 10, takerFeeBps: 30 };
      const result = prepareAmendment(amendment, amended, LIVE, MARKET, NO_PRICES, 0);
      if (!result.ok) throw new Error('the amendment was refused');
      expect(result.value.admission.limitedKey).toBe('key-1');
      return result.value.admission.exposure;
    };
    expect(exposureOf('buy', 12, 11_00)).toEqual({ notional: 40_00 + 8 * 11_00, quantity: 0, proceeds: 0 });
    const value = 8 * 11_00;
    const proceeds = value - Math.ceil((value * 30) / 10_000);
    expect(exposureOf('sell', 12, 11_00)).toEqual({ notional: 40_00 + value, quantity: 8, proceeds });
  });

  function refusalOf(change: Partial<AmendCommand>): object | null {
    const amendment: AmendCommand = {
      type: 'amend',
      amendmentId: 'm-1',
      orderId: order.orderId,
      account: order.account,
      quantity: null,
      price: null,
      stopPrice: null,
      checkedOver: null,
      unfilledOnly: false,
      limitedKey: null,
      factsVersion: 1,
      rulesVersion: 1,
      ...change,
    };
    const market = { ...MARKET, ...lots };
    const result = prepareAmendment(amendment, order, LIVE, market, NO_PRICES, 0);
    return result.ok ? null : result.error;
  }

  it.each([
    ['to what has filled', { quantity: 4 }, 'quantity_not_above_filled'],
    ['above the largest quantity', { quantity: 22 }, 'above_maximum'],
    ['off the lot', { quantity: 13 }, 'not_on_lot'],
    ['off the tick', { price: 10_01 }, 'not_on_tick'],
  ] as const)('%s is refused', (_, change, detail) => {
    expect(refusalOf(change)).toEqual({ reason: 'invalid_amendment', detail });
  });

  it('within the rules of the market is taken, to their last unit', () => {
    expect(refusalOf({ quantity: 20, price: 10_05 })).toBeNull();
    expect(refusalOf({ quantity: 6 })).toBeNull();
  });

  const plain: AmendCommand = {
    type: 'amend',
    amendmentId: 'm-1',
    orderId: order.orderId,
    account: order.account,
    quantity: null,
    price: null,
    stopPrice: null,
    checkedOver: null,
    unfilledOnly: false,
    limitedKey: null,
    factsVersion: 1,
    rulesVersion: 1,
  };
  it('below the smallest quantity is refused', () => {
    const result = prepareAmendment(
      { ...plain, quantity: 6 },
      order,
      LIVE,
      { ...MARKET, quantityMin: 7 },
      NO_PRICES,
      0,
    );
    expect(result).toEqual(err({ reason: 'invalid_amendment', detail: 'below_minimum' }));
  });
  it('outside the price band is refused', () => {
    const result = prepareAmendment(
      { ...plain, price: 11_05 },
      order,
      LIVE,
      { ...MARKET, bandBps: 1_000 },
      { last: 10_00, reference: 10_00 },
      0,
    );
    expect(result).toEqual(err({ reason: 'outside_price_band', low: 9_00, high: 11_00 }));
  });
  it('of a stop that waits for its trigger change its price, its trigger and what it holds', () => {
    const stop: LedgerOrder = { ...order, filled: 0, filledNotional: 0, remaining: 10, status: 'pending_trigger' };
    const live = { ...LIVE, stopPrice: 11_00, pendingTrigger: true };
    const limited = prepareAmendment({ ...plain, price: 12_00, stopPrice: 11_50 }, stop, live, MARKET, NO_PRICES, 0);
    expect(limited).toMatchObject({
      value: { journaled: { amendment: { quantity: 10, price: 12_00, stopPrice: 11_50 } } },
    });
    const unlimited = { ...stop, price: null, limit: 11_55 };
    const moved = prepareAmendment({ ...plain, stopPrice: 12_00 }, unlimited, live, MARKET, NO_PRICES, 0);
    expect(moved).toMatchObject({ value: { journaled: { amendment: { price: 12_60, stopPrice: 12_00 } } } });
    expect(prepareAmendment({ ...plain, price: 9_00 }, unlimited, live, MARKET, NO_PRICES, 0)).toEqual(
      err({ reason: 'invalid_amendment', detail: 'no_price' }),
    );
    expect(prepareAmendment({ ...plain, stopPrice: 12_00 }, order, LIVE, MARKET, NO_PRICES, 0)).toEqual(
      err({ reason: 'invalid_amendment', detail: 'no_stop_price' }),
    );
  });
  it('X-19: of a stop without a limit that has triggered keeps it where it stands', () => {
    const stop: LedgerOrder = { ...order, filled: 0, filledNotional: 0, remaining: 10, price: null, limit: 11_55 };
    const live = { ...LIVE, stopPrice: 11_00, price: 11_20 };
    const less = prepareAmendment({ ...plain, quantity: 8 }, stop, live, MARKET, NO_PRICES, 0);
    expect(less).toMatchObject({ value: { journaled: { amendment: { quantity: 8, price: 11_20 } } } });
    expect(prepareAmendment({ ...plain, price: 9_00 }, stop, live, MARKET, NO_PRICES, 0)).toEqual(
      err({ reason: 'invalid_amendment', detail: 'no_price' }),
    );
  });
  it('that was checked over other terms than the order has is stale', () => {
    expect(refusalOf({ quantity: 12, checkedOver: { quantity: 10, price: 10_00 } })).toBeNull();
    expect(refusalOf({ quantity: 12, checkedOver: { quantity: 8, price: 10_00 } })).toEqual({ reason: 'stale' });
    expect(refusalOf({ quantity: 12, checkedOver: { quantity: 10, price: 9_00 } })).toEqual({ reason: 'stale' });
  });
});

describe('price bands and exact amounts', () => {
  it('refuses a limit outside the band around the reference price', () => {
    expect(prepared({ price: 11_05 }, { bandBps: 1_000 }, 10_00)).toEqual({
      reason: 'outside_price_band',
      low: 9_00,
      high: 11_00,
    });
    expect(prepared({ price: 11_00 }, { bandBps: 1_000 }, 10_00)).toMatchObject([11_00, 'usd', expect.any(Number)]);
  });

  it('cuts the collar of a market order', () => {
    expect(prepared(MARKET_BUY, { bandBps: 100 }, 10_00)).toMatchObject([10_10, 'usd', expect.any(Number)]);
    expect(prepared({ ...MARKET_BUY, side: 'sell' }, { bandBps: 100 }, 10_00)).toMatchObject([9_90, 'acme', 10]);
    expect(prepared(MARKET_BUY, { bandBps: 1_000 }, 10_00)).toMatchObject([10_50, 'usd', expect.any(Number)]);
  });

  it('refuses a notional that leaves the range in which amounts are exact', () => {
    expect(prepared({ quantity: 9e12, price: 9e5 })).toEqual({ reason: 'notional_too_large' });
  });
});
