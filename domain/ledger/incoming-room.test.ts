import { describe, expect, it } from 'vitest';
import { AMOUNT_MAX } from './balances.ts';
import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import { bridgeMovementId } from './bridge-movement-id.ts';
import { orderOfExecution } from './broker-clearing.ts';
import type { CheckpointPiece } from './columns.ts';
import {
  ALICE,
  amendment,
  BOB,
  chunk,
  idAt,
  LedgerBench,
  move,
  order,
  orderState,
  START,
  storedPieces,
  USD,
} from './ledger.fixtures.ts';
import { Ledger } from './ledger.ts';
import { LEDGER_CODE } from './ledger-rules.ts';
import { LedgerViolation } from './ledger-violation.ts';
import type { OrderAdmission, SettlementChunk, Trade } from './records.ts';
import type { BreakBooking, TradeAdjustment } from './transactions.ts';

const COIN = 'coin';
const CLEARING = BOUNDARY_ACCOUNT.primeClearing;
const CAROL = idAt(0, 3);
const DAVE = idAt(0, 4);
/** What one account may be brought where nobody has any: half of what is not kept. */
const MOST = AMOUNT_MAX - AMOUNT_MAX / 8;
const NO_LOTS = { baseAsset: COIN, tracksLots: false } as const;

/** A ledger with a book whose orders are handed over, under a version of the rules. */
class Venue extends LedgerBench {
  #executions = 0;

  constructor(version = LEDGER_CODE.rules.version) {
    super();
    if (version !== this.ledger.rules.version) this.ledger = new Ledger();
    if (this.ledger.rules.version !== version) throw new Error(`no ledger of version ${version}`);
    for (const account of [ALICE, BOB, CAROL, DAVE]) this.transfer('deposit', { account, amount: 1_000_000 });
  }

  /** What an order came to: its id, or its refusal. */
  place(incoming: number, terms: Partial<OrderAdmission> = {}) {
    const id = this.id();
    const [refused] = this.send({ ...NO_LOTS, orders: [order({ id, reserve: 1, incoming, ...terms })] }).refused;
    return refused ?? id;
  }

  admitted(incoming: number, terms: Partial<OrderAdmission> = {}): string {
    const id = this.place(incoming, terms);
    if (typeof id !== 'string') throw new Error(`refused: ${id.refusal}`);
    return id;
  }

  tell(terms: Partial<SettlementChunk>): void {
    this.send({ ...NO_LOTS, chunks: [chunk(terms)] });
  }

  /** A purchase of `quantity` for nothing, after which the order may bring `left`. */
  bring(id: string, quantity: number, left: number, account = ALICE): void {
    this.#executions += 1;
    const trade: Trade = {
      id: this.id(),
      sequence: this.#executions,
      price: 1,
      quantity,
      notional: 0,
      takerSide: 'buy',
      buyOrder: id,
      sellOrder: orderOfExecution(`x${this.#executions}`),
      buyer: account,
      seller: CLEARING,
      buyerFee: 0,
      sellerFee: 0,
      executedAt: this.time,
    };
    const state =
      left === 0
        ? orderState({ id, status: 'filled' })
        : orderState({ id, status: 'partially_filled', reserve: 1, incoming: left });
    const freed = left === 0 ? [move(account, USD, 1)] : [];
    const moves = [move(account, COIN, quantity), move(CLEARING, COIN, -quantity), ...freed];
    this.tell({ trades: [trade], orders: [state], balances: moves });
  }
}

/** Cash that comes in by a vault. */
const TRANSFER = idAt(START, 1);
const MINT = {
  kind: 'bridge',
  id: bridgeMovementId(TRANSFER, 'payout'),
  transfer: TRANSFER,
  type: 'mint',
  account: DAVE,
  asset: USD,
  vault: { organization: 'org', chain: 'chain' },
  createdAt: START,
} as const;

const refusal = (available: number, required: number) => ({ refusal: 'holding', available, required });

describe('what an order at a broker may bring', () => {
  it('is counted with what the account has and what its open orders may bring, to the unit', () => {
    const venue = new Venue();
    venue.bring(venue.admitted(100), 100, 0);
    venue.admitted(MOST - 110);
    expect(venue.place(11)).toMatchObject(refusal(10, 11));
    venue.admitted(10);
    expect(venue.place(1)).toMatchObject(refusal(0, 1));
    expect(venue.ledger.violations()).toEqual([]);
  });

  it('is looked at before cash, and after the limits that come before cash', () => {
    const venue = new Venue();
    venue.admitted(MOST);
    const dear = { reserve: 2_000_000 };
    expect(venue.place(1, dear)).toMatchObject({ refusal: 'holding' });
    const limited = { ...dear, allowanceAsset: 'allowance', allowance: 1 };
    expect(venue.place(1, limited)).toMatchObject({ refusal: 'allowance' });
  });

  it('becomes what the account has as it executes, and ends with its order', () => {
    const venue = new Venue();
    const first = venue.admitted(MOST - 5);
    venue.bring(first, 1_000, MOST - 1_005);
    expect(venue.place(6)).toMatchObject(refusal(5, 6));
    venue.tell({ orders: [orderState({ id: first })], balances: [move(ALICE, USD, 1)] });
    expect(venue.place(AMOUNT_MAX)).toMatchObject(refusal(MOST - 1_000, AMOUNT_MAX));
    venue.admitted(MOST - 1_000);
  });

  it('of an amendment counts until its order says what it may bring from there on', () => {
    const venue = new Venue();
    const id = venue.admitted(MOST - 10);
    const [tooMuch, fits] = [venue.id(), venue.id()];
    const ask = (amendmentId: string, incoming: number) =>
      venue.send({ ...NO_LOTS, amendments: [amendment({ id: amendmentId, orderId: id, incoming })] }).refused;
    expect(ask(tooMuch, 11)).toMatchObject([refusal(10, 11)]);
    expect(ask(fits, 10)).toEqual([]);
    expect(venue.place(1)).toMatchObject(refusal(0, 1));
    // It was carried out: the order may bring all of it.
    venue.tell({
      orders: [orderState({ id, status: 'open', reserve: 1, incoming: MOST })],
      amendments: [fits],
    });
    expect(venue.place(1)).toMatchObject(refusal(0, 1));
    venue.tell({ orders: [orderState({ id, status: 'open', reserve: 1, incoming: 7 })] });
    venue.admitted(MOST - 7);
  });

  it('of a sale is cash, with that which waits to settle', () => {
    const venue = new Venue();
    venue.bring(venue.admitted(10), 10, 0);
    const sell = { side: 'sell', reserveAsset: COIN } as const;
    const id = venue.admitted(500, sell);
    const waiting: Trade = {
      id: venue.id(),
      sequence: 9,
      price: 1,
      quantity: 1,
      notional: 400,
      takerSide: 'sell',
      buyOrder: orderOfExecution('x9'),
      sellOrder: id,
      buyer: BOUNDARY_ACCOUNT.brokerClearing,
      seller: ALICE,
      buyerFee: 0,
      sellerFee: 0,
      executedAt: venue.time,
      settlesOn: START + 86_400_000,
    };
    const shares = [move(ALICE, COIN, 0, { sold: 1 }), move(BOUNDARY_ACCOUNT.brokerClearing, COIN, 1)];
    venue.tell({ trades: [waiting], orders: [orderState({ id, status: 'filled' })], balances: shares });
    // Half of what is free beyond the cash of all, less what the account has; it is told by a power of two, since others have some, too.
    const room = MOST - (4_000_400 + 1_000_400) / 2;
    expect(venue.place(AMOUNT_MAX, sell)).toMatchObject(refusal(2 ** 50, AMOUNT_MAX));
    expect(venue.place(room + 1, sell)).toMatchObject(refusal(2 ** 50, room + 1));
    venue.admitted(room, sell);
    expect(venue.ledger.violations()).toEqual([]);
  });

  it('leaves as much free for others as one has: nobody takes the room of all', () => {
    const venue = new Venue();
    venue.admitted(MOST);
    expect(venue.place(AMOUNT_MAX, { account: BOB })).toMatchObject(refusal(2 ** 49, AMOUNT_MAX));
    venue.admitted(MOST / 2, { account: BOB });
    expect(venue.place(AMOUNT_MAX, { account: CAROL })).toMatchObject(refusal(2 ** 48, AMOUNT_MAX));
    venue.admitted(1_000, { account: DAVE });
  });

  it('leaves each what a sale of three million dollars counts at, though a hundred accounts take all that they may', () => {
    const venue = new Venue();
    const accounts = Array.from({ length: 101 }, (_, at) => idAt(0, 100 + at));
    for (const account of accounts) venue.transfer('deposit', { account, amount: 10 });
    for (const account of accounts.slice(0, 100)) {
      let refused = venue.place(AMOUNT_MAX, { account });
      for (let told = 1; typeof refused !== 'string' && told > 0; ) {
        told = refused.refusal === 'holding' ? refused.available : 0;
        if (told > 0) venue.admitted(told, { account });
        refused = venue.place(AMOUNT_MAX, { account });
        if (typeof refused !== 'string' && refused.refusal === 'holding' && refused.available < 2 ** 30) break;
      }
    }
    venue.admitted(2 ** 36, { account: accounts[100] as string });
    expect(venue.ledger.violations()).toEqual([]);
  });

  it('is refused while so much was given at brokers that more would not be exact', () => {
    const venue = new Venue();
    const deposited = AMOUNT_MAX - 4_000_000;
    venue.transfer('deposit', { account: DAVE, amount: deposited });
    const pay = (notional: number, number: number) =>
      expect(resolve(venue, number, { account: DAVE, notional })).toMatchObject({ type: 'done' });
    pay(deposited, 1);
    venue.admitted(1);
    expect(venue.apply({ ...MINT, amount: 4_000_000 })).toMatchObject({ type: 'done' });
    pay(5_000_000, 2);
    expect(venue.place(1)).toMatchObject(refusal(0, 1));
    expect(venue.ledger.violations()).toEqual([]);
  });

  it('stands in a checkpoint and in the hash of the state', () => {
    const venue = new Venue();
    const before = venue.ledger.stateHash();
    const id = venue.admitted(MOST - 10);
    const after = venue.ledger.stateHash();
    venue.restart();
    expect(venue.ledger.stateHash()).toBe(after);
    expect(venue.place(11)).toMatchObject(refusal(10, 11));
    venue.tell({ orders: [orderState({ id })], balances: [move(ALICE, USD, 1)] });
    venue.admitted(MOST);
    expect(before).not.toBe(after);
    const hashes = [1, 2].map((incoming) => {
      const other = new Venue();
      other.admitted(incoming);
      return other.ledger.stateHash();
    });
    expect(new Set(hashes).size).toBe(2);
  });

  it('is nothing in a checkpoint from before it was counted', () => {
    const venue = new Venue(1);
    const id = venue.admitted(0);
    const pieces = storedPieces(venue.ledger).map(withoutAssets);
    venue.ledger = Ledger.restore(pieces);
    venue.apply({ kind: 'ledger_rules', version: LEDGER_CODE.rules.version, limits: venue.ledger.rules.limits });
    venue.admitted(MOST - 3);
    // Its book says so once it has touched the order.
    venue.tell({ orders: [orderState({ id, status: 'open', reserve: 1, incoming: 3 })] });
    expect(venue.place(1)).toMatchObject(refusal(0, 1));
  });

  it('bounded nothing under the first version of the rules, and is counted for the second', () => {
    const venue = new Venue(1);
    venue.admitted(AMOUNT_MAX);
    venue.admitted(AMOUNT_MAX);
    venue.apply({ kind: 'ledger_rules', version: 2, limits: venue.ledger.rules.limits });
    expect(venue.place(1)).toMatchObject(refusal(0, 1));
  });

  it.each([-1, 0.5, 2 ** 53])('is an amount: %d is none', (incoming) => {
    expect(() => new Venue().place(incoming)).toThrow(LedgerViolation);
    const venue = new Venue();
    const id = venue.admitted(1);
    expect(() => venue.tell({ orders: [orderState({ id, status: 'open', reserve: 1, incoming })] })).toThrow(
      LedgerViolation,
    );
  });
});

function booking(terms: Partial<BreakBooking>): BreakBooking {
  return {
    route: 'prime',
    baseAsset: COIN,
    quoteAsset: USD,
    tracksLots: false,
    account: ALICE,
    side: 'buy',
    executionId: 'e1',
    price: 1,
    quantity: 1,
    notional: 1,
    executedAt: START,
    ...terms,
  };
}

/** Books a break. */
function resolve(venue: Venue, number: number, terms: Partial<BreakBooking>) {
  return venue.apply({
    kind: 'resolve_break',
    id: venue.id(),
    book: 'COIN-USD',
    breakId: `b${number}`,
    booking: booking({ executionId: `e${number}`, ...terms }),
    reason: 'told by the broker',
    by: 'ops',
    createdAt: START,
    event: null,
  });
}

describe('what comes without an order', () => {
  it('is booked while all accounts together stay exact, also with what open orders may bring', () => {
    const venue = new Venue();
    expect(resolve(venue, 1, { quantity: AMOUNT_MAX })).toMatchObject({ type: 'done' });
    expect(resolve(venue, 2, { account: BOB, quantity: AMOUNT_MAX / 2 })).toMatchObject({ type: 'done' });
    const open = venue.admitted(AMOUNT_MAX / 8, { account: CAROL });
    const rest = AMOUNT_MAX - AMOUNT_MAX / 8;
    expect(resolve(venue, 3, { account: DAVE, quantity: rest + 1 })).toEqual({ type: 'balance_too_large' });
    expect(resolve(venue, 3, { account: DAVE, quantity: rest })).toMatchObject({ type: 'done' });
    venue.bring(open, AMOUNT_MAX / 8, 0, CAROL);
    expect(venue.ledger.violations()).toEqual([]);
  });

  it('was booked under the first version of the rules as long as clearing stayed exact', () => {
    const venue = new Venue(1);
    for (const [number, account] of [ALICE, BOB, CAROL].entries())
      expect(resolve(venue, number, { account, quantity: AMOUNT_MAX })).toMatchObject({ type: 'done' });
  });

  it('comes back by a bust while all accounts together stay exact', () => {
    const venue = new Venue();
    expect(resolve(venue, 1, { account: BOB, quantity: AMOUNT_MAX })).toMatchObject({ type: 'done' });
    const id = venue.admitted(0, { account: BOB, side: 'sell', reserveAsset: COIN, reserve: 1_000 });
    const trade: Trade = {
      id: venue.id(),
      sequence: 1,
      price: 1,
      quantity: 1_000,
      notional: 0,
      takerSide: 'sell',
      buyOrder: orderOfExecution('x1'),
      sellOrder: id,
      buyer: CLEARING,
      seller: BOB,
      buyerFee: 0,
      sellerFee: 0,
      executedAt: venue.time,
    };
    venue.tell({
      trades: [trade],
      orders: [orderState({ id, status: 'filled' })],
      balances: [move(BOB, COIN, 0, { sold: 1_000 }), move(CLEARING, COIN, 1_000)],
    });
    const bust = (): TradeAdjustment => ({
      kind: 'adjust_trade',
      id: venue.id(),
      book: 'COIN-USD',
      ...NO_LOTS,
      quoteAsset: USD,
      trade,
      to: null,
      sellKey: null,
      reason: 'it never was',
      createdAt: venue.time,
      event: null,
    });
    expect(resolve(venue, 2, { account: CAROL, quantity: AMOUNT_MAX })).toMatchObject({ type: 'done' });
    expect(resolve(venue, 3, { account: DAVE, quantity: 1_000 })).toMatchObject({ type: 'done' });
    expect(resolve(venue, 4, { account: ALICE, quantity: AMOUNT_MAX / 2 })).toMatchObject({ type: 'done' });
    expect(venue.apply(bust())).toEqual({ type: 'balance_too_large' });
    venue.transfer('withdrawal', { account: DAVE, asset: COIN, amount: 1_000 });
    expect(venue.apply(bust())).toMatchObject({ type: 'done' });
    expect(venue.ledger.violations()).toEqual([]);
  });
});

/** As checkpoints were before what comes in was counted. */
function withoutAssets(piece: CheckpointPiece): CheckpointPiece {
  if (piece.name !== 'rest') return piece;
  const { reservations, ...rest } = JSON.parse(new TextDecoder().decode(piece.data));
  const { assets: _, ...kept } = reservations;
  return { name: piece.name, data: new TextEncoder().encode(JSON.stringify({ ...rest, reservations: kept })) };
}
