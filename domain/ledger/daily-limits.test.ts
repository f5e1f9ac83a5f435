import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../calendar/durations.ts';
import {
  ALICE,
  amendment,
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
  storedPieces,
  USD,
} from './ledger.fixtures.ts';
import { Ledger } from './ledger.ts';
import type { LedgerLimits } from './ledger-limits.ts';
import { LedgerViolation } from './ledger-violation.ts';
import type { RefusedAdmission } from './outcomes.ts';
import type { AmendmentAdmission, OrderAdmission, Trade } from './records.ts';

const OTHER_BOOK = 'ZINC-USD';
const KEY = idAt(0, 77);
const LOTS = [`${idAt(1, 1)}.0`, `${idAt(1, 1)}.1`] as const;

/** Alice has 10,000 in cash, and 20 shares: 10 older ones that cost 100 each, 10 that cost 300 each. */
function benchWithTwoBooks(limits: Partial<LedgerLimits> = {}): LedgerBench {
  const bench = new LedgerBench(limits);
  bench.apply({ kind: 'own', book: OTHER_BOOK, owner: 'zinc', previousOwner: '' });
  bench.transfer('deposit', { amount: 10_000 });
  bench.transfer('deposit', { account: BOB, amount: 100_000 });
  bench.depositLots(
    ALICE,
    lot({ id: LOTS[0], quantity: 10, cost: 1_000 }),
    lot({ id: LOTS[1], quantity: 10, cost: 3_000, acquiredAt: START + 1 }),
  );
  return bench;
}

let bench: LedgerBench;

beforeEach(() => {
  bench = benchWithTwoBooks();
});

interface Asked extends Partial<OrderAdmission> {
  readonly notional?: number;
  readonly notionalMax?: number | null;
  readonly lossMax?: number | null;
  /** Of a sell: how many shares, and what each brings at the least. */
  readonly shares?: number;
  readonly atLeast?: number;
}

function asked({ notional = 0, notionalMax = null, lossMax = null, shares = 0, atLeast = 0, ...terms }: Asked) {
  const daily = { notional, notionalMax, lossMax, quantity: shares, proceeds: shares * atLeast };
  const sell = shares === 0 ? {} : { side: 'sell' as const, reserve: shares };
  return order({ id: bench.id(), keyId: KEY, daily, ...sell, ...terms });
}

function refusalOf(wanted: Asked, book = BOOK): RefusedAdmission | null {
  return bench.send({ book, orders: [asked(wanted)] }).refused[0] ?? null;
}

function admit(wanted: Asked, book = BOOK): string {
  const placed = asked(wanted);
  const refused = bench.send({ book, orders: [placed] }).refused[0];
  if (refused !== undefined) throw new Error(`refused: ${refused.refusal}`);
  return placed.id;
}

function amend(orderId: string, terms: Partial<AmendmentAdmission>): RefusedAdmission | null {
  const wanted = amendment({ id: bench.id(), orderId, limitedKey: KEY, ...terms });
  return bench.send({ amendments: [wanted] }).refused[0] ?? null;
}

const exposure = (notional: number, quantity = 0, proceeds = 0) => ({ notional, quantity, proceeds });

function end(orderId: string, filledNotional = 0, book = BOOK): void {
  bench.send({ book, chunks: [chunk({ orders: [orderState({ id: orderId, filledNotional })] })] });
}

const use = (keyId = KEY) => bench.ledger.keyUse(keyId, bench.time);

function right(): void {
  expect(bench.ledger.violations()).toEqual([]);
}

describe('the daily notional of an API key', () => {
  it('is used up to the last unit and no further, and says what is left', () => {
    admit({ notional: 60, notionalMax: 100 });
    expect(refusalOf({ notional: 41, notionalMax: 100 })).toMatchObject({
      refusal: 'daily_notional',
      required: 41,
      available: 40,
    });
    admit({ notional: 40, notionalMax: 100 });
    expect(refusalOf({ notional: 1, notionalMax: 100 })).toMatchObject({ refusal: 'daily_notional', available: 0 });
    expect(use()).toEqual({ notional: 100, loss: 0, lossHeld: 0 });
    right();
  });

  it('is one over all books: two cannot both pass', () => {
    admit({ notional: 60, notionalMax: 100 });
    expect(refusalOf({ notional: 60, notionalMax: 100 }, OTHER_BOOK)?.refusal).toBe('daily_notional');
    expect(refusalOf({ notional: 60, notionalMax: 100, keyId: idAt(0, 78) }, OTHER_BOOK)).toBeNull();
  });

  it('finds what the orders before it in the batch have left', () => {
    const orders = [1, 2, 3].map(() => asked({ notional: 50, notionalMax: 100 }));
    expect(bench.send({ orders }).refused.map(({ id }) => id)).toEqual([orders[2]?.id]);
  });

  it('counts an order once, however often its batch or its id comes', () => {
    const placed = asked({ notional: 60, notionalMax: 100 });
    const batch = bench.batch({ orders: [placed] });
    bench.apply(batch);
    bench.apply(batch);
    expect(bench.send({ orders: [placed] }).refused[0]?.refusal).toBe('exists');
    expect(use().notional).toBe(60);
  });

  it('counts nothing for an order that is refused for something else', () => {
    expect(refusalOf({ notional: 60, notionalMax: 100, reserve: 10_001 })?.refusal).toBe('balance');
    expect(refusalOf({ notional: 60, notionalMax: 100, factsVersion: 2 })?.refusal).toBe('stale');
    expect(refusalOf({ notional: 60, notionalMax: 100, code: 'INVALID_PRICE' })).toBeNull();
    expect(use().notional).toBe(0);
  });

  it('counts an ended order by what it filled, and one that was released unmatched not at all', () => {
    const filled = admit({ notional: 60, notionalMax: 100 });
    end(filled, 25);
    expect(use().notional).toBe(25);
    const released = admit({ notional: 75, notionalMax: 100 });
    const state = orderState({ id: released, status: 'rejected', code: 'UNAVAILABLE' });
    bench.settle({ orders: [state] });
    expect(use().notional).toBe(25);
    right();
  });

  it('begins anew at midnight UTC: what was placed before counts there, open or not', () => {
    bench.time = START + DAY_MS - 1;
    const open = admit({ notional: 100, notionalMax: 100 });
    expect(refusalOf({ notional: 1, notionalMax: 100 })?.refusal).toBe('daily_notional');
    bench.time = START + DAY_MS;
    admit({ notional: 70, notionalMax: 100 });
    end(open, 100);
    expect(use().notional).toBe(70);
    right();
  });

  it('goes by the time of the row, and a row that is late by its own clock begins no earlier day', () => {
    bench.time = START + DAY_MS;
    admit({ notional: 70, notionalMax: 100 });
    bench.time = START;
    expect(refusalOf({ notional: 31, notionalMax: 100 })?.refusal).toBe('daily_notional');
  });

  it('is asked by an amendment for what it adds', () => {
    const id = admit({ notional: 60, notionalMax: 100 });
    expect(amend(id, { exposure: exposure(101) })).toMatchObject({
      refusal: 'daily_notional',
      required: 41,
      available: 40,
    });
    expect(amend(id, { exposure: exposure(100) })).toBeNull();
    expect(use().notional).toBe(100);
    right();
  });

  it('is lowered by no amendment, and kept by one that came to nothing, until the order ends', () => {
    const id = admit({ notional: 60, notionalMax: 100 });
    const more = bench.id();
    bench.send({ amendments: [amendment({ id: more, orderId: id, limitedKey: KEY, exposure: exposure(90) })] });
    bench.settle({ amendments: [more] });
    expect(amend(id, { exposure: exposure(10) })).toBeNull();
    expect(use().notional).toBe(90);
    end(id, 5);
    expect(use().notional).toBe(5);
    right();
  });

  it('counts what an amendment adds on its own day, and does not give it back', () => {
    const id = admit({ notional: 60, notionalMax: 100 });
    bench.time += DAY_MS;
    expect(amend(id, { exposure: exposure(80) })).toBeNull();
    expect(use().notional).toBe(20);
    end(id);
    expect(use().notional).toBe(20);
  });

  it('binds an amendment of its order, whoever asks for it', () => {
    const id = admit({ notional: 60, notionalMax: 100 });
    expect(amend(id, { limitedKey: null, exposure: exposure(101) })?.refusal).toBe('daily_notional');
    expect(amend(id, { limitedKey: null, exposure: exposure(100) })).toBeNull();
  });

  it('lets its key amend no order that does not count against it', () => {
    const unlimited = bench.admit({});
    expect(amend(unlimited, { exposure: exposure(1) })?.refusal).toBe('outside_limit');
    const ofOtherKey = admit({ notional: 1, notionalMax: 100, keyId: idAt(0, 78) });
    admit({ notional: 1, notionalMax: 100 });
    expect(amend(ofOtherKey, { exposure: exposure(2) })?.refusal).toBe('outside_limit');
    expect(amend(unlimited, { limitedKey: null })).toBeNull();
  });

  it('refuses what is no amount, and a limit of no key', () => {
    expect(() => refusalOf({ notional: -1, notionalMax: 100 })).toThrow(LedgerViolation);
    expect(() => refusalOf({ notional: 0.5, notionalMax: 100 })).toThrow(LedgerViolation);
    expect(() => refusalOf({ notional: 1, notionalMax: 100, keyId: null })).toThrow(LedgerViolation);
  });
});

/** What a sell of Alice's shares comes to: her oldest first. */
function fill(
  sell: string,
  { price, consumed, left, fee = 0 }: { price: number; consumed: readonly number[]; left: number; fee?: number },
  book = BOOK,
): string {
  const quantity = consumed.reduce((sum, each) => sum + each, 0);
  const notional = price * quantity;
  const id = bench.id();
  const trade: Trade = {
    id,
    sequence: 1,
    price,
    quantity,
    notional,
    takerSide: 'sell',
    buyOrder: bench.id(),
    sellOrder: sell,
    buyer: BOB,
    seller: ALICE,
    buyerFee: 0,
    sellerFee: fee,
    executedAt: bench.time,
  };
  const buy = trade.buyOrder;
  bench.send({ book, orders: [order({ id: buy, account: BOB, reserve: notional })] });
  const lots = [LOTS[0], LOTS[1]] as const;
  const sold = chunk({
    trades: [trade],
    orders: [
      orderState({
        id: sell,
        status: left > 0 ? 'partially_filled' : 'filled',
        reserve: left,
        filledNotional: notional,
      }),
      orderState({ id: buy, status: 'filled', filledNotional: notional }),
    ],
    balances: [
      move(ALICE, USD, notional - fee),
      move('boundary:fees', USD, fee),
      move(ALICE, SHARES, 0, { sold: quantity }),
      move(BOB, USD, 0),
      move(BOB, SHARES, quantity, { bought: notional }),
    ],
    lotMoves: consumed.flatMap((share, at) =>
      share > 0 ? [lotMove(sell, lots[at] as string, { consumed: share })] : [],
    ),
    lots: [lot({ id: `${id}.0`, account: BOB, quantity, cost: notional })],
  });
  bench.send({ book, chunks: [sold] });
  return id;
}

describe('the daily loss of an API key', () => {
  it('is held by an open sell: what its lots, the oldest first, cost beyond what they bring at the least', () => {
    admit({ lossMax: 1_000, shares: 15, atLeast: 100 });
    expect(use()).toEqual({ notional: 0, loss: 0, lossHeld: 10 * 100 + 5 * 300 - 15 * 100 });
    right();
  });

  it('is held by no buy, and by no sell that brings more than it cost', () => {
    admit({ lossMax: 10, notional: 500 });
    admit({ lossMax: 10, shares: 10, atLeast: 100 });
    expect(use().lossHeld).toBe(0);
  });

  it('of nothing lets a key buy, and sell without a loss', () => {
    expect(refusalOf({ lossMax: 0, notional: 5 })).toBeNull();
    expect(refusalOf({ lossMax: 0, shares: 10, atLeast: 100 })).toBeNull();
    expect(refusalOf({ lossMax: 0, shares: 1, atLeast: 299 })?.refusal).toBe('daily_loss');
  });

  it('is one over all books: two sells cannot both hold what is left', () => {
    admit({ lossMax: 600, shares: 10, atLeast: 60 });
    expect(refusalOf({ lossMax: 600, shares: 1, atLeast: 99 }, OTHER_BOOK)).toMatchObject({
      refusal: 'daily_loss',
      required: 201,
      available: 200,
    });
    expect(refusalOf({ lossMax: 600, shares: 1, atLeast: 100 }, OTHER_BOOK)).toBeNull();
    right();
  });

  it('is consumed by what a sale has lost, and the rest of what it held is free again', () => {
    const sell = admit({ lossMax: 900, shares: 10, atLeast: 20 });
    expect(use().lossHeld).toBe(800);
    fill(sell, { price: 70, consumed: [10], left: 0 });
    expect(use()).toEqual({ notional: 700, loss: 300, lossHeld: 0 });
    expect(refusalOf({ lossMax: 900, shares: 1, atLeast: 0, reserve: 3 })?.available).toBe(600);
    right();
  });

  it('is held on by what remains of a sell, by the lots that remain', () => {
    const sell = admit({ lossMax: 2_000, shares: 20, atLeast: 100 });
    expect(use().lossHeld).toBe(2_000);
    fill(sell, { price: 100, consumed: [10], left: 10 });
    expect(use()).toMatchObject({ loss: 0, lossHeld: 2_000 });
    right();
  });

  it('counts the fees of a sale', () => {
    const sell = admit({ lossMax: 900, shares: 10, atLeast: 20 });
    fill(sell, { price: 100, consumed: [10], left: 0, fee: 7 });
    expect(use().loss).toBe(7);
  });

  it('is given back by a gain, as far as something was lost before it', () => {
    const loser = admit({ lossMax: 900, shares: 5, atLeast: 20 });
    fill(loser, { price: 20, consumed: [5], left: 0 });
    expect(use().loss).toBe(400);
    const winner = admit({ lossMax: 900, shares: 5, atLeast: 300 });
    fill(winner, { price: 300, consumed: [5], left: 0 });
    expect(use().loss).toBe(0);
    expect(refusalOf({ lossMax: 900, shares: 10, atLeast: 209 })).toMatchObject({ required: 910, available: 900 });
  });

  it('once reached, refuses every order and amendment of the key, and asks every book to cancel those that are open', () => {
    const resting = admit({ lossMax: 500 }, OTHER_BOOK);
    const here = admit({ lossMax: 500 });
    const sell = admit({ lossMax: 500, shares: 10, atLeast: 50 });
    const tradeId = fill(sell, { price: 50, consumed: [10], left: 0 });
    expect(use().loss).toBe(500);
    expect(bench.ledger.pendingCancellations()).toEqual([
      { id: tradeId, account: ALICE, keyIds: [KEY], books: [BOOK, OTHER_BOOK] },
    ]);
    expect(refusalOf({ lossMax: 500, notional: 1 })).toMatchObject({ refusal: 'daily_loss', available: 0 });
    expect(amend(here, {})?.refusal).toBe('daily_loss');
    expect(bench.refusalOf({ keyId: idAt(0, 78) })).toBeNull();
    for (const book of [BOOK, OTHER_BOOK]) bench.apply({ kind: 'cancelled', id: tradeId, book });
    expect(bench.ledger.pendingCancellations()).toEqual([]);
    end(resting, 0, OTHER_BOOK);
    bench.time += DAY_MS;
    expect(refusalOf({ lossMax: 500, notional: 1 })).toBeNull();
    right();
  });

  it('that was not reached cancels nothing', () => {
    admit({ lossMax: 501 });
    const sell = admit({ lossMax: 501, shares: 10, atLeast: 50 });
    fill(sell, { price: 50, consumed: [10], left: 0 });
    expect(bench.ledger.pendingCancellations()).toEqual([]);
  });

  it('begins anew at midnight UTC; what open sells may lose is held on', () => {
    const sell = admit({ lossMax: 900, shares: 5, atLeast: 20 });
    fill(sell, { price: 20, consumed: [5], left: 0 });
    admit({ lossMax: 900, shares: 5, atLeast: 0, reserve: 5 });
    bench.time += DAY_MS;
    expect(use()).toEqual({ notional: 0, loss: 0, lossHeld: 500 });
    expect(refusalOf({ lossMax: 900, shares: 2, atLeast: 99 })).toMatchObject({ required: 402, available: 400 });
    right();
  });

  it('holds more for an amended sell that may lose more, and refuses what does not fit', () => {
    const sell = admit({ lossMax: 600, shares: 10, atLeast: 60 });
    expect(amend(sell, { exposure: exposure(0, 10, 390) })).toMatchObject({
      refusal: 'daily_loss',
      required: 210,
      available: 200,
    });
    expect(amend(sell, { exposure: exposure(0, 10, 400) })).toBeNull();
    expect(use().lossHeld).toBe(600);
    right();
  });

  it('counts the lots that an amendment adds, and frees them with it when it comes to nothing', () => {
    const sell = admit({ lossMax: 5_000, shares: 10, atLeast: 100 });
    const more = bench.id();
    const adds = { reserveAsset: SHARES, reserve: 5, limitedKey: KEY, exposure: exposure(0, 15, 1_500) };
    bench.send({ amendments: [amendment({ id: more, orderId: sell, ...adds })] });
    expect(use().lossHeld).toBe(1_000);
    bench.settle({
      amendments: [more],
      balances: [move(ALICE, SHARES, 5)],
      lotMoves: [lotMove(more, LOTS[1], { released: 5 })],
    });
    bench.settle({ orders: [orderState({ id: sell, status: 'open', reserve: 10 })] });
    expect(use().lossHeld).toBe(0);
    right();
  });

  it('takes nothing from an order for an amendment of one that has ended before it', () => {
    const ended = admit({ lossMax: 5_000, shares: 10, atLeast: 100 });
    const late = bench.id();
    const adds = { reserveAsset: SHARES, reserve: 5, limitedKey: KEY, exposure: exposure(0, 15, 1_500) };
    bench.send({ amendments: [amendment({ id: late, orderId: ended, ...adds })] });
    bench.settle({
      orders: [orderState({ id: ended })],
      balances: [move(ALICE, SHARES, 10)],
      lotMoves: [lotMove(ended, LOTS[0], { released: 10 })],
    });
    const next = admit({ lossMax: 5_000, shares: 10, atLeast: 50 });
    bench.settle({
      amendments: [late],
      balances: [move(ALICE, SHARES, 5)],
      lotMoves: [lotMove(late, LOTS[1], { released: 5 })],
    });
    bench.settle({ orders: [orderState({ id: next, status: 'open', reserve: 10 })] });
    expect(use().lossHeld).toBe(500);
    right();
  });

  it('goes by the average cost where an asset tracks no lots', () => {
    const coin = { baseAsset: 'coin', tracksLots: false, book: OTHER_BOOK };
    bench.transfer('deposit', { asset: 'coin', amount: 10, cost: 1_000 });
    bench.transfer('deposit', { asset: 'coin', amount: 10, cost: 3_000 });
    const sell = asked({ lossMax: 1_000, shares: 5, atLeast: 150, reserveAsset: 'coin' });
    expect(bench.send({ ...coin, orders: [sell] }).refused).toEqual([]);
    expect(use().lossHeld).toBe(5 * 200 - 5 * 150);
    right();
  });
});

describe('keys under daily limits', () => {
  it('take no room once a day is over and nothing of theirs is open', () => {
    bench = benchWithTwoBooks({ limitedKeysMax: 2 });
    const open = admit({ notional: 1, notionalMax: 100 });
    end(admit({ notional: 1, notionalMax: 100, keyId: 'second' }), 1);
    const third = { notional: 1, notionalMax: 100, keyId: 'third' };
    expect(refusalOf(third)?.refusal).toBe('ledger_full');
    expect(refusalOf({ notional: 1, notionalMax: 100 })).toBeNull();
    bench.time += DAY_MS;
    expect(refusalOf(third)).toBeNull();
    expect(refusalOf({ ...third, keyId: 'fourth' })?.refusal).toBe('ledger_full');
    end(open);
    right();
  });

  it('are so many of one account at most', () => {
    bench = benchWithTwoBooks({ limitedKeysPerAccountMax: 2 });
    for (const keyId of ['first', 'second']) admit({ notional: 1, notionalMax: 100, keyId });
    expect(refusalOf({ notional: 1, notionalMax: 100, keyId: 'third' })).toMatchObject({
      refusal: 'account_keys',
      available: 2,
    });
    expect(refusalOf({ notional: 1, notionalMax: 100, keyId: 'third', account: BOB })).toBeNull();
  });

  it('stand in the checkpoint and in the hash, with their orders and their day', () => {
    bench.time = START + DAY_MS;
    const sell = admit({ notional: 60, notionalMax: 100, lossMax: 900, shares: 10, atLeast: 20 });
    const before = bench.ledger.stateHash();
    bench.restart();
    expect(bench.ledger.stateHash()).toBe(before);
    expect(use()).toEqual({ notional: 60, loss: 0, lossHeld: 800 });
    expect(refusalOf({ notional: 41, notionalMax: 100 })?.refusal).toBe('daily_notional');
    fill(sell, { price: 70, consumed: [10], left: 0 });
    bench.restart();
    expect(use()).toEqual({ notional: 700, loss: 300, lossHeld: 0 });
    expect(bench.ledger.stateHash()).not.toBe(before);
    expect(Ledger.restore(storedPieces(bench.ledger)).stateHash()).toBe(bench.ledger.stateHash());
  });

  it('of a ledger that says something else give another hash', () => {
    const twin = benchWithTwoBooks();
    const placed = asked({ notional: 60, notionalMax: 100 });
    bench.send({ orders: [placed] });
    if (placed.daily === null) throw new Error('it is under a limit');
    twin.send({ orders: [{ ...placed, daily: { ...placed.daily, notional: 61 } }] });
    expect(twin.ledger.stateHash()).not.toBe(bench.ledger.stateHash());
  });
});

describe('amendments and losses at the edges', () => {
  it('an amendment that adds nothing is let through by a key beyond its notional', () => {
    const better = admit({ notional: 60, notionalMax: 100 });
    const other = admit({ notional: 40, notionalMax: 100 });
    end(better, 90);
    expect(use().notional).toBe(130);
    expect(amend(other, { exposure: exposure(30) })).toBeNull();
    expect(refusalOf({ notional: 1, notionalMax: 100 })).toMatchObject({ refusal: 'daily_notional', available: 0 });
  });
  it('a buy that goes on holds no loss where an asset tracks no lots', () => {
    const coin = { baseAsset: 'coin', tracksLots: false };
    bench.transfer('deposit', { asset: 'coin', amount: 10, cost: 1_000 });
    const buy = asked({ lossMax: 500, reserve: 600 });
    expect(bench.send({ ...coin, orders: [buy] }).refused).toEqual([]);
    bench.send({
      ...coin,
      chunks: [chunk({ orders: [orderState({ id: buy.id, status: 'partially_filled', reserve: 600 })] })],
    });
    expect(use().lossHeld).toBe(0);
    right();
  });
  it('an amendment to a higher price that comes to nothing leaves what its sell may lose', () => {
    const sell = admit({ lossMax: 600, shares: 10, atLeast: 60 });
    const up = bench.id();
    bench.send({ amendments: [amendment({ id: up, orderId: sell, limitedKey: KEY, exposure: exposure(0, 10, 900) })] });
    expect(use().lossHeld).toBe(400);
    bench.settle({ amendments: [up] }, { orders: [orderState({ id: sell, status: 'open', reserve: 10 })] });
    expect(use().lossHeld).toBe(400);
    right();
  });
  it('an amendment to a price so high lowers nothing before it is settled', () => {
    const sell = admit({ lossMax: 600, shares: 10, atLeast: 60 });
    expect(amend(sell, { exposure: exposure(0, 10, 900) })).toBeNull();
    expect(use().lossHeld).toBe(400);
  });
  it('a key that loses on after its limit asks its books once', () => {
    const first = admit({ lossMax: 3_000, shares: 5, atLeast: 0 });
    const second = admit({ lossMax: 3_000, shares: 5, atLeast: 0 });
    admit({ lossMax: 450, notional: 1, notionalMax: 1_000_000 });
    const breach = fill(first, { price: 10, consumed: [5], left: 0 });
    fill(second, { price: 10, consumed: [5], left: 0 });
    expect(bench.ledger.pendingCancellations().map(({ id }) => id)).toEqual([breach]);
  });
  it('an amendment to fewer shares of a sell is not refused for a loss that it cannot make', () => {
    const sell = admit({ lossMax: 600, shares: 10, atLeast: 60 });
    expect(amend(sell, { exposure: exposure(0, 5, 300) })).toBeNull();
    expect(use().lossHeld).toBe(400);
  });
});
