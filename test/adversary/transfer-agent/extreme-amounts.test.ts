import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { AMOUNT_MAX, COST_MAX } from '../../../domain/ledger/balances.ts';
import { bridgeMovementId } from '../../../domain/ledger/bridge-movement-id.ts';
import {
  ALICE,
  BOB,
  BOOK,
  idAt,
  LedgerBench,
  lot,
  lotMove,
  move,
  orderState,
  SHARES,
  START,
  USD,
} from '../../../domain/ledger/ledger.fixtures.ts';
import type { BatchOutcome, OwnOutcome } from '../../../domain/ledger/outcomes.ts';
import { SimpleBook } from '../../../domain/ledger/simple-book.fixtures.ts';
import { SPLIT_RATIO_MAX, splitUnits } from '../../../domain/ledger/split-units.ts';
import type { Conversion, Split, SplitBegin } from '../../../domain/ledger/transactions.ts';

const ISSUANCE = 'boundary:issuance';
const REGISTER = 'boundary:register';
const SURVIVOR = 'survivor';
const ACCOUNTS = [ALICE, BOB] as const;
const MAX = Number.MAX_SAFE_INTEGER;

/** The ends of every range that a door accepts, and what lies just beyond the ledger's own. */
const amount = fc.constantFrom(1, 2, 999, 2 ** 31, 2 ** 50, AMOUNT_MAX - 1, AMOUNT_MAX, AMOUNT_MAX + 1, MAX - 1, MAX);
const cost = fc.constantFrom(0, 1, 2 ** 31, COST_MAX - 1, COST_MAX, COST_MAX + 1, MAX);
const moment = fc.constantFrom(-8.64e15, 0, 1, START, 8.64e15);
const who = fc.constantFrom(...ACCOUNTS);
const asset = fc.constantFrom(USD, SHARES, SURVIVOR);
const ratio = fc.constantFrom([1, 2], [2, 1], [1, SPLIT_RATIO_MAX], [SPLIT_RATIO_MAX, 1], [999, SPLIT_RATIO_MAX]);
const fractions = fc.constantFrom('round_up' as const, 'cash_in_lieu' as const);
const brought = fc.array(fc.record({ quantity: amount, cost, acquiredAt: moment, ends: fc.option(moment) }), {
  minLength: 1,
  maxLength: 3,
});
const price = fc.constantFrom(2, 999, 2 ** 20, 2 ** 45);

const step = fc.oneof(
  fc.record({ type: fc.constant('deposit' as const), who, asset, amount, cost, brought }),
  fc.record({ type: fc.constant('withdraw' as const), who, asset, amount }),
  fc.record({ type: fc.constant('request' as const), who, amount, cost, isDeposit: fc.boolean() }),
  fc.record({ type: fc.constant('grant' as const), who, amount, isTaken: fc.boolean() }),
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('issue' as const),
      who,
      asset: fc.constantFrom(SHARES, SURVIVOR),
      brought,
    }),
  },
  fc.record({ type: fc.constant('cancel' as const), who, asset: fc.constantFrom(SHARES, SURVIVOR), amount }),
  fc.record({ type: fc.constant('split' as const), ratio, fractions, isConversion: fc.boolean() }),
  fc.record({ type: fc.constant('distribute' as const), who, amount, isPaid: fc.boolean() }),
  fc.record({ type: fc.constant('bridge' as const), who, amount, chain: fc.constantFrom('a', 'b', 'c', 'd', 'e') }),
  fc.record({ type: fc.constant('rate' as const), numerator: amount, denominator: amount }),
  fc.record({ type: fc.constant('adjust' as const), who, cost: amount, price: amount, isBust: fc.boolean() }),
  fc.record({ type: fc.constant('book' as const), who, amount, cost: amount, isBuy: fc.boolean() }),
  fc.record({ type: fc.constant('settle' as const) }),
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('order' as const),
      who,
      isBuy: fc.boolean(),
      quantity: fc.constantFrom(1, 2, 2 ** 19, 2 ** 20),
      price,
      limit: fc.option(fc.constantFrom(COST_MAX, MAX - 1)),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('amend' as const),
      pick: fc.nat(9),
      price,
      more: fc.constantFrom(1 - 2 ** 50, 1 - 2 ** 20, -1, 0, 1, 2 ** 20, 2 ** 45),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('fill' as const),
      pick: fc.nat(9),
      quantity: fc.constantFrom(1, 2 ** 50),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A book's notional and fees stay exact, as order entry has it. */
function isNotionalExact(each: number, quantity: number): boolean {
  return quantity * (each + 1) < MAX / 2;
}

class Venue {
  readonly bench = new LedgerBench();
  readonly #shares = new SimpleBook(1, 'SHARES-USD', SHARES, USD, true);
  #rate = 0;

  constructor() {
    this.#shares.nextOwner();
    const { symbol: book, owner } = this.#shares;
    this.#shares.taken(this.bench.apply({ kind: 'own', book, owner, previousOwner: '' }) as OwnOutcome, null);
  }

  /** Somebody who can buy, and somebody who can sell: few shares that have cost much. */
  begin(): void {
    this.bench.transfer('deposit', { account: ALICE, amount: 2 ** 50 });
    const first = [{ quantity: 2 ** 20, cost: COST_MAX - 5, acquiredAt: 1, ends: null }];
    this.play({ type: 'issue', who: BOB, asset: SHARES, brought: first });
  }

  play(step: Step): void {
    const { bench } = this;
    const terms = { createdAt: START, event: null } as const;
    switch (step.type) {
      case 'deposit': {
        const tracksLots = step.asset !== USD;
        const lots = tracksLots ? this.#lotsOf(step.who, step.brought) : [];
        const total = lots.reduce((sum, { quantity }) => sum + quantity, 0);
        const paid = lots.reduce((sum, each) => sum + each.cost, 0);
        const taken = tracksLots ? { amount: total, cost: paid } : { amount: step.amount, cost: step.cost };
        bench.transfer('deposit', { account: step.who, asset: step.asset, tracksLots, lots, ...taken });
        return;
      }
      case 'withdraw': {
        const tracksLots = step.asset !== USD;
        bench.transfer('withdrawal', { account: step.who, asset: step.asset, tracksLots, amount: step.amount });
        return;
      }
      case 'request': {
        const id = bench.id();
        const type = step.isDeposit ? 'deposit' : 'withdrawal';
        const asked = { account: step.who, asset: USD, amount: step.amount, reference: null, createdAt: START };
        bench.apply({ kind: 'transfer_request', id, type, ...asked });
        for (const decision of ['approve', 'execute', 'reject'] as const) {
          const decided = { request: id, account: step.who, decision, cost: step.cost, reason: null, ...terms };
          bench.apply({ kind: 'transfer_decision', id: bench.id(), ...decided });
        }
        return;
      }
      case 'grant':
        bench.grant(step.who, 'allowance', step.isTaken ? -step.amount : step.amount);
        return;
      case 'issue': {
        const lots = this.#lotsOf(step.who, step.brought);
        const change = lots.reduce((sum, { quantity }) => sum + quantity, 0);
        const legs = [
          { account: ISSUANCE, change: -change, lots: [] },
          { account: step.who, change, lots },
        ];
        bench.apply({ kind: 'register_entry', id: bench.id(), asset: step.asset, legs, ...terms });
        return;
      }
      case 'cancel': {
        const legs = [
          { account: step.who, change: -step.amount, lots: [] },
          { account: ISSUANCE, change: step.amount, lots: [] },
        ];
        bench.apply({ kind: 'register_entry', id: bench.id(), asset: step.asset, legs, ...terms });
        return;
      }
      case 'split':
        this.#split(step);
        return;
      case 'distribute': {
        const legs = [{ account: step.who, change: step.isPaid ? step.amount : -step.amount }];
        const said = { asset: USD, legs, reference: 'Dividend', createdAt: START };
        bench.apply({ kind: 'distribution', id: bench.id(), ...said });
        return;
      }
      case 'bridge': {
        const transfer = bench.id();
        for (const [type, purpose] of [
          ['mint', 'payout'],
          ['burn', 'debit'],
        ] as const) {
          if (type === 'burn' && step.amount % 2 === 0) continue;
          const id = bridgeMovementId(transfer, purpose);
          const vault = { organization: 'acme', chain: step.chain };
          const moved = { type, account: step.who, asset: USD, amount: step.amount, vault, createdAt: START };
          bench.apply({ kind: 'bridge', id, transfer, ...moved });
        }
        return;
      }
      case 'rate': {
        const [numerator, denominator] = [step.numerator, step.denominator].map((term) => Math.min(term, 10 ** 15));
        const said = { asset: USD, expectedVersion: this.#rate, numerator: numerator as number, ...terms };
        bench.apply({ kind: 'rate', id: bench.id(), denominator: denominator as number, ...said });
        this.#rate += 1;
        return;
      }
      case 'adjust':
        this.#adjust(step);
        return;
      case 'book': {
        const booking = {
          route: 'broker' as const,
          baseAsset: 'listed',
          quoteAsset: USD,
          tracksLots: true,
          account: step.who,
          side: step.isBuy ? ('buy' as const) : ('sell' as const),
          executionId: bench.id(),
          price: 1,
          quantity: step.amount,
          notional: step.cost,
          executedAt: START,
          settlesOn: step.amount % 2 === 0 ? START + DAY_MS : null,
        };
        const said = { book: 'LISTED-USD', breakId: bench.id(), booking, reason: 'a break', ...terms };
        bench.apply({ kind: 'resolve_break', id: bench.id(), ...said } as never);
        return;
      }
      case 'settle':
        bench.apply({ kind: 'settle', id: bench.id(), through: START + DAY_MS, ...terms });
        return;
      case 'order': {
        const { who: account, quantity, isBuy } = step;
        if (!isNotionalExact(step.price, quantity)) return;
        const daily = step.limit === null ? null : { notionalMax: step.limit, lossMax: step.limit };
        const limits = { isLimited: false, hasPosition: false, daily, rate: null };
        const placed = { id: bench.id(), account, side: isBuy ? ('buy' as const) : ('sell' as const), quantity };
        const admission = this.#shares.admissionOf({ ...placed, price: step.price, ...limits });
        const version = daily === null || this.#rate === 0 ? {} : { rateVersion: this.#rate };
        this.#shares.place({ ...admission, keyId: daily === null ? null : `key of ${account}`, ...version });
        this.#send();
        return;
      }
      case 'amend': {
        const order = this.#shares.open[step.pick % this.#shares.open.length];
        if (order === undefined || order.remaining + step.more <= 0) return;
        if (!isNotionalExact(step.price, order.quantity + step.more)) return;
        const { limitedKey } = order;
        this.#shares.amend(bench.id(), order, { more: step.more, price: step.price, limitedKey }, 1, 1);
        this.#send();
        return;
      }
      case 'fill': {
        const crossings = this.#shares.crossings();
        const [buy, sell] = crossings[step.pick % crossings.length] ?? [];
        if (buy !== undefined && sell !== undefined) this.#shares.fill(buy, sell, step.quantity, true);
        this.#send();
      }
    }
  }

  #send(): void {
    const batch = this.#shares.batch();
    this.#shares.landed(batch, this.bench.apply(batch) as BatchOutcome);
  }

  #lotsOf(
    account: string,
    brought: readonly { quantity: number; cost: number; acquiredAt: number; ends: number | null }[],
  ) {
    const id = this.bench.id();
    return brought.map(({ ends, ...terms }, line) =>
      lot({ id: `${id}.${line}`, account, restrictionEndsAt: ends, ...terms }),
    );
  }

  #split({ ratio: [from = 1, to = 2], fractions, isConversion }: Extract<Step, { type: 'split' }>): void {
    const { bench } = this;
    const split = bench.id();
    const ask = (step: Split['step']) =>
      bench.apply({ kind: 'split', id: bench.id(), split, asset: SHARES, step, createdAt: START });
    const units = bench.ledger.balance(REGISTER, SHARES).available;
    const into: Conversion = {
      asset: SURVIVOR,
      from,
      to,
      fractions,
      register: splitUnits(units, { from, to, fractions }),
      restrictionEndsAt: null,
    };
    const by = isConversion ? { from: 1, to: 0, fractions: 'cash_in_lieu' as const } : { from, to, fractions };
    const register = { from: units, to: splitUnits(units, by) };
    const begin: SplitBegin = { type: 'begin', ...by, register, books: [this.#shares.symbol] };
    ask(isConversion ? { ...begin, into } : begin);
    ask({ type: 'part', part: 1 });
    ask({ type: 'give_up' });
  }

  /** A trade at a broker, which brings what no other account has. */
  #adjust({ who: account, cost: notional, price: other, isBust }: Extract<Step, { type: 'adjust' }>): void {
    const { bench } = this;
    const at = { quantity: 1, buyerFee: 0, sellerFee: 0 };
    const id = bench.id();
    bench.apply({
      kind: 'adjust_trade',
      id: bench.id(),
      book: 'COIN-USD',
      baseAsset: 'coin',
      quoteAsset: USD,
      tracksLots: false,
      trade: {
        id,
        sequence: 1,
        ...at,
        price: notional,
        notional,
        takerSide: 'sell',
        buyOrder: `execution:${id}`,
        sellOrder: id,
        buyer: 'boundary:broker-clearing',
        seller: account,
        executedAt: START,
        settlesOn: null,
      },
      to: isBust ? null : { ...at, price: other, notional: other },
      sellKey: null,
      reason: 'an error',
      createdAt: START,
      event: null,
    });
  }
}

describe('M-02: amounts, costs and days at the ends of what a door takes', () => {
  it('make no transaction of the ledger throw, and leave L1 to L4 as they are', { timeout: 400_000 }, () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 10, maxLength: 50, size: 'max' }), (steps) => {
        const venue = new Venue();
        venue.begin();
        for (const each of steps) venue.play(each);
        expect(venue.bench.ledger.violations()).toEqual([]);
        for (const each of venue.bench.ledger.allLots()) expect(each.cost).toBeLessThanOrEqual(COST_MAX);
        venue.bench.restart();
        expect(venue.bench.ledger.violations()).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('are refused by a register beyond what a holding may have cost, and nothing is issued', () => {
    const bench = new LedgerBench();
    const of = (id: string, paid: number) => [lot({ id, account: BOB, quantity: 1, cost: paid })];
    expect(bench.registerEntry([ISSUANCE, -1], [BOB, 1, of(idAt(1, 1), COST_MAX + 1)])).toEqual({
      type: 'balance_too_large',
    });
    expect(bench.registerEntry([ISSUANCE, -1], [BOB, 1, of(idAt(1, 2), COST_MAX)])).toMatchObject({ type: 'done' });
    expect(bench.registerEntry([ISSUANCE, -1], [BOB, 1, of(idAt(1, 3), 1)])).toEqual({ type: 'balance_too_large' });
    expect(bench.ledger.balance(BOB, SHARES)).toEqual({ available: 1, held: 0, cost: COST_MAX });
  });

  it('let the shares of lots that a split has made one be cancelled and sold', () => {
    const bench = new LedgerBench();
    const cost = COST_MAX / 2;
    const lots = [1, 2].map((n) => lot({ id: idAt(1, n), account: BOB, quantity: 1, cost, acquiredAt: n }));
    bench.registerEntry([ISSUANCE, -2], [BOB, 2, lots]);
    const split = bench.id();
    const by = { from: 2, to: 1, fractions: 'round_up' } as const;
    const ask = (step: Split['step']) =>
      bench.apply({ kind: 'split', id: bench.id(), split, asset: SHARES, step, createdAt: bench.time });
    ask({ type: 'begin', ...by, register: { from: 0, to: 0 }, books: [BOOK] });
    expect(ask({ type: 'part', part: 1 })).toMatchObject({ type: 'done', isOver: true });
    expect(bench.ledger.lot(idAt(1, 1))).toMatchObject({ quantity: 1, cost: COST_MAX });
    bench.transfer('deposit', { account: ALICE, amount: 1_000 });
    const sell = bench.admit({ account: BOB, side: 'sell', reserve: 1, quantity: 1 });
    const buy = bench.admit({ account: ALICE, reserve: 10, quantity: 1 });
    const id = bench.id();
    bench.settle({
      trades: [
        {
          id,
          sequence: 1,
          price: 10,
          quantity: 1,
          notional: 10,
          takerSide: 'buy',
          buyOrder: buy,
          sellOrder: sell,
          buyer: ALICE,
          seller: BOB,
          buyerFee: 0,
          sellerFee: 0,
          executedAt: bench.time,
        },
      ],
      orders: [
        orderState({ id: buy, status: 'filled' }),
        orderState({ id: sell, status: 'filled', filledNotional: 10 }),
      ],
      balances: [
        move(ALICE, USD, 0),
        move(ALICE, SHARES, 1, { bought: 10 }),
        move(BOB, SHARES, 0, { sold: 1 }),
        move(BOB, USD, 10),
      ],
      lots: [lot({ id: `${id}.0`, quantity: 1, cost: 10, acquiredAt: bench.time })],
      lotMoves: [lotMove(sell, idAt(1, 1), { consumed: 1 })],
    });
    expect(bench.registerEntry([ALICE, -1], [ISSUANCE, 1])).toMatchObject({ type: 'done' });
    expect(bench.ledger.violations()).toEqual([]);
  });
});
