import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../calendar/durations.ts';
import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import { bridgeMovementId } from './bridge-movement-id.ts';
import { orderOfExecution } from './broker-clearing.ts';
import { ALICE, BOB, BOOK, LedgerBench, lot, move, orderState, SHARES, START, USD } from './ledger.fixtures.ts';
import { Ledger } from './ledger.ts';
import { FIRST_RULES, LEDGER_CODE, ruleSetOf } from './ledger-rules.ts';
import { LedgerState } from './ledger-state.ts';
import { LedgerViolation } from './ledger-violation.ts';
import { roomRefusal } from './quotas.ts';
import type { BalanceMove, Trade } from './records.ts';
import type { TradeAdjustment } from './transactions.ts';
import { UNSETTLED_MAX, UNSETTLED_ROOM_FOR_SALES } from './unsettled.ts';

const CLEARING = BOUNDARY_ACCOUNT.brokerClearing;
const TUESDAY = START + DAY_MS;
const WEDNESDAY = START + 2 * DAY_MS;

class Market extends LedgerBench {
  #sequence = 0;

  constructor() {
    super();
    this.transfer('deposit', { amount: 1_000 });
    this.depositLots(BOB, lot({ id: this.id(), account: BOB, quantity: 50, cost: 100 }));
  }

  /** Alice buys at the broker at 10 a share, without a fee. */
  buy(quantity: number, settlesOn: number | null): Trade {
    const id = this.id();
    const order = this.admit({ reserve: 10 * quantity, quantity });
    const trade = this.#trade(id, 'buy', order, quantity, settlesOn);
    this.settle({
      trades: [trade],
      orders: [orderState({ id: order, status: 'filled', filled: quantity, filledNotional: 10 * quantity })],
      balances: [
        move(ALICE, USD, 0),
        move(ALICE, SHARES, quantity, { bought: 10 * quantity }),
        move(CLEARING, USD, 10 * quantity),
        move(CLEARING, SHARES, -quantity),
      ],
      lots: [lot({ id: `${id}.0`, account: ALICE, quantity, cost: 10 * quantity })],
    });
    return trade;
  }

  /** Bob sells at the broker at 10 a share, with a fee of 1 in all. @param clearing what is moved instead of what should be */
  sell(quantity: number, settlesOn: number | null, terms: { bobsCash?: number; clearing?: number } = {}): Trade {
    const id = this.id();
    const order = this.admit({ account: BOB, side: 'sell', reserve: quantity, quantity });
    const reserved = [...this.ledger.allLots()].find(({ account }) => account === BOB);
    const proceeds = 10 * quantity - 1;
    const { bobsCash = settlesOn === null ? proceeds : 0 } = terms;
    const { clearing = -bobsCash - 1 } = terms;
    const trade = this.#trade(id, 'sell', order, quantity, settlesOn);
    const balances: BalanceMove[] = [
      move(BOB, SHARES, 0, { sold: quantity }),
      move(CLEARING, USD, clearing),
      move(CLEARING, SHARES, quantity),
      move(BOUNDARY_ACCOUNT.fees, USD, 1),
    ];
    this.settle({
      trades: [trade],
      orders: [orderState({ id: order, status: 'filled', filled: quantity, filledNotional: 10 * quantity, fee: 1 })],
      balances: bobsCash === 0 ? balances : [...balances, move(BOB, USD, bobsCash)],
      lotMoves: [{ reservationId: order, lotId: reserved?.id ?? '', consumed: quantity, released: 0 }],
    });
    return trade;
  }

  /** Bob sells to Alice at 10 a share: no broker has a part in it. */
  cross(quantity: number, settlesOn: number | null): void {
    const notional = 10 * quantity;
    const [sellOrder, buyOrder] = [
      this.admit({ account: BOB, side: 'sell', reserve: quantity, quantity }),
      this.admit({ reserve: notional, quantity }),
    ];
    const id = this.id();
    const reserved = [...this.ledger.allLots()].find(({ account }) => account === BOB);
    const filled = { status: 'filled', filled: quantity, filledNotional: notional } as const;
    this.settle({
      trades: [{ ...this.#trade(id, 'buy', buyOrder, quantity, settlesOn), sellOrder, seller: BOB }],
      orders: [orderState({ id: buyOrder, ...filled }), orderState({ id: sellOrder, ...filled })],
      balances: [
        move(ALICE, USD, 0),
        move(ALICE, SHARES, quantity, { bought: notional }),
        move(BOB, USD, notional),
        move(BOB, SHARES, 0, { sold: quantity }),
      ],
      lots: [lot({ id: `${id}.0`, account: ALICE, quantity, cost: notional })],
      lotMoves: [{ reservationId: sellOrder, lotId: reserved?.id ?? '', consumed: quantity, released: 0 }],
    });
  }

  requestWithdrawal(amount: number) {
    const terms = { type: 'withdrawal', account: ALICE, asset: SHARES, amount, reference: null } as const;
    return this.apply({ kind: 'transfer_request', id: this.id(), ...terms, createdAt: this.time });
  }

  settleThrough(through: number) {
    return this.apply({ kind: 'settle', id: this.id(), through, createdAt: this.time, event: null });
  }

  adjust(trade: Trade, price: number | null) {
    const { quantity, buyerFee, sellerFee } = trade;
    const to = price === null ? null : { price, quantity, notional: price * quantity, buyerFee, sellerFee };
    const adjustment: TradeAdjustment = {
      kind: 'adjust_trade',
      id: this.id(),
      book: BOOK,
      baseAsset: SHARES,
      quoteAsset: USD,
      tracksLots: true,
      trade,
      to,
      sellKey: null,
      reason: 'an error',
      createdAt: this.time,
      event: null,
    };
    return this.apply(adjustment);
  }

  cash(account: string): number {
    return this.ledger.balance(account, USD).available;
  }

  waiting(account: string, settlesOn = TUESDAY): number | null {
    const [kind, asset] = account === BOB ? (['cash', USD] as const) : (['shares', SHARES] as const);
    return this.ledger.unsettled({ account, asset, kind, settlesOn });
  }

  #trade(id: string, side: 'buy' | 'sell', order: string, quantity: number, settlesOn: number | null): Trade {
    this.#sequence += 1;
    const isBuy = side === 'buy';
    const theirs = orderOfExecution(id);
    return {
      id,
      sequence: this.#sequence,
      price: 10,
      quantity,
      notional: 10 * quantity,
      takerSide: side,
      buyOrder: isBuy ? order : theirs,
      sellOrder: isBuy ? theirs : order,
      buyer: isBuy ? ALICE : CLEARING,
      seller: isBuy ? CLEARING : BOB,
      buyerFee: 0,
      sellerFee: isBuy ? 0 : 1,
      executedAt: this.time,
      settlesOn,
    };
  }
}

describe('cash of a sale that settles later', () => {
  it('waits in broker clearing, where it can be neither spent nor withdrawn, and is the account’s once its day has come', () => {
    const market = new Market();
    market.sell(4, TUESDAY);
    expect([market.cash(BOB), market.cash(CLEARING), market.waiting(BOB)]).toEqual([0, -1, 39]);
    expect(market.refusalOf({ account: BOB, reserve: 1 })).toMatchObject({ refusal: 'balance', available: 0 });
    expect(market.transfer('withdrawal', { account: BOB, amount: 1 })).toMatchObject({ type: 'insufficient_balance' });
    expect(market.settleThrough(TUESDAY - DAY_MS)).toEqual({ type: 'nothing_due' });
    market.restart();
    const sum = { account: BOB, asset: USD, kind: 'cash', settlesOn: TUESDAY, amount: 39 };
    expect(market.settleThrough(TUESDAY)).toEqual({ type: 'done', settled: [sum] });
    expect([market.cash(BOB), market.cash(CLEARING), market.waiting(BOB)]).toEqual([39, -40, null]);
    expect(market.settleThrough(TUESDAY)).toEqual({ type: 'nothing_due' });
    expect(market.ledger.violations()).toEqual([]);
  });

  it('of one day is one sum, and each day settles by itself, the earliest first', () => {
    const market = new Market();
    market.sell(1, WEDNESDAY);
    market.sell(4, TUESDAY);
    market.sell(2, TUESDAY);
    expect(market.ledger.balances(BOB).find(({ asset }) => asset === USD)).toMatchObject({ unsettled: 67 });
    expect(market.settleThrough(TUESDAY)).toMatchObject({ settled: [{ amount: 58 }] });
    expect([market.cash(BOB), market.waiting(BOB, WEDNESDAY)]).toEqual([58, 9]);
    market.sell(1, TUESDAY);
    expect(market.settleThrough(WEDNESDAY)).toMatchObject({
      settled: [{ settlesOn: TUESDAY }, { settlesOn: WEDNESDAY }],
    });
    expect(market.cash(BOB)).toBe(76);
  });

  it('is paid at once where the trade names no day', () => {
    const market = new Market();
    market.sell(4, null);
    expect([market.cash(BOB), market.waiting(BOB)]).toEqual([39, null]);
  });

  it.each([
    ['is not paid at once as well', { bobsCash: 39 }],
    ['leaves nothing else in broker clearing', { clearing: -2, bobsCash: 1 }],
  ])('%s: the chunk is refused', (_, terms) => {
    expect(() => new Market().sell(4, TUESDAY, terms)).toThrow(LedgerViolation);
  });

  it('waits for a day, and for no moment of one', () => {
    expect(() => new Market().sell(4, TUESDAY + 1)).toThrow(LedgerViolation);
  });

  it('waits of a broker’s execution alone: a trade of two of our accounts settles at once', () => {
    expect(() => new Market().cross(4, TUESDAY)).toThrow(LedgerViolation);
    const market = new Market();
    market.cross(4, null);
    expect([market.cash(BOB), market.waiting(ALICE)]).toEqual([40, null]);
  });

  it('settles in parts', () => {
    const market = new Market();
    for (let day = 1; day <= 50; day++) market.sell(1, START + day * DAY_MS);
    const state = new LedgerState(LEDGER_CODE.known, FIRST_RULES, ruleSetOf(LEDGER_CODE.known, 1));
    for (let n = 0; n < 1_201; n++)
      state.unsettled.add({ account: `${n}`, asset: USD, kind: 'shares', settlesOn: TUESDAY }, 1);
    expect(
      [0, 1, 2].map(() => state.unsettled.due(TUESDAY, 500).map((sum) => state.unsettled.remove(sum)).length),
    ).toEqual([500, 500, 201]);
    expect(market.settleThrough(START + 50 * DAY_MS)).toMatchObject({ type: 'done', settled: { length: 50 } });
  });
});

describe('shares of a purchase that settles later', () => {
  it('stand in the account and may be sold, and may not leave it before their day', () => {
    const market = new Market();
    market.depositLots(ALICE, lot({ id: market.id(), quantity: 3 }));
    market.buy(5, TUESDAY);
    expect([market.ledger.balance(ALICE, SHARES).available, market.waiting(ALICE)]).toEqual([8, 5]);
    const shares = { asset: SHARES, amount: 4 };
    expect(market.transfer('withdrawal', shares)).toEqual({ type: 'unsettled', required: 4, available: 3 });
    expect(market.transfer('withdrawal', { ...shares, amount: 3 })).toMatchObject({ type: 'done' });
    expect(market.refusalOf({ side: 'sell', reserve: 5, quantity: 5 })).toBeNull();
    market.settleThrough(TUESDAY);
    expect(market.transfer('withdrawal', { ...shares, amount: 6 })).toMatchObject({ type: 'insufficient_balance' });
    expect(market.waiting(ALICE)).toBeNull();
    expect(market.ledger.violations()).toEqual([]);
  });

  it('are not held for a request to withdraw them before their day', () => {
    const market = new Market();
    market.buy(5, TUESDAY);
    expect(market.requestWithdrawal(5)).toEqual({ type: 'insufficient_balance', required: 5, available: 0 });
    market.settleThrough(TUESDAY);
    expect(market.requestWithdrawal(5)).toEqual({ type: 'done' });
  });

  it('leave by no vault of the bridge before their day', () => {
    const market = new Market();
    const vault = { organization: 'acme', chain: 'ethereum' };
    const move = (type: 'mint' | 'burn', account: string) => {
      const transfer = market.id();
      return market.apply({
        kind: 'bridge',
        id: bridgeMovementId(transfer, type === 'burn' ? 'debit' : 'payout'),
        transfer,
        createdAt: market.time,
        asset: SHARES,
        amount: 5,
        type,
        account,
        vault,
      });
    };
    market.buy(5, TUESDAY);
    expect(move('mint', BOB)).toEqual({ type: 'done' });
    expect(move('burn', ALICE)).toEqual({ type: 'insufficient_balance', required: 5, available: 0 });
    market.settleThrough(TUESDAY);
    expect(move('burn', ALICE)).toEqual({ type: 'done' });
  });

  it('may leave at once where the trade names no day', () => {
    const market = new Market();
    market.buy(5, null);
    expect(market.transfer('withdrawal', { asset: SHARES, amount: 5 })).toMatchObject({ type: 'done' });
  });
});

describe('a trade that is adjusted', () => {
  it('takes back what has not settled from what waits, whatever the seller has', () => {
    const market = new Market();
    market.sell(1, TUESDAY);
    const sale = market.sell(4, TUESDAY);
    expect(market.adjust(sale, null)).toMatchObject({ type: 'done', unsettled: { amount: -39 } });
    expect([market.cash(BOB), market.cash(CLEARING), market.waiting(BOB)]).toEqual([0, -1, 9]);
    expect(market.ledger.balance(BOB, SHARES).available).toBe(49);
    const purchase = market.buy(5, TUESDAY);
    expect(market.adjust(purchase, null)).toMatchObject({ type: 'done', unsettled: { kind: 'shares', amount: -5 } });
    expect([market.cash(ALICE), market.waiting(ALICE)]).toEqual([1_000, 0]);
    expect(market.ledger.violations()).toEqual([]);
  });

  it('at another price changes what waits', () => {
    const market = new Market();
    const sale = market.sell(4, TUESDAY);
    expect(market.adjust(sale, 12)).toMatchObject({ type: 'done', unsettled: { amount: 8 } });
    market.settleThrough(TUESDAY);
    expect([market.cash(BOB), market.cash(CLEARING)]).toEqual([47, -48]);
  });

  it('takes back from the seller what has settled', () => {
    const market = new Market();
    const sale = market.sell(4, TUESDAY);
    market.settleThrough(TUESDAY);
    const adjusted = market.adjust(sale, null);
    expect(adjusted).toMatchObject({ type: 'done' });
    expect(adjusted).not.toHaveProperty('unsettled');
    expect([market.cash(BOB), market.cash(CLEARING)]).toEqual([0, 0]);
  });
});

it('where as much waits as may, no order is admitted whose book settles later; sales have room beyond', () => {
  const state = new LedgerState(LEDGER_CODE.known, FIRST_RULES, ruleSetOf(LEDGER_CODE.known, 1));
  const bench = new LedgerBench();
  const [later, atOnce] = [bench.batch(), bench.batch({ book: 'COIN-USD' })];
  const holds = { account: ALICE, allowanceAsset: null, positionAsset: null };
  const buy = { ...holds, reserveAsset: USD } as Parameters<typeof roomRefusal>[2];
  const sell = { ...holds, reserveAsset: SHARES } as Parameters<typeof roomRefusal>[2];
  const wait = (from: number, to: number): void => {
    for (let n = from; n < to; n++)
      state.unsettled.add({ account: `${n}`, asset: USD, kind: 'cash', settlesOn: TUESDAY }, 1);
  };
  state.unsettled.books.add(BOOK);
  wait(1, UNSETTLED_MAX);
  expect(roomRefusal(state, later, buy)).toBeNull();
  wait(0, 1);
  expect(roomRefusal(state, later, buy)).toMatchObject({ refusal: 'ledger_full' });
  expect([roomRefusal(state, later, sell), roomRefusal(state, atOnce, buy)]).toEqual([null, null]);
  wait(UNSETTLED_MAX, UNSETTLED_MAX + UNSETTLED_ROOM_FOR_SALES);
  expect(roomRefusal(state, later, sell)).toMatchObject({ refusal: 'ledger_full' });
});

it('M-03: where others have as many sums as are shared, an account with few goes on, and one with many does not', () => {
  const state = new LedgerState(LEDGER_CODE.known, FIRST_RULES, ruleSetOf(LEDGER_CODE.known, 1));
  const later = new LedgerBench().batch();
  const buy = { account: ALICE, allowanceAsset: null, positionAsset: null, reserveAsset: USD };
  const refusal = () => roomRefusal(state, later, buy as Parameters<typeof roomRefusal>[2]);
  const wait = (account: string, asset: string) =>
    state.unsettled.add({ account, asset, kind: 'cash', settlesOn: TUESDAY }, 1);
  state.unsettled.books.add(BOOK);
  state.balances.open(ALICE, USD);
  for (let n = 0; n < 50_000; n++) wait(`${n}`, USD);
  for (let n = 1; n < 100; n++) wait(ALICE, `asset-${n}`);
  expect(refusal()).toBeNull();
  wait(ALICE, USD);
  expect(refusal()).toEqual({ refusal: 'account_unsettled', quota: 100 });
  const [sum] = state.unsettled.due(TUESDAY, UNSETTLED_MAX).filter(({ account }) => account === ALICE);
  if (sum !== undefined) state.unsettled.remove(sum);
  expect(refusal()).toBeNull();
});

it('a restored ledger knows which books settle later', () => {
  const market = new Market();
  const before = market.ledger.stateHash();
  market.sell(1, TUESDAY);
  market.settleThrough(TUESDAY);
  expect(market.ledger.stateHash()).not.toBe(before);
  expect(Ledger.restore([...market.ledger.checkpoint()]).stateHash()).toBe(market.ledger.stateHash());
});

it('a ledger without anything that waits has the hash of before', () => {
  const market = new Market();
  const before = market.ledger.stateHash();
  market.sell(1, TUESDAY);
  expect(market.ledger.stateHash()).not.toBe(before);
  expect(Ledger.restore([...market.ledger.checkpoint()]).stateHash()).toBe(market.ledger.stateHash());
});
