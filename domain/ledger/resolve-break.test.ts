import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../calendar/durations.ts';
import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import { ALICE, BOB, BOOK, LedgerBench, lot, SHARES, START, USD } from './ledger.fixtures.ts';
import { Ledger } from './ledger.ts';
import { FIRST_RULES, LEDGER_CODE, ruleSetOf } from './ledger-rules.ts';
import { LedgerState } from './ledger-state.ts';
import { LedgerViolation } from './ledger-violation.ts';
import { applyBreakResolution } from './resolve-break.ts';
import type { BreakBooking, BreakResolution } from './transactions.ts';
import { UNSETTLED_MAX, UNSETTLED_ROOM_FOR_SALES } from './unsettled.ts';

const CLEARING = BOUNDARY_ACCOUNT.brokerClearing;
/** Unix ms of the journal row. */
const AT = { time: 0 };
const TUESDAY = START + DAY_MS;

const PURCHASE: BreakBooking = {
  route: 'broker',
  baseAsset: SHARES,
  quoteAsset: USD,
  tracksLots: true,
  account: ALICE,
  side: 'buy',
  executionId: 'e1',
  price: 10,
  quantity: 5,
  notional: 50,
  executedAt: START - DAY_MS,
};
const SALE: BreakBooking = { ...PURCHASE, account: BOB, side: 'sell' };

const resolution = (id: string, terms: Partial<BreakResolution> = {}): BreakResolution => ({
  kind: 'resolve_break',
  id,
  book: BOOK,
  breakId: 'b1',
  booking: null,
  reason: 'settled with the broker',
  by: 'ops',
  createdAt: START,
  event: null,
  ...terms,
});

/** Alice has 1,000 of cash, Bob 50 shares that have cost 2 each, in two lots. */
class Market extends LedgerBench {
  constructor() {
    super();
    this.transfer('deposit', { amount: 1_000 });
    this.depositLots(
      BOB,
      lot({ id: this.id(), account: BOB, quantity: 3, cost: 3, acquiredAt: START - 2 * DAY_MS }),
      lot({ id: this.id(), account: BOB, quantity: 47, cost: 97 }),
    );
  }

  resolve(terms: Partial<BreakResolution> = {}) {
    return this.apply(resolution(this.id(), terms));
  }

  book(booking: BreakBooking, breakId = 'b1') {
    return this.resolve({ booking, breakId });
  }

  available(account: string, asset = USD): number {
    return this.ledger.balance(account, asset).available;
  }

  lotsOf(account: string) {
    return [...this.ledger.allLots()].filter((each) => each.account === account);
  }
}

const stateWith = (limits: Partial<typeof FIRST_RULES.limits> = {}): LedgerState => {
  const rules = { ...FIRST_RULES, limits: { ...FIRST_RULES.limits, ...limits } };
  const state = new LedgerState(LEDGER_CODE.known, rules, ruleSetOf(LEDGER_CODE.known, 1));
  state.balances.addAvailable(state.balances.open(ALICE, USD), 1_000);
  state.balances.addAvailable(state.balances.open(BOB, SHARES), 1_000);
  return state;
};
const booked = (state: LedgerState, booking: BreakBooking) =>
  applyBreakResolution(state, resolution('r', { booking: { ...booking, tracksLots: false } }), AT).type;

describe('a break that is acknowledged', () => {
  it('moves nothing and is closed, once, also by a ledger that was restored', () => {
    const market = new Market();
    const before = market.ledger.stateHash();
    expect(market.resolve()).toEqual({ type: 'done', booked: null });
    expect(market.ledger.stateHash()).not.toBe(before);
    expect([market.available(ALICE), market.available(CLEARING)]).toEqual([1_000, 0]);
    market.restart();
    expect(market.resolve()).toEqual({ type: 'already_resolved' });
    expect(market.book(PURCHASE)).toEqual({ type: 'already_resolved' });
    expect(market.available(ALICE, SHARES)).toBe(0);
  });

  it('is one of its book: another book may have a report of the same id', () => {
    const market = new Market();
    market.resolve();
    expect(market.resolve({ book: 'OTHER-USD' })).toMatchObject({ type: 'done' });
  });
});

describe('a purchase that is booked', () => {
  it('moves cash and shares against broker clearing, free of fees, into a lot of the day of the trade', () => {
    const market = new Market();
    const outcome = market.book(PURCHASE);
    expect(outcome).toMatchObject({ type: 'done', booked: { sellerCost: null, rateVersion: null } });
    expect([market.available(ALICE), market.available(ALICE, SHARES)]).toEqual([950, 5]);
    expect([market.available(CLEARING), market.available(CLEARING, SHARES)]).toEqual([50, -5]);
    expect(market.lotsOf(ALICE)).toMatchObject([
      { quantity: 5, cost: 50, acquiredAt: START - DAY_MS, restrictionEndsAt: null, offeringType: null },
    ]);
    expect(market.ledger.balance(ALICE, SHARES).cost).toBe(50);
    expect(market.ledger.violations()).toEqual([]);
  });

  it('that settles later may not leave before its day', () => {
    const market = new Market();
    market.book({ ...PURCHASE, settlesOn: TUESDAY });
    expect([market.available(ALICE), market.available(ALICE, SHARES)]).toEqual([950, 5]);
    const shares = { asset: SHARES, amount: 5 };
    expect(market.transfer('withdrawal', shares)).toEqual({ type: 'unsettled', required: 5, available: 0 });
    market.apply({ kind: 'settle', id: market.id(), through: TUESDAY, createdAt: market.time, event: null });
    expect(market.transfer('withdrawal', shares)).toMatchObject({ type: 'done' });
  });

  it('beyond what its account has available is refused whole, and the break stays open', () => {
    const market = new Market();
    market.admit({ reserve: 960, quantity: 96 });
    expect(market.book(PURCHASE)).toEqual({ type: 'insufficient_balance', asset: USD, required: 50, available: 40 });
    expect([market.available(ALICE), market.available(ALICE, SHARES), market.available(CLEARING)]).toEqual([40, 0, 0]);
    market.transfer('deposit', { amount: 10 });
    expect(market.book(PURCHASE)).toMatchObject({ type: 'done' });
  });

  it('goes against the clearing account of its market’s route', () => {
    const market = new Market();
    market.book({ ...PURCHASE, route: 'prime' });
    expect([market.available(CLEARING), market.available(BOUNDARY_ACCOUNT.primeClearing)]).toEqual([0, 50]);
  });

  it('costs dollars at the rate that is in force, and says which', () => {
    const market = new Market();
    const rate = { asset: USD, expectedVersion: 0, numerator: 3, denominator: 2 };
    market.apply({ kind: 'rate', id: market.id(), ...rate, createdAt: START, event: null });
    expect(market.book(PURCHASE)).toMatchObject({ booked: { rateVersion: 1 } });
    expect(market.lotsOf(ALICE)).toMatchObject([{ cost: 75 }]);
  });

  it('of an asset without lots makes none', () => {
    const market = new Market();
    expect(market.book({ ...PURCHASE, baseAsset: 'gold', tracksLots: false })).toMatchObject({
      booked: { lotIds: [] },
    });
    expect(market.ledger.balance(ALICE, 'gold')).toMatchObject({ available: 5, cost: 50 });
    expect(market.lotsOf(ALICE)).toEqual([]);
  });
});

describe('a sale that is booked', () => {
  it('takes the oldest shares that are in no order, and pays at once where it settles so', () => {
    const market = new Market();
    expect(market.book(SALE)).toMatchObject({ booked: { sellerCost: 3 + 4, lotIds: { length: 2 } } });
    expect([market.available(BOB), market.available(BOB, SHARES)]).toEqual([50, 45]);
    expect([market.available(CLEARING), market.available(CLEARING, SHARES)]).toEqual([-50, 5]);
    expect(market.lotsOf(BOB)).toMatchObject([{ quantity: 45, cost: 93 }]);
    expect(market.ledger.balance(BOB, SHARES).cost).toBe(90);
    expect(market.ledger.violations()).toEqual([]);
  });

  it('that settles later leaves its cash in broker clearing until its day', () => {
    const market = new Market();
    market.book({ ...SALE, settlesOn: TUESDAY });
    expect([market.available(BOB), market.available(BOB, SHARES), market.available(CLEARING)]).toEqual([0, 45, 0]);
    const sum = { account: BOB, asset: USD, kind: 'cash', settlesOn: TUESDAY } as const;
    expect(market.ledger.unsettled(sum)).toBe(50);
    market.restart();
    market.apply({ kind: 'settle', id: market.id(), through: TUESDAY, createdAt: market.time, event: null });
    expect([market.available(BOB), market.available(CLEARING), market.ledger.unsettled(sum)]).toEqual([50, -50, null]);
    expect(market.ledger.violations()).toEqual([]);
  });

  it('of shares that an order holds, or that are not there, is refused', () => {
    const market = new Market();
    market.admit({ account: BOB, side: 'sell', reserve: 46, quantity: 46 });
    expect(market.book(SALE)).toEqual({ type: 'insufficient_balance', asset: SHARES, required: 5, available: 4 });
  });

  it('of an asset without lots takes its share of the cost', () => {
    const market = new Market();
    market.transfer('deposit', { account: BOB, asset: 'gold', amount: 10, cost: 30, tracksLots: false });
    expect(market.book({ ...SALE, baseAsset: 'gold', tracksLots: false })).toMatchObject({
      booked: { sellerCost: 15, lotIds: [] },
    });
    expect(market.ledger.balance(BOB, 'gold')).toMatchObject({ available: 5, cost: 15 });
  });
});

describe('an execution', () => {
  it('is booked once, also where two breaks tell of it', () => {
    const market = new Market();
    market.book(PURCHASE);
    market.restart();
    expect(market.book(PURCHASE, 'b2')).toEqual({ type: 'already_booked' });
    expect(market.resolve({ breakId: 'b2' })).toMatchObject({ type: 'done' });
    expect(market.available(ALICE, SHARES)).toBe(5);
    expect(market.book({ ...PURCHASE, executionId: 'e2' }, 'b3')).toMatchObject({ type: 'done' });
  });

  it.each([
    ['of nothing', { quantity: 0 }],
    ['of a part of a share', { quantity: 0.5 }],
    ['for less than nothing', { notional: -1 }],
    ['that settles at a moment of a day', { settlesOn: TUESDAY + 1 }],
    ['of the prime broker that settles later', { route: 'prime', settlesOn: TUESDAY }],
    ['to the boundary', { account: BOUNDARY_ACCOUNT.deposits }],
  ] as const)('%s is none', (_, terms) => {
    expect(() => new Market().book({ ...PURCHASE, ...terms })).toThrow(LedgerViolation);
  });

  it('that would leave the range of exact amounts is refused', () => {
    const state = stateWith();
    state.balances.addAvailable(state.balances.open(BOB, USD), Number.MAX_SAFE_INTEGER - 10);
    expect(booked(state, SALE)).toBe('balance_too_large');
    expect(state.balances.availableOf(BOB, SHARES)).toBe(1_000);
  });
});

describe('a full ledger', () => {
  it('opens no balance beyond its bound, of all accounts or of one', () => {
    expect(booked(stateWith({ balancesMax: 2 }), PURCHASE)).toBe('ledger_full');
    expect(booked(stateWith({ balancesPerAccountMax: 1 }), SALE)).toBe('ledger_full');
    expect(booked(stateWith(), SALE)).toBe('done');
  });

  it('takes no lot beyond its bound', () => {
    const state = stateWith({ lotsMax: 0, roomForSales: 0 });
    expect(applyBreakResolution(state, resolution('r', { booking: PURCHASE }), AT).type).toBe('ledger_full');
  });

  it('lets nothing more wait to settle; sales have room beyond', () => {
    const state = stateWith();
    const wait = (from: number, to: number): void => {
      for (let n = from; n < to; n++)
        state.unsettled.add({ account: `${n}`, asset: USD, kind: 'cash', settlesOn: TUESDAY }, 1);
    };
    wait(0, UNSETTLED_MAX);
    expect(booked(state, { ...PURCHASE, settlesOn: TUESDAY })).toBe('ledger_full');
    expect(booked(state, PURCHASE)).toBe('done');
    wait(UNSETTLED_MAX, UNSETTLED_MAX + UNSETTLED_ROOM_FOR_SALES);
    const sale = resolution('s', { breakId: 'b2', booking: { ...SALE, executionId: 'e2', settlesOn: TUESDAY } });
    expect(applyBreakResolution(state, sale, AT).type).toBe('ledger_full');
  });

  it('M-06: closes any number of breaks, the latest of them once', () => {
    const state = stateWith();
    for (let n = 0; n < 150_000; n++) state.resolvedBreaks.add(`${n}`, n);
    expect(applyBreakResolution(state, resolution('r', { createdAt: 1 }), AT)).toEqual({ type: 'ledger_full' });
    expect(applyBreakResolution(state, resolution('r', { createdAt: 150_000 }), AT).type).toBe('done');
    expect(applyBreakResolution(state, resolution('s', { createdAt: 150_000 }), AT).type).toBe('already_resolved');
  });
});

it('a restored ledger knows what was resolved and booked', () => {
  const market = new Market();
  market.book(PURCHASE);
  expect(Ledger.restore([...market.ledger.checkpoint()]).stateHash()).toBe(market.ledger.stateHash());
});
