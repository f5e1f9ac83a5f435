import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { BOUNDARY_ACCOUNT } from '../ledger/boundary-accounts.ts';
import { ALICE, BOB, LedgerBench, lotMove, move, orderState, SHARES, USD } from '../ledger/ledger.fixtures.ts';
import { ALL_END, SPLIT_FRACTIONS, type SplitRatio, splitUnits } from '../ledger/split-units.ts';
import type { Split } from '../ledger/transactions.ts';
import { changeFault } from './change-fault.ts';
import { feasibleSet, netOf } from './feasible-set.ts';
import type { RegisterChange, RegisterEventType } from './register-event.ts';
import { registerLegs } from './register-legs.ts';

const RUNS = Number(process.env.REGISTER_RUNS ?? 150);

const PAYER = 'payer';
const SURVIVOR = 'survivor';

/** Two with an account, two without. */
const HOLDERS = [
  { holder: 'alice', account: ALICE },
  { holder: 'bob', account: BOB },
  { holder: 'carol', account: null },
  { holder: 'dave', account: null },
] as const;

const step = fc.oneof(
  fc.record({
    type: fc.constantFrom('issuance' as const, 'issuance' as const, 'import' as const, 'cancellation' as const),
    lines: fc.array(fc.record({ holder: fc.nat(3), shares: fc.integer({ min: 1, max: 20 }) }), {
      minLength: 1,
      maxLength: 4,
    }),
  }),
  fc.record({
    type: fc.constant('trade' as const),
    isAliceBuying: fc.boolean(),
    units: fc.integer({ min: 1, max: 20 }),
  }),
  fc.record({ type: fc.constant('complete' as const), pick: fc.nat(5) }),
  fc.record({ type: fc.constant('reject' as const), pick: fc.nat(5) }),
  fc.record({ type: fc.constant('bust' as const), pick: fc.nat(5) }),
  fc.record({ type: fc.constant('complete_all' as const) }),
  fc.record({ type: fc.constant('dividend' as const), perShare: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    type: fc.constant('split' as const),
    ratio: fc.constantFrom([2, 3] as const, [1, 2] as const, [3, 1] as const, [3, 2] as const),
    fractions: fc.constantFrom(...SPLIT_FRACTIONS),
  }),
  fc.record({
    type: fc.constant('merger' as const),
    ratio: fc.constantFrom([2, 3] as const, [1, 1] as const, [3, 1] as const),
    fractions: fc.constantFrom(...SPLIT_FRACTIONS),
  }),
);

/** Bob sells what came first, is registered with what came second alone, and has that taken back: the reversal waits for the first transfer. */
const WAITS: (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[] = [
  { type: 'issuance', lines: [{ holder: 0, shares: 20 }] },
  { type: 'trade', isAliceBuying: false, units: 6 },
  { type: 'trade', isAliceBuying: false, units: 4 },
  { type: 'trade', isAliceBuying: true, units: 4 },
  { type: 'complete', pick: 1 },
  { type: 'complete', pick: 1 },
  { type: 'bust', pick: 0 },
  { type: 'complete', pick: 1 },
  { type: 'complete', pick: 0 },
  { type: 'complete', pick: 0 },
];

interface Pending {
  readonly id: string;
  readonly buyer: typeof ALICE;
  readonly seller: typeof ALICE;
  readonly units: number;
  /** Null for a reversal, whose trade the ledger has taken back. */
  readonly bust: Parameters<LedgerBench['apply']>[0] | null;
}

/** Alice and Bob have sold the same shares to each other; what came second is not recorded by itself. */
const CIRCLE: typeof WAITS = [
  { type: 'dividend', perShare: 1 },
  { type: 'issuance', lines: [{ holder: 0, shares: 4 }] },
  { type: 'trade', isAliceBuying: false, units: 4 },
  { type: 'trade', isAliceBuying: true, units: 4 },
  { type: 'complete', pick: 1 },
  { type: 'dividend', perShare: 2 },
  { type: 'complete_all' },
];

/** A trade that is recorded, split, and may not be taken back; one after it may. */
const SPLITS: typeof WAITS = [
  {
    type: 'issuance',
    lines: [
      { holder: 0, shares: 20 },
      { holder: 2, shares: 7 },
    ],
  },
  { type: 'trade', isAliceBuying: false, units: 6 },
  { type: 'split', ratio: [2, 3], fractions: 'round_up' },
  { type: 'complete', pick: 0 },
  { type: 'split', ratio: [2, 3], fractions: 'round_up' },
  { type: 'bust', pick: 0 },
  { type: 'trade', isAliceBuying: true, units: 5 },
  { type: 'complete', pick: 0 },
  { type: 'bust', pick: 1 },
  { type: 'complete', pick: 0 },
  { type: 'split', ratio: [3, 1], fractions: 'cash_in_lieu' },
  { type: 'merger', ratio: [2, 3], fractions: 'round_up' },
];

/** The register of SHARES with the ledger beside it, as the application keeps them. */
class Venue {
  readonly bench = new LedgerBench();
  readonly registered = new Map<string, number>();
  /** Of the security that others are converted into. */
  readonly survivors = new Map<string, number>();
  readonly events: (readonly RegisterChange[])[] = [];
  pending: Pending[] = [];
  completed: Pending[] = [];
  #sequence = 0;

  constructor() {
    for (const account of [ALICE, BOB, PAYER]) this.bench.transfer('deposit', { account, amount: 1_000_000 });
    const legs = [BOUNDARY_ACCOUNT.issuance, BOUNDARY_ACCOUNT.register].map((account, at) => ({
      account,
      change: 2 * at - 1,
      lots: [],
    }));
    const terms = { asset: SURVIVOR, legs, createdAt: this.bench.time, event: null };
    expect(this.bench.apply({ kind: 'register_entry', id: this.bench.id(), ...terms }).type).toBe('done');
    this.survivors.set('carol', 1);
  }

  /** Whether both took it. */
  change(type: RegisterEventType, changes: readonly RegisterChange[]): boolean {
    const fault = changeFault(type, changes, (holder) => this.registered.get(holder) ?? 0);
    if (fault !== null) return false;
    if (type !== 'transfer' && type !== 'reversal') {
      const id = this.bench.id();
      const legs = registerLegs({ id, createdAt: this.bench.time }, changes);
      const terms = { asset: SHARES, legs, createdAt: this.bench.time, event: null };
      const outcome = this.bench.apply({ kind: 'register_entry', id, ...terms });
      expect(['done', 'insufficient_balance']).toContain(outcome.type);
      if (outcome.type !== 'done') return false;
    }
    for (const { holder, shares } of changes) this.registered.set(holder, (this.registered.get(holder) ?? 0) + shares);
    this.events.push(changes);
    return true;
  }

  trade(buyer: typeof ALICE, seller: typeof ALICE, units: number): boolean {
    const { bench } = this;
    if (bench.ledger.balance(seller, SHARES).available < units) return false;
    const sell = bench.id();
    const { lots } = bench.send({
      orders: [
        { ...ORDER, id: sell, account: seller, side: 'sell', reserveAsset: SHARES, reserve: units, quantity: units },
      ],
    });
    const buy = bench.admit({ account: buyer, reserve: units });
    const id = bench.id();
    this.#sequence += 1;
    const trade = {
      id,
      sequence: this.#sequence,
      price: 1,
      quantity: units,
      notional: units,
      takerSide: 'buy',
      buyOrder: buy,
      sellOrder: sell,
      buyer,
      seller,
      buyerFee: 0,
      sellerFee: 0,
      executedAt: bench.time,
    } as const;
    const restriction = { restrictionEndsAt: null, offeringType: lots[0]?.offeringType ?? null };
    bench.settle({
      trades: [trade],
      orders: [orderState({ id: buy, status: 'filled' }), orderState({ id: sell, status: 'filled' })],
      balances: [
        move(buyer, USD, 0),
        move(buyer, SHARES, units, { bought: units }),
        move(seller, SHARES, 0, { sold: units }),
        move(seller, USD, units),
      ],
      lots: [{ id: `${id}.0`, account: buyer, quantity: units, cost: units, acquiredAt: bench.time, ...restriction }],
      lotMoves: lots.map(({ lotId, quantity }) => lotMove(sell, lotId, { consumed: quantity })),
    });
    const terms = { book: 'ACME-USD', baseAsset: SHARES, quoteAsset: USD, tracksLots: true, to: null, sellKey: null };
    const bust = {
      kind: 'adjust_trade',
      id: bench.id(),
      trade,
      ...terms,
      reason: 'x',
      createdAt: 1,
      event: null,
    } as const;
    this.pending.push({ id, buyer, seller, units, bust });
    return true;
  }

  /** Whether nothing was on its way, and all is split. */
  split(ratio: SplitRatio): boolean {
    if (this.pending.length > 0) return false;
    const { bench } = this;
    const split = bench.id();
    const nobodys = HOLDERS.filter(({ account }) => account === null);
    const sum = (unitsOf: (units: number) => number): number =>
      nobodys.reduce((total, { holder }) => total + unitsOf(this.registered.get(holder) ?? 0), 0);
    const register = { from: sum((units) => units), to: sum((units) => splitUnits(units, ratio)) };
    const step = (asked: Split['step']) =>
      bench.apply({ kind: 'split', id: bench.id(), split, asset: SHARES, step: asked, createdAt: bench.time }).type;
    const begun = step({ type: 'begin', ...ratio, register, books: ['ACME-USD'] });
    if (begun === 'no_register') return false;
    expect([begun, step({ type: 'part', part: 1 })]).toEqual(['done', 'done']);
    const changes = HOLDERS.map(({ holder, account }) => {
      const units = this.registered.get(holder) ?? 0;
      const none = { cost: 0, acquiredAt: null, restrictionEndsAt: null, offeringType: null };
      return { holder, account, shares: splitUnits(units, ratio) - units, ...none };
    }).filter(({ shares }) => shares !== 0);
    if (changes.length > 0)
      expect(changeFault('split', changes, (holder) => this.registered.get(holder) ?? 0)).toBeNull();
    for (const { holder, shares } of changes) this.registered.set(holder, (this.registered.get(holder) ?? 0) + shares);
    this.events.push(changes);
    return true;
  }

  /** Whether nothing was on its way, and all is converted: the register of what ends loses every share, that of the survivor gets each holder's. */
  merge(ratio: SplitRatio): boolean {
    if (this.pending.length > 0) return false;
    const { bench } = this;
    const [split, asset] = [bench.id(), SHARES];
    const nobodys = HOLDERS.filter(({ account }) => account === null);
    const sum = (unitsOf: (units: number) => number): number =>
      nobodys.reduce((total, { holder }) => total + unitsOf(this.registered.get(holder) ?? 0), 0);
    const step = (asked: Split['step']) =>
      bench.apply({ kind: 'split', id: bench.id(), split, asset, step: asked, createdAt: bench.time }).type;
    const register = sum((units) => splitUnits(units, ratio));
    const into = { ...ratio, asset: SURVIVOR, register, restrictionEndsAt: null };
    const all = { from: sum((units) => units), to: 0 };
    const begun = step({ type: 'begin', ...ALL_END, register: all, into, books: ['ACME-USD'] });
    if (begun === 'no_register') return false;
    expect([begun, step({ type: 'part', part: 1 })]).toEqual(['done', 'done']);
    const none = { cost: 0, acquiredAt: null, restrictionEndsAt: null, offeringType: null };
    const ended = HOLDERS.map(({ holder, account }) => ({
      holder,
      account,
      shares: -(this.registered.get(holder) ?? 0),
      ...none,
    })).filter(({ shares }) => shares < 0);
    if (ended.length > 0) expect(changeFault('merger', ended, (holder) => this.registered.get(holder) ?? 0)).toBeNull();
    const got = ended
      .map((each) => ({ ...each, shares: splitUnits(-each.shares, ratio) }))
      .filter(({ shares }) => shares > 0);
    if (got.length > 0) expect(changeFault('conversion', got, () => 0)).toBeNull();
    for (const { holder } of ended) this.registered.set(holder, 0);
    for (const { holder, shares } of got) this.survivors.set(holder, (this.survivors.get(holder) ?? 0) + shares);
    this.events.push(ended);
    return true;
  }

  /** All that is not recorded, at once: together it leaves nobody with less than nothing, in whatever order it has come. */
  completeAll(): boolean {
    const holderOf = (account: string): string => (account === ALICE ? 'alice' : 'bob');
    const moves = this.pending.map(({ id, seller: from, buyer: to, units }) => ({
      id,
      from,
      to,
      units,
      isOptional: false,
    }));
    expect(feasibleSet(moves, (account) => this.registered.get(holderOf(account)) ?? 0)).toEqual(moves);
    const none = { cost: 0, acquiredAt: null, restrictionEndsAt: null, offeringType: null };
    const changes = [...netOf(moves)].map(([account, shares]) => ({
      holder: holderOf(account),
      account,
      shares,
      ...none,
    }));
    for (const { holder, shares } of changes) this.registered.set(holder, (this.registered.get(holder) ?? 0) + shares);
    this.events.push(changes);
    this.completed.push(...this.pending.filter(({ bust }) => bust !== null));
    this.pending = [];
    return moves.length > 1;
  }

  /** Cash to whoever has shares in the ledger, recorded or not, from somebody who has none; what nobody gets goes back. */
  pay(perShare: number): boolean {
    const { bench } = this;
    const cash = (account: string): number => bench.ledger.balance(account, USD).available;
    const before = new Map([ALICE, BOB, PAYER].map((account) => [account, cash(account)]));
    const due = [ALICE, BOB].flatMap((account) => {
      const { available, held } = bench.ledger.balance(account, SHARES);
      return available + held === 0 ? [] : [{ account, change: (available + held) * perShare }];
    });
    if (due.length === 0) return false;
    const total = due.reduce((sum, { change }) => sum + change, 0);
    for (const legs of [[{ account: PAYER, change: -total }], due]) {
      const terms = { asset: USD, legs, reference: 'Dividend', createdAt: bench.time };
      expect(bench.apply({ kind: 'distribution', id: bench.id(), ...terms })).toMatchObject({
        type: 'done',
        skipped: [],
      });
    }
    for (const { account, change } of [...due, { account: PAYER, change: -total }])
      expect(cash(account)).toBe((before.get(account) ?? 0) + change);
    expect(bench.ledger.balance(BOUNDARY_ACCOUNT.distributions, USD).available).toBe(0);
    return true;
  }

  pendingOf(account: string): number {
    return this.pending.reduce(
      (sum, { buyer, seller, units }) => sum + (buyer === account ? units : 0) - (seller === account ? units : 0),
      0,
    );
  }
}

const ORDER = {
  owner: 'org',
  keyId: null,
  type: 'limit',
  timeInForce: 'GTC',
  price: 1,
  stopPrice: null,
  expiresAt: null,
  clientOrderId: null,
  status: 'open',
  allowanceAsset: null,
  allowance: 0,
  positionAsset: null,
  position: 0,
  factsVersion: 1,
  rulesVersion: 1,
  createdAt: 1,
  code: null,
  daily: null,
} as const;

it('registered and pending are what the ledger has of every holder, and all of them what is outstanding, after any sequence of events and trades', () => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const venue = new Venue();
      for (const each of steps) {
        switch (each.type) {
          case 'trade': {
            const [buyer, seller] = each.isAliceBuying ? [ALICE, BOB] : [BOB, ALICE];
            if (venue.trade(buyer, seller, each.units)) reached.add('trade');
            break;
          }
          case 'complete': {
            const wanted = venue.pending[each.pick];
            if (wanted === undefined) break;
            const { buyer, seller, units } = wanted;
            const change = (account: string, shares: number): RegisterChange => ({
              holder: account === ALICE ? 'alice' : 'bob',
              account,
              shares,
              cost: 0,
              acquiredAt: null,
              restrictionEndsAt: null,
              offeringType: null,
            });
            const type = wanted.bust === null ? 'reversal' : 'transfer';
            const isRecorded = venue.change(type, [change(seller, -units), change(buyer, units)]);
            reached.add(`${type} ${isRecorded}`);
            if (!isRecorded) break;
            venue.pending = venue.pending.filter((other) => other !== wanted);
            if (type === 'transfer') venue.completed.push(wanted);
            break;
          }
          case 'reject': {
            const wanted = venue.pending[each.pick];
            const bust = wanted?.bust ?? null;
            if (bust === null || venue.bench.apply(bust).type !== 'done') break;
            venue.pending = venue.pending.filter((other) => other !== wanted);
            reached.add('rejected');
            break;
          }
          case 'bust': {
            const wanted = venue.completed[each.pick];
            const bust = wanted?.bust ?? null;
            if (wanted === undefined || bust === null) break;
            const outcome = venue.bench.apply(bust).type;
            if (outcome === 'split_since') reached.add(outcome);
            if (outcome !== 'done') break;
            venue.completed = venue.completed.filter((other) => other !== wanted);
            venue.pending.push({ ...wanted, buyer: wanted.seller, seller: wanted.buyer, bust: null });
            break;
          }
          case 'complete_all':
            if (venue.completeAll()) reached.add('completed together');
            break;
          case 'dividend':
            reached.add(`dividend ${venue.pay(each.perShare)}`);
            break;
          case 'split': {
            const [from, to] = each.ratio;
            const { fractions } = each;
            // Trades after it are of a later moment.
            const isSplit = venue.split({ from, to, fractions });
            venue.bench.time += 1;
            reached.add(`split ${isSplit}`);
            break;
          }
          case 'merger': {
            const [from, to] = each.ratio;
            reached.add(`merger ${venue.merge({ from, to, fractions: each.fractions })}`);
            venue.bench.time += 1;
            break;
          }
          default: {
            const sign = each.type === 'cancellation' ? -1 : 1;
            const changes = each.lines.map(
              ({ holder, shares }): RegisterChange => ({
                ...(HOLDERS[holder] as (typeof HOLDERS)[number]),
                shares: sign * shares,
                cost: 0,
                acquiredAt: 5,
                restrictionEndsAt: null,
                offeringType: '506c',
              }),
            );
            reached.add(`${each.type} ${venue.change(each.type, changes)}`);
          }
        }
        const { ledger } = venue.bench;
        const total = [...venue.registered.values()].reduce((sum, shares) => sum + shares, 0);
        expect(total).toBe(0 - ledger.balance(BOUNDARY_ACCOUNT.issuance, SHARES).available);
        const nobodys = (venue.registered.get('carol') ?? 0) + (venue.registered.get('dave') ?? 0);
        expect(nobodys).toBe(ledger.balance(BOUNDARY_ACCOUNT.register, SHARES).available);
        const converted = [...venue.survivors.values()].reduce((sum, shares) => sum + shares, 0);
        expect(converted).toBe(0 - ledger.balance(BOUNDARY_ACCOUNT.issuance, SURVIVOR).available);
        for (const { holder, account } of HOLDERS) {
          if (account !== null)
            expect(venue.survivors.get(holder) ?? 0).toBe(ledger.balance(account, SURVIVOR).available);
          expect(venue.registered.get(holder) ?? 0).toBeGreaterThanOrEqual(0);
          if (account === null) continue;
          const { available, held } = ledger.balance(account, SHARES);
          expect((venue.registered.get(holder) ?? 0) + venue.pendingOf(account)).toBe(available + held);
        }
        expect(ledger.violations()).toEqual([]);
        const [only, ...others] = venue.pending;
        if (only?.bust === null && others.length === 0)
          expect(venue.registered.get(only.seller === ALICE ? 'alice' : 'bob')).toBeGreaterThanOrEqual(only.units);
      }
      const again = new Map<string, number>();
      for (const { holder, shares } of venue.events.flat()) again.set(holder, (again.get(holder) ?? 0) + shares);
      expect(again).toEqual(venue.registered);
    }),
    { numRuns: RUNS, examples: [[WAITS], [SPLITS], [CIRCLE]] },
  );
  expect([...reached].sort()).toEqual([
    'cancellation false',
    'cancellation true',
    'completed together',
    'dividend false',
    'dividend true',
    'import true',
    'issuance true',
    'merger false',
    'merger true',
    'rejected',
    'reversal false',
    'reversal true',
    'split false',
    'split true',
    'split_since',
    'trade',
    'transfer false',
    'transfer true',
  ]);
}, 120_000);
