import { beforeEach, describe, expect, it } from 'vitest';
import {
  ALICE,
  amendment,
  BOB,
  chunk,
  idAt,
  LedgerBench,
  lot,
  lotMove,
  move,
  order,
  orderState,
  SHARES,
  USD,
} from './ledger.fixtures.ts';
import { LedgerViolation } from './ledger-violation.ts';
import type { RateOutcome, RefusedAdmission } from './outcomes.ts';
import { RATES_MAX } from './rates.ts';
import type { OrderAdmission } from './records.ts';
import type { TradeAdjustment } from './transactions.ts';

const EUR = 'eur';
const EURO_BOOK = 'ACME-EUR';
const KEY = idAt(0, 77);
const LIMIT = 'allowance:reg_cf';

let bench: LedgerBench;

beforeEach(() => {
  bench = new LedgerBench();
  bench.apply({ kind: 'own', book: EURO_BOOK, owner: 'euros', previousOwner: '' });
  for (const account of [ALICE, BOB])
    for (const asset of [USD, EUR]) bench.transfer('deposit', { account, asset, amount: 1_000_000 });
});

function state(numerator: number, denominator: number, expectedVersion = 0, asset = EUR): RateOutcome {
  const terms = { asset, expectedVersion, numerator, denominator, createdAt: bench.time, event: null };
  return bench.apply({ kind: 'rate', id: bench.id(), ...terms });
}

interface Asked extends Partial<OrderAdmission> {
  readonly notional?: number;
  readonly notionalMax?: number | null;
  readonly lossMax?: number | null;
  readonly shares?: number;
  readonly atLeast?: number;
}

/** An order on the market in euros, by the first rate unless it says otherwise. */
function asked({ notional = 0, notionalMax = null, lossMax = null, shares = 0, atLeast = 0, ...terms }: Asked) {
  const daily = { notional, notionalMax, lossMax, quantity: shares, proceeds: shares * atLeast };
  const side = shares === 0 ? 'buy' : 'sell';
  const reserveAsset = shares === 0 ? EUR : SHARES;
  return order({ id: bench.id(), keyId: KEY, daily, side, reserveAsset, reserve: shares, rateVersion: 1, ...terms });
}

const inEuros = { book: EURO_BOOK, quoteAsset: EUR } as const;

function refusalOf(wanted: Asked): RefusedAdmission | null {
  return bench.send({ ...inEuros, orders: [asked(wanted)] }).refused[0] ?? null;
}

function admit(wanted: Asked): string {
  const placed = asked(wanted);
  const refused = bench.send({ ...inEuros, orders: [placed] }).refused[0];
  if (refused !== undefined) throw new Error(`refused: ${refused.refusal}`);
  return placed.id;
}

const use = () => bench.ledger.keyUse(KEY, bench.time);

/** Bob, or whoever has placed `sell`, gives Alice shares of one lot for euros. */
function sold(sell: string, lotId: string, quantity: number, price: number, { seller = BOB, fee = 0 } = {}) {
  const buyer = seller === BOB ? ALICE : BOB;
  const notional = quantity * price;
  const buy = asked({ account: buyer, keyId: null, daily: null, reserve: notional + fee });
  bench.send({ ...inEuros, orders: [buy] });
  const id = bench.id();
  const trade = {
    id,
    sequence: 1,
    price,
    quantity,
    notional,
    takerSide: 'buy',
    buyOrder: buy.id,
    sellOrder: sell,
    buyer,
    seller,
    buyerFee: fee,
    sellerFee: fee,
    executedAt: bench.time,
  } as const;
  const outcome = bench.send({
    ...inEuros,
    chunks: [
      chunk({
        trades: [trade],
        orders: [
          orderState({ id: sell, status: 'filled', filledNotional: notional }),
          orderState({ id: buy.id, status: 'filled', filledNotional: notional }),
        ],
        balances: [
          move(buyer, EUR, 0),
          move(buyer, SHARES, quantity, { bought: notional + fee }),
          move(seller, SHARES, 0, { sold: quantity }),
          move(seller, EUR, notional - fee),
          move('boundary:fees', EUR, 2 * fee),
        ],
        lotMoves: [lotMove(sell, lotId, { consumed: quantity })],
        lots: [lot({ id: `${id}.0`, account: buyer, quantity, cost: notional + fee })],
      }),
    ],
  });
  return { trade, outcome };
}

function give(account: string, quantity: number, cost: number): string {
  const id = `${bench.id()}.0`;
  bench.depositLots(account, lot({ id, account, quantity, cost }));
  return id;
}

describe('a rate in dollars', () => {
  it('has another version with each change, and none that was worked out from another', () => {
    expect(state(11, 10)).toEqual({ type: 'done', version: 1 });
    expect(state(12, 10)).toEqual({ type: 'stale', version: 1 });
    expect(state(12, 10, 1)).toEqual({ type: 'done', version: 2 });
    const hash = bench.ledger.stateHash();
    bench.restart();
    expect(bench.ledger.stateHash()).toBe(hash);
    expect(state(13, 10, 1)).toEqual({ type: 'stale', version: 2 });
    expect(bench.ledger.stateHash()).toBe(hash);
    expect(state(13, 10, 2)).toEqual({ type: 'done', version: 3 });
    expect(bench.ledger.stateHash()).not.toBe(hash);
  });

  it('is stated for so many assets', () => {
    for (let n = 0; n < RATES_MAX; n++) expect(state(1, 1, 0, `asset ${n}`)).toMatchObject({ type: 'done' });
    expect(state(1, 1)).toEqual({ type: 'too_many_rates', ratesMax: RATES_MAX });
    expect(state(2, 1, 1, 'asset 0')).toMatchObject({ type: 'done' });
  });

  it('that is none is refused whole', () => {
    expect(() => state(0, 1)).toThrow(LedgerViolation);
    expect(() => state(1, 0.5)).toThrow(LedgerViolation);
  });

  it('is asserted of orders under a limit in money, and of no others', () => {
    bench.grant(ALICE, LIMIT, 100);
    expect(refusalOf({ notionalMax: 100, notional: 1 })?.refusal).toBe('stale');
    state(11, 10);
    const limits = { daily: null, keyId: null, allowanceAsset: LIMIT, allowance: 1 };
    for (const rateVersion of [undefined, 0, 2]) {
      expect(refusalOf({ notionalMax: 100, notional: 1, rateVersion })?.refusal).toBe('stale');
      expect(refusalOf({ ...limits, rateVersion })?.refusal).toBe('stale');
      expect(refusalOf({ daily: null, keyId: null, rateVersion })).toBeNull();
    }
    expect(refusalOf({ notionalMax: 100, notional: 1 })).toBeNull();
    expect(refusalOf(limits)).toBeNull();
  });
});

describe('limits in dollars', () => {
  it('count a notional in dollars, rounded up, by the rate of its admission to its end', () => {
    state(11, 10);
    const id = admit({ notional: 91, notionalMax: 200 });
    expect(use().notional).toBe(101);
    expect(refusalOf({ notional: 91, notionalMax: 200 })).toMatchObject({ required: 101, available: 99 });
    state(3, 1, 1);
    const more = amendment({
      id: bench.id(),
      orderId: id,
      limitedKey: KEY,
      exposure: { notional: 181, quantity: 0, proceeds: 0 },
    });
    expect(bench.send({ ...inEuros, amendments: [more] }).refused).toEqual([]);
    expect(use().notional).toBe(200);
    bench.restart();
    bench.send({ ...inEuros, chunks: [chunk({ orders: [orderState({ id, filledNotional: 15 })] })] });
    expect(use().notional).toBe(17);
  });

  it('hold a loss in dollars, and count what a sale has lost by the rate of its admission', () => {
    state(11, 10);
    const shares = give(ALICE, 10, 1_000);
    const id = admit({ shares: 10, atLeast: 50, lossMax: 1_000 });
    expect(use().lossHeld).toBe(450);
    state(3, 1, 1);
    const { outcome } = sold(id, shares, 10, 51, { seller: ALICE, fee: 1 });
    expect(use()).toMatchObject({ loss: 1_000 - 559, lossHeld: 0 });
    expect(outcome).toMatchObject({ rateVersion: 2 });
  });

  it('are reached in dollars', () => {
    state(11, 10);
    const shares = give(ALICE, 10, 1_000);
    const id = admit({ shares: 10, atLeast: 0, lossMax: 1_000 });
    const resting = admit({ lossMax: 1_000 });
    const { trade } = sold(id, shares, 10, 0, { seller: ALICE });
    expect(bench.ledger.pendingCancellations()).toMatchObject([{ id: trade.id, keyIds: [KEY] }]);
    expect(bench.ledger.openOrderIds(ALICE)).toEqual([resting]);
  });
});

describe('the cost of what was bought for another currency', () => {
  const cost = (account = ALICE) => bench.ledger.balance(account, SHARES).cost;

  /** Alice has 7 shares for 15 euros, fee included. */
  function bought() {
    const shares = give(BOB, 10, 100);
    return sold(admit({ account: BOB, daily: null, keyId: null, shares: 7 }), shares, 7, 2, { fee: 1 });
  }

  it('is kept in dollars, by the rate at which it settled, rounded up', () => {
    state(11, 10);
    const { trade, outcome } = bought();
    expect(outcome).toMatchObject({ rateVersion: 1 });
    expect([cost(), bench.ledger.lot(`${trade.id}.0`)?.cost]).toEqual([17, 17]);
    state(2, 1, 1);
    expect(cost()).toBe(17);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('is one to one where no rate is stated, as it was before there were rates', () => {
    const { outcome } = bought();
    expect(outcome).not.toHaveProperty('rateVersion');
    expect(cost()).toBe(15);
  });

  const adjusted = (trade: TradeAdjustment['trade'], to: TradeAdjustment['to']): TradeAdjustment => ({
    kind: 'adjust_trade',
    id: bench.id(),
    book: EURO_BOOK,
    baseAsset: SHARES,
    quoteAsset: EUR,
    tracksLots: true,
    trade,
    to,
    sellKey: KEY,
    rate: { numerator: 11, denominator: 10 },
    reason: 'an error',
    createdAt: bench.time,
    event: null,
  });

  it('goes back with a trade that is taken back, by the rate of that trade', () => {
    state(11, 10);
    const { trade } = bought();
    state(2, 1, 1);
    expect(bench.apply(adjusted(trade, null))).toMatchObject({ type: 'done' });
    expect([cost(), cost(BOB)]).toEqual([0, 100]);
  });

  it('follows a correction, by the rate of that trade', () => {
    state(11, 10);
    const { trade } = bought();
    state(2, 1, 1);
    const to = { ...trade, price: 1, notional: 7 };
    expect(bench.apply(adjusted(trade, to))).toMatchObject({ type: 'done' });
    expect([cost(), bench.ledger.lot(`${trade.id}.0`)?.cost]).toEqual([9, 9]);
  });

  it('gives a key back what a sale had lost in dollars', () => {
    state(11, 10);
    const shares = give(ALICE, 10, 1_000);
    const { trade } = sold(admit({ shares: 10, atLeast: 50, lossMax: 900 }), shares, 10, 50, { seller: ALICE });
    expect(use().loss).toBe(450);
    expect(bench.apply(adjusted(trade, { ...trade, price: 60, notional: 600 }))).toMatchObject({ type: 'done' });
    expect(use().loss).toBe(340);
  });
});
