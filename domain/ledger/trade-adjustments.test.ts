import { describe, expect, it } from 'vitest';
import {
  ALICE,
  BOB,
  BOOK,
  chunk,
  idAt,
  LedgerBench,
  lot,
  lotMove,
  move,
  order,
  orderState,
  SHARES,
  START,
  USD,
} from './ledger.fixtures.ts';
import type { LedgerLimits } from './ledger-limits.ts';
import type { ReceivedLot, Trade } from './records.ts';
import type { TradeAdjustment } from './transactions.ts';

const FEE = 2;

/** Alice has bought 4 of Bob's shares for 40, of two of his lots. */
function traded(terms: { keyId?: string; lossMax?: number; limits?: Partial<LedgerLimits> } = {}) {
  const bench = new LedgerBench(terms.limits);
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
  it('stays where nobody knows any more which lots it moved', () => {
    const { bench, trade, adjustment } = traded();
    const before = bench.ledger.balance(ALICE, SHARES);
    expect(bench.apply({ ...adjustment(), trade: { ...trade, id: bench.id() } })).toEqual({ type: 'lots_unknown' });
    expect(bench.ledger.balance(ALICE, SHARES)).toEqual(before);
  });

  it('needs room for the lots that come back', () => {
    for (const [roomForSales, type] of [
      [1, 'ledger_full'],
      [2, 'done'],
    ] as const) {
      const { bench, adjustment } = traded({ limits: { lotsMax: 3, roomForSales } });
      expect(bench.apply(adjustment())).toMatchObject({ type });
    }
  });

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

/** Of Bob's lots, sold to Alice in one chunk. */
interface Fill {
  readonly id: string;
  readonly buy: string;
  readonly price: number;
  readonly lots: readonly ReceivedLot[];
}

/** Alice has bought whole lots of Bob's, fill by fill and without fees, and has got the given lots of her own. */
function tradedInOneChunk(bench: LedgerBench, fills: readonly Fill[], received: readonly ReceivedLot[]) {
  const given = fills.flatMap(({ lots }) => lots);
  const [shares, cash] = [quantityOf(given), fills.reduce((sum, { price, lots }) => sum + price * quantityOf(lots), 0)];
  bench.transfer('deposit', { amount: cash });
  bench.depositLots(BOB, ...given);
  const sell = bench.admit({ account: BOB, side: 'sell', reserveAsset: SHARES, reserve: shares, quantity: shares });
  const buys = [...new Set(fills.map(({ buy }) => buy))];
  for (const id of buys) {
    const reserve = fills.reduce((sum, fill) => sum + (fill.buy === id ? fill.price * quantityOf(fill.lots) : 0), 0);
    bench.admit({ id, reserve });
  }
  const trades = fills.map(
    ({ id, buy, price, lots }, index): Trade => ({
      id,
      sequence: index + 1,
      price,
      quantity: quantityOf(lots),
      notional: price * quantityOf(lots),
      takerSide: 'buy',
      buyOrder: buy,
      sellOrder: sell,
      buyer: ALICE,
      seller: BOB,
      buyerFee: 0,
      sellerFee: 0,
      executedAt: bench.time,
    }),
  );
  bench.settle({
    trades,
    orders: [...buys, sell].map((id) => orderState({ id, status: 'filled' })),
    balances: [
      move(ALICE, USD, 0),
      { ...move(ALICE, SHARES, shares), bought: cash },
      { ...move(BOB, SHARES, 0), sold: shares },
      move(BOB, USD, cash),
    ],
    lots: received,
    lotMoves: given.map((each) => lotMove(sell, each.id, { consumed: each.quantity })),
  });
  const bust = (trade: Trade | undefined): TradeAdjustment => ({
    kind: 'adjust_trade',
    id: bench.id(),
    book: BOOK,
    baseAsset: SHARES,
    quoteAsset: USD,
    tracksLots: true,
    trade: trade as Trade,
    to: null,
    sellKey: null,
    reason: 'an error',
    createdAt: bench.time,
    event: null,
  });
  return { trades, bust };
}

function quantityOf(lots: readonly ReceivedLot[]): number {
  return lots.reduce((sum, { quantity }) => sum + quantity, 0);
}

describe('a trade that shares a lot of its buyer', () => {
  const restricted = { restrictionEndsAt: START * 2, offeringType: 'reg_cf' };

  /** 60 free shares, 60 restricted ones and 60 free ones in one trade: 120 go into one lot of Alice, the others into another. */
  function interleaved() {
    const bench = new LedgerBench();
    const id = bench.id();
    const lots = [
      lot({ id: idAt(1, 1), account: BOB, quantity: 60, cost: 60, acquiredAt: 1 }),
      lot({ id: idAt(1, 2), account: BOB, quantity: 60, cost: 120, acquiredAt: 2, ...restricted }),
      lot({ id: idAt(1, 3), account: BOB, quantity: 60, cost: 180, acquiredAt: 3 }),
    ];
    const { trades, bust } = tradedInOneChunk(
      bench,
      [{ id, buy: bench.id(), price: 10, lots }],
      [
        lot({ id: `${id}.0`, quantity: 120, cost: 1_200, acquiredAt: bench.time }),
        lot({ id: `${id}.1`, quantity: 60, cost: 600, acquiredAt: bench.time, ...restricted }),
      ],
    );
    return { bench, bust: bust(trades[0]) };
  }

  it('with itself is taken back from each lot once', () => {
    const { bench, bust } = interleaved();
    expect(bench.apply(bust)).toMatchObject({ type: 'done' });
    expect(bench.ledger.balance(ALICE, SHARES)).toEqual({ available: 0, held: 0, cost: 0 });
    expect(bench.ledger.balance(BOB, SHARES)).toEqual({ available: 180, held: 0, cost: 360 });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('with itself counts what is free of the lot once, and stays where that is too little', () => {
    const { bench, bust } = interleaved();
    bench.transfer('withdrawal', { account: ALICE, asset: SHARES, amount: 40 });
    const before = bench.ledger.stateHash();
    expect(bench.apply(bust)).toEqual({
      type: 'not_returnable',
      missing: [{ side: 'buyer', account: ALICE, asset: SHARES, required: 180, available: 140 }],
    });
    expect(bench.ledger.stateHash()).toBe(before);
  });

  /** Alice has bought 60 for 600 and 60 for 1,200 with one order: one lot of 120. */
  function twoFills() {
    const bench = new LedgerBench();
    const [buy, first, second] = [bench.id(), bench.id(), bench.id()];
    const lots = [1, 2].map((number) => lot({ id: idAt(1, number), account: BOB, quantity: 60, acquiredAt: number }));
    const { trades, bust } = tradedInOneChunk(
      bench,
      [
        { id: first, buy, price: 10, lots: lots.slice(0, 1) },
        { id: second, buy, price: 20, lots: lots.slice(1) },
      ],
      [lot({ id: `${first}.0`, quantity: 120, cost: 1_800, acquiredAt: bench.time })],
    );
    return { bench, lotId: `${first}.0`, trades, bust };
  }

  it.each([
    { taken: 0, left: 1_200 },
    { taken: 1, left: 600 },
  ])('with another fill of its order leaves that one its own cost ($left)', ({ taken, left }) => {
    const { bench, lotId, trades, bust } = twoFills();
    bench.restart();
    expect(bench.apply(bust(trades[taken]))).toMatchObject({ type: 'done' });
    expect(bench.ledger.lot(lotId)).toMatchObject({ quantity: 60, cost: left });
    expect(bench.ledger.balance(ALICE, SHARES)).toEqual({ available: 60, held: 0, cost: left });
  });

  it('takes what is left of the cost, in lot and balance, where half of the lot is sold', () => {
    const { bench, lotId, trades, bust } = twoFills();
    bench.transfer('withdrawal', { account: ALICE, asset: SHARES, amount: 60 });
    expect(bench.apply(bust(trades[0]))).toMatchObject({ type: 'done' });
    expect(bench.ledger.lot(lotId)).toBeNull();
    expect(bench.ledger.balance(ALICE, SHARES)).toEqual({ available: 0, held: 0, cost: 0 });
  });

  it('leaves lots of another order of its buyer alone', () => {
    const bench = new LedgerBench();
    const [one, other, ...ids] = Array.from({ length: 5 }, () => bench.id()) as [string, string, ...string[]];
    const lots = [1, 2, 3].map((number) => lot({ id: idAt(1, number), account: BOB, quantity: 1, acquiredAt: number }));
    const fills = [one, other, one].map(
      (buy, index): Fill => ({ id: ids[index] as string, buy, price: 10 + index, lots: lots.slice(index, index + 1) }),
    );
    const { trades, bust } = tradedInOneChunk(bench, fills, [
      lot({ id: `${ids[0]}.0`, quantity: 2, cost: 22, acquiredAt: bench.time }),
      lot({ id: `${ids[1]}.1`, quantity: 1, cost: 11, acquiredAt: bench.time }),
    ]);
    expect(bench.apply(bust(trades[1]))).toMatchObject({ type: 'done' });
    expect(bench.ledger.lot(`${ids[0]}.0`)).toMatchObject({ quantity: 2, cost: 22 });
    expect(bench.ledger.lot(`${ids[1]}.1`)).toBeNull();
    expect(bench.ledger.balance(ALICE, SHARES)).toEqual({ available: 2, held: 0, cost: 22 });
  });
});

describe('a trade that is corrected', () => {
  it('settles the difference, and no shares', () => {
    const { bench, trade, adjustment } = traded({ keyId: 'key', lossMax: 100 });
    expect(bench.apply(adjustment(at(5)))).toMatchObject({ type: 'done' });
    expect(bench.ledger.balance(ALICE, USD)).toMatchObject({ available: 78 });
    expect(bench.ledger.balance(BOB, USD)).toMatchObject({ available: 18 });
    expect(bench.ledger.balance(ALICE, SHARES)).toEqual({ available: 4, held: 0, cost: 22 });
    expect([0, 1].map((number) => bench.ledger.lot(`${trade.id}.${number}`)?.cost)).toEqual([16, 6]);
    expect(bench.ledger.keyUse('key', bench.time).loss).toBe(52);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('leaves the cost of a lot that is sold', () => {
    const { bench, trade, adjustment } = traded();
    bench.transfer('withdrawal', { account: ALICE, asset: SHARES, amount: 3 });
    expect(bench.apply(adjustment(at(5)))).toEqual({ type: 'done', lotIds: [`${trade.id}.1`] });
    expect(bench.ledger.lot(`${trade.id}.1`)?.cost).toBe(6);
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

describe('a trade with the broker', () => {
  const CLEARING = 'boundary:broker-clearing';

  const adjust = (
    bench: LedgerBench,
    trade: Trade,
    to: TradeAdjustment['to'],
    asset: Partial<Pick<TradeAdjustment, 'baseAsset' | 'tracksLots'>> = {},
  ) =>
    bench.apply({
      kind: 'adjust_trade',
      id: bench.id(),
      book: BOOK,
      baseAsset: SHARES,
      quoteAsset: USD,
      tracksLots: true,
      ...asset,
      trade,
      to,
      sellKey: null,
      reason: 'an error',
      createdAt: bench.time,
      event: null,
    });

  /** Alice has bought 4 shares there for 40. */
  function bought() {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: 100 });
    const buy = bench.admit({ reserve: 42 });
    const id = bench.id();
    const execution = { sellOrder: 'execution:x1', seller: CLEARING, sellerFee: 0, buyerFee: FEE } as const;
    const terms = { id, sequence: 1, price: 10, quantity: 4, notional: 40, takerSide: 'buy' } as const;
    const trade = { ...terms, ...execution, buyOrder: buy, buyer: ALICE, executedAt: bench.time };
    bench.settle({
      trades: [trade],
      orders: [orderState({ id: buy, status: 'filled' })],
      balances: [
        move(ALICE, USD, 0),
        { ...move(ALICE, SHARES, 4), bought: 42 },
        move(CLEARING, USD, 40),
        move(CLEARING, SHARES, -4),
        move('boundary:fees', USD, FEE),
      ],
      lots: [lot({ id: `${id}.0`, account: ALICE, quantity: 4, cost: 42 })],
    });
    return { bench, trade };
  }

  /** Bob has sold 4 shares of one lot there for 40. */
  function sold() {
    const bench = new LedgerBench();
    const own = idAt(1, 1);
    bench.depositLots(BOB, lot({ id: own, account: BOB, quantity: 5, cost: 100, acquiredAt: 5 }));
    const sell = bench.admit({ account: BOB, side: 'sell', reserveAsset: SHARES, reserve: 4, quantity: 4 });
    const execution = { buyOrder: 'execution:x2', buyer: CLEARING, buyerFee: 0, sellerFee: FEE } as const;
    const terms = { id: bench.id(), sequence: 1, price: 10, quantity: 4, notional: 40, takerSide: 'sell' } as const;
    const trade = { ...terms, ...execution, sellOrder: sell, seller: BOB, executedAt: bench.time };
    bench.settle({
      trades: [trade],
      orders: [orderState({ id: sell, status: 'filled', filledNotional: 40 })],
      balances: [
        { ...move(BOB, SHARES, 0), sold: 4 },
        move(BOB, USD, 38),
        move(CLEARING, USD, -40),
        move(CLEARING, SHARES, 4),
        move('boundary:fees', USD, FEE),
      ],
      lotMoves: [{ reservationId: sell, lotId: own, consumed: 4, released: 0 }],
    });
    return { bench, trade };
  }

  it('that was a buy is taken back: cash comes, the lot goes, and the clearing account is even', () => {
    const { bench, trade } = bought();
    expect(adjust(bench, trade, null)).toMatchObject({ type: 'done' });
    expect(bench.ledger.balance(ALICE, USD)).toMatchObject({ available: 100 });
    expect(bench.ledger.balance(ALICE, SHARES)).toMatchObject({ available: 0, cost: 0 });
    expect([...bench.ledger.allLots()]).toEqual([]);
    expect(bench.ledger.balance(CLEARING, USD)).toMatchObject({ available: 0, cost: 0 });
    expect(bench.ledger.balance(CLEARING, SHARES)).toMatchObject({ available: 0, cost: 0 });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('that was a sale is taken back: the shares come back as they were, at their cost', () => {
    const { bench, trade } = sold();
    expect(adjust(bench, trade, null)).toMatchObject({ type: 'done' });
    expect(bench.ledger.balance(BOB, USD)).toMatchObject({ available: 0 });
    expect(bench.ledger.balance(BOB, SHARES)).toMatchObject({ available: 5, cost: 100 });
    expect([...bench.ledger.allLots()]).toMatchObject([
      { quantity: 1, cost: 20, acquiredAt: 5 },
      { quantity: 4, cost: 80, acquiredAt: 5 },
    ]);
    expect(bench.ledger.balance(CLEARING, SHARES)).toMatchObject({ available: 0, cost: 0 });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('is corrected to another price, which the broker pays or gets', () => {
    const { bench, trade } = bought();
    const to = { price: 9, quantity: 4, notional: 36, buyerFee: FEE, sellerFee: 0 };
    expect(adjust(bench, trade, to)).toMatchObject({ type: 'done' });
    expect(bench.ledger.balance(ALICE, USD)).toMatchObject({ available: 62 });
    expect(bench.ledger.balance(ALICE, SHARES)).toMatchObject({ available: 4, cost: 38 });
    expect(bench.ledger.balance(CLEARING, USD)).toMatchObject({ available: 36, cost: 0 });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('in an asset without lots is corrected though the clearing account then owes more', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { account: BOB, asset: 'gold', amount: 5, cost: 100 });
    const gold = { baseAsset: 'gold', tracksLots: false };
    const sell = bench.id();
    const terms = { account: BOB, side: 'sell', reserveAsset: 'gold', reserve: 4, quantity: 4 } as const;
    bench.send({ ...gold, orders: [order({ id: sell, ...terms })] });
    const sides = { buyOrder: 'execution:x3', buyer: CLEARING, sellOrder: sell, seller: BOB } as const;
    const price = { price: 10, quantity: 4, notional: 40, buyerFee: 0, sellerFee: FEE };
    const at = { id: bench.id(), sequence: 1, takerSide: 'sell', executedAt: bench.time } as const;
    const trade = { ...at, ...sides, ...price };
    const settled = chunk({
      trades: [trade],
      orders: [orderState({ id: sell, status: 'filled', filledNotional: 40 })],
      balances: [
        { ...move(BOB, 'gold', 0), sold: 4 },
        move(BOB, USD, 38),
        move(CLEARING, USD, -40),
        move(CLEARING, 'gold', 4),
        move('boundary:fees', USD, FEE),
      ],
    });
    bench.send({ ...gold, chunks: [settled] });
    const to = { price: 11, quantity: 4, notional: 44, buyerFee: 0, sellerFee: FEE };
    expect(adjust(bench, trade, to, gold)).toMatchObject({ type: 'done' });
    expect(bench.ledger.balance(CLEARING, USD)).toMatchObject({ available: -44, cost: 0 });
    expect(bench.ledger.balance(BOB, USD)).toMatchObject({ available: 42 });
    expect(bench.ledger.violations()).toEqual([]);
  });
});
