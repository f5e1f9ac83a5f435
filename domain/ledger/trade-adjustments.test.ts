import { describe, expect, it } from 'vitest';
import { ALICE, BOB, BOOK, idAt, LedgerBench, lot, move, orderState, SHARES, START, USD } from './ledger.fixtures.ts';
import { RecentTradedLots } from './traded-lots.ts';
import type { TradeAdjustment } from './transactions.ts';

const FEE = 2;

/** Alice has bought 4 of Bob's shares for 40, of two of his lots. */
function traded(terms: { keyId?: string; lossMax?: number } = {}) {
  const bench = new LedgerBench();
  bench.transfer('deposit', { amount: 100 });
  const [first, second] = [idAt(1, 1), idAt(1, 2)];
  bench.depositLots(
    BOB,
    lot({ id: first, account: BOB, quantity: 3, cost: 60, acquiredAt: 5 }),
    lot({
      id: second,
      account: BOB,
      quantity: 5,
      cost: 50,
      acquiredAt: 6,
      restrictionEndsAt: START * 2,
      offeringType: 'reg_cf',
    }),
  );
  const { keyId = null, lossMax = null } = terms;
  const daily = lossMax === null ? null : { notionalMax: null, lossMax, notional: 40, quantity: 4, proceeds: 38 };
  const sell = bench.admit({ account: BOB, side: 'sell', reserveAsset: SHARES, reserve: 4, quantity: 4, keyId, daily });
  const buy = bench.admit({ reserve: 42 });
  const id = bench.id();
  const trade = {
    id,
    sequence: 1,
    price: 10,
    quantity: 4,
    notional: 40,
    takerSide: 'buy',
    buyOrder: buy,
    sellOrder: sell,
    buyer: ALICE,
    seller: BOB,
    buyerFee: FEE,
    sellerFee: FEE,
    executedAt: bench.time,
  } as const;
  bench.settle({
    trades: [trade],
    orders: [orderState({ id: buy, status: 'filled' }), orderState({ id: sell, status: 'filled', filledNotional: 40 })],
    balances: [
      move(ALICE, USD, 0),
      { ...move(ALICE, SHARES, 4), bought: 42 },
      { ...move(BOB, SHARES, 0), sold: 4 },
      move(BOB, USD, 38),
      move('boundary:fees', USD, 4),
    ],
    lots: [
      lot({ id: `${id}.0`, quantity: 3, cost: 31, acquiredAt: bench.time }),
      lot({
        id: `${id}.1`,
        quantity: 1,
        cost: 11,
        acquiredAt: bench.time,
        restrictionEndsAt: START * 2,
        offeringType: 'reg_cf',
      }),
    ],
    lotMoves: [
      { reservationId: sell, lotId: first, consumed: 3, released: 0 },
      { reservationId: sell, lotId: second, consumed: 1, released: 0 },
    ],
  });
  const adjustment = (to: TradeAdjustment['to'] = null): TradeAdjustment => ({
    kind: 'adjust_trade',
    id: bench.id(),
    book: BOOK,
    baseAsset: SHARES,
    quoteAsset: USD,
    tracksLots: true,
    trade,
    to,
    sellKey: keyId,
    reason: 'an error',
    createdAt: bench.time,
    event: null,
  });
  return { bench, trade, adjustment };
}

const at = (price: number) => ({ price, quantity: 4, notional: 4 * price, buyerFee: FEE, sellerFee: FEE });

describe('a trade that is taken back', () => {
  it('leaves every balance as it was, and the seller lots of the same age, restriction and cost', () => {
    const { bench, adjustment } = traded();
    const bust = adjustment();
    bench.restart();
    expect(bench.apply(bust)).toMatchObject({ type: 'done' });
    expect(bench.ledger.balance(ALICE, USD)).toMatchObject({ available: 100, held: 0 });
    expect(bench.ledger.balance(ALICE, SHARES)).toEqual({ available: 0, held: 0, cost: 0 });
    expect(bench.ledger.balance(BOB, USD)).toMatchObject({ available: 0 });
    expect(bench.ledger.balance('boundary:fees', USD)).toMatchObject({ available: 0 });
    expect(bench.ledger.lot(`${bust.id}.0`)).toMatchObject({
      account: BOB,
      quantity: 3,
      cost: 60,
      acquiredAt: 5,
      restrictionEndsAt: null,
    });
    expect(bench.ledger.lot(`${bust.id}.1`)).toMatchObject({
      quantity: 1,
      cost: 10,
      acquiredAt: 6,
      restrictionEndsAt: START * 2,
      offeringType: 'reg_cf',
    });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('is taken back once, whoever asks, also after a restart', () => {
    const { bench, adjustment } = traded();
    expect(bench.apply(adjustment())).toMatchObject({ type: 'done' });
    const after = bench.ledger.stateHash();
    expect(bench.apply(adjustment())).toEqual({ type: 'already_adjusted' });
    bench.restart();
    expect(bench.apply(adjustment(at(9)))).toEqual({ type: 'already_adjusted' });
    expect(bench.ledger.stateHash()).toBe(after);
  });

  it('stays where a side no longer has what must go back, and says which', () => {
    const { bench, adjustment } = traded();
    bench.transfer('withdrawal', { account: BOB, amount: 8 });
    bench.transfer('withdrawal', { account: ALICE, asset: SHARES, amount: 1 });
    const before = bench.ledger.stateHash();
    expect(bench.apply(adjustment())).toEqual({
      type: 'not_returnable',
      missing: [
        { side: 'seller', account: BOB, asset: USD, required: 38, available: 30 },
        { side: 'buyer', account: ALICE, asset: SHARES, required: 4, available: 3 },
      ],
    });
    expect(bench.ledger.stateHash()).toBe(before);
  });

  it('takes the very shares that the buyer got, and none that lie in an order', () => {
    const { bench, adjustment } = traded();
    bench.depositLots(ALICE, lot({ id: idAt(1, 3), quantity: 9, acquiredAt: bench.time + 1 }));
    bench.admit({ side: 'sell', reserveAsset: SHARES, reserve: 1, quantity: 1 });
    expect(bench.apply(adjustment())).toMatchObject({ missing: [{ side: 'buyer', required: 4, available: 3 }] });
  });

  it('gives the key of the seller back what the sale of that day had lost', () => {
    const { bench, adjustment } = traded({ keyId: 'key', lossMax: 100 });
    expect(bench.ledger.keyUse('key', bench.time).loss).toBe(32);
    bench.apply(adjustment());
    expect(bench.ledger.keyUse('key', bench.time).loss).toBe(0);
  });
});

describe('a trade that is corrected', () => {
  it('settles the difference, and no shares', () => {
    const { bench, trade, adjustment } = traded({ keyId: 'key', lossMax: 100 });
    expect(bench.apply(adjustment(at(5)))).toMatchObject({ type: 'done' });
    expect(bench.ledger.balance(ALICE, USD)).toMatchObject({ available: 78 });
    expect(bench.ledger.balance(BOB, USD)).toMatchObject({ available: 18 });
    expect(bench.ledger.balance(ALICE, SHARES)).toEqual({ available: 4, held: 0, cost: 22 });
    expect(bench.ledger.lot(`${trade.id}.0`)?.cost).toBe(11);
    expect(bench.ledger.keyUse('key', bench.time).loss).toBe(52);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('upwards needs the buyer to have the difference', () => {
    const { bench, adjustment } = traded();
    expect(bench.apply(adjustment(at(25)))).toEqual({
      type: 'not_returnable',
      missing: [{ side: 'buyer', account: ALICE, asset: USD, required: 60, available: 58 }],
    });
  });
});

it('of trades, exactly the latest so many are known by their lots', () => {
  const recent = new RecentTradedLots(3);
  for (const id of ['a', 'b', 'c', 'd', 'e']) recent.add(id, { given: [], received: [] });
  const again = new RecentTradedLots(3);
  again.finish(recent.rest());
  again.add('f', { given: [], received: [] });
  expect(['a', 'b', 'c', 'd', 'e', 'f'].filter((id) => again.find(id) !== null)).toEqual(['d', 'e', 'f']);
  expect(again.rest().map(([id]) => id)).toEqual(['d', 'e', 'f']);
});
