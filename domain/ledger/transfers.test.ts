import { describe, expect, it } from 'vitest';
import { AMOUNT_MAX, COST_MAX } from './balances.ts';
import { ALICE, BOB, LedgerBench, lot, lotMove, move, orderState, SHARES, USD } from './ledger.fixtures.ts';
import type { Transfer } from './transactions.ts';

/** Applies a transfer that must change nothing. */
function refused(bench: LedgerBench, type: Transfer['type'], terms: Partial<Transfer> & { amount: number }): unknown {
  const before = [bench.ledger.stateHash(), bench.ledger.size];
  const outcome = bench.transfer(type, terms);
  expect([bench.ledger.stateHash(), bench.ledger.size]).toEqual(before);
  return outcome;
}

describe('a deposit', () => {
  it('comes from its boundary account, with what was paid for it', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: 10 });
    expect(bench.transfer('deposit', { amount: 100, cost: 70 })).toEqual({
      type: 'done',
      before: { available: 10, held: 0 },
      after: { available: 110, held: 0 },
      lotIds: [],
    });
    expect(bench.ledger.balance(ALICE, USD)).toEqual({ available: 110, held: 0, cost: 70 });
    expect(bench.ledger.balance('boundary:deposits', USD)).toEqual({ available: -110, held: 0, cost: 0 });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('brings its lots', () => {
    const bench = new LedgerBench();
    const lots = [lot({ id: bench.id(), quantity: 2 }), lot({ id: bench.id(), quantity: 3 })];
    const outcome = bench.transfer('deposit', { asset: SHARES, amount: 5, lots });
    expect(outcome).toMatchObject({ type: 'done', lotIds: lots.map(({ id }) => id) });
    expect(bench.ledger.size.lots).toBe(2);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it.each([
    ['that are not what it deposits', 6, [2, 3]],
    ['that are none', 1, []],
  ])('is refused when it brings lots %s', (_, amount, quantities) => {
    const bench = new LedgerBench();
    const lots = quantities.map((quantity) => lot({ id: bench.id(), quantity }));
    expect(refused(bench, 'deposit', { asset: SHARES, amount, lots })).toEqual({ type: 'malformed' });
  });

  it('is refused when it brings a lot that is there already, or one twice', () => {
    const bench = new LedgerBench();
    const twice = lot({ id: bench.id(), quantity: 1 });
    bench.depositLots(ALICE, twice);
    const terms = { account: BOB, asset: SHARES };
    expect(refused(bench, 'deposit', { ...terms, amount: 1, lots: [twice] })).toEqual({ type: 'malformed' });
    const fresh = lot({ id: bench.id(), quantity: 1 });
    expect(refused(bench, 'deposit', { ...terms, amount: 2, lots: [fresh, fresh] })).toEqual({ type: 'malformed' });
  });

  it('is refused when an amount would leave the range of exact amounts', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: AMOUNT_MAX, cost: COST_MAX });
    expect(refused(bench, 'deposit', { amount: 1 })).toEqual({ type: 'balance_too_large' });
    // What others have counts, too: all that there is of an asset stays exact.
    expect(refused(bench, 'deposit', { account: BOB, amount: 1 })).toEqual({ type: 'balance_too_large' });
    expect(refused(bench, 'deposit', { account: BOB, asset: 'new', amount: 1, cost: COST_MAX + 1 })).toEqual({
      type: 'balance_too_large',
    });
    expect(bench.transfer('deposit', { asset: 'costly', amount: 1, cost: COST_MAX })).toMatchObject({ type: 'done' });
    expect(refused(bench, 'deposit', { asset: 'costly', amount: 1, cost: 1 })).toEqual({ type: 'balance_too_large' });
    const held = new LedgerBench();
    held.transfer('deposit', { amount: AMOUNT_MAX });
    held.admit({ reserve: AMOUNT_MAX });
    expect(refused(held, 'deposit', { amount: 1 })).toEqual({ type: 'balance_too_large' });
  });

  it('is refused when the shard is full, unless the account has the asset already', () => {
    const bench = new LedgerBench({ balancesMax: 2, lotsMax: 1 });
    bench.transfer('deposit', { amount: 1 });
    expect(refused(bench, 'deposit', { account: BOB, amount: 1 })).toEqual({ type: 'ledger_full' });
    expect(bench.transfer('deposit', { amount: 1 })).toMatchObject({ type: 'done' });
    const lots = new LedgerBench({ lotsMax: 1 });
    lots.depositLots(ALICE, lot({ id: lots.id(), quantity: 1 }));
    const another = { asset: SHARES, amount: 1, lots: [lot({ id: lots.id(), quantity: 1 })] };
    expect(refused(lots, 'deposit', another)).toEqual({ type: 'ledger_full' });
  });
});

describe('a withdrawal', () => {
  it('goes to its boundary account, and takes its share of the cost away', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: 30, cost: 100 });
    bench.admit({ reserve: 10 });
    expect(bench.transfer('withdrawal', { amount: 10 })).toEqual({
      type: 'done',
      before: { available: 20, held: 10 },
      after: { available: 10, held: 10 },
      lotIds: [],
    });
    expect(bench.ledger.balance(ALICE, USD)).toEqual({ available: 10, held: 10, cost: 67 });
    expect(bench.ledger.balance('boundary:withdrawals', USD).available).toBe(10);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('never takes more than is available', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: 30 });
    bench.admit({ reserve: 10 });
    expect(refused(bench, 'withdrawal', { amount: 21 })).toEqual({
      type: 'insufficient_balance',
      required: 21,
      available: 20,
    });
    expect(refused(bench, 'withdrawal', { account: BOB, amount: 1 })).toMatchObject({ available: 0 });
    expect(bench.transfer('withdrawal', { amount: 20 })).toMatchObject({ type: 'done' });
  });

  it('is possible also when the shard has more lots than it may take in', () => {
    const bench = new LedgerBench({ lotsMax: 2 });
    const whole = bench.id();
    bench.depositLots(ALICE, lot({ id: whole, quantity: 5 }));
    const sell = bench.admit({ side: 'sell', reserve: 5 });
    bench.settle({
      orders: [orderState({ id: sell, status: 'partially_filled', reserve: 2 })],
      lotMoves: [lotMove(sell, whole, { consumed: 3 })],
      balances: [move(ALICE, SHARES, 0, { sold: 3 }), move(BOB, SHARES, 3)],
      lots: [1, 2, 3].map(() => lot({ id: bench.id(), account: BOB, quantity: 1 })),
    });
    expect(bench.ledger.size.lots).toBe(4);
    expect(bench.transfer('withdrawal', { account: BOB, asset: SHARES, amount: 3 })).toMatchObject({ type: 'done' });
  });
});

describe('a grant', () => {
  it('gives an allowance, and takes back of what was not used', () => {
    const bench = new LedgerBench();
    expect(bench.grant(ALICE, 'allowance', 100)).toEqual({ type: 'done', version: 0, cancelIn: [] });
    bench.admit({ allowanceAsset: 'allowance', allowance: 60 });
    expect(bench.grant(ALICE, 'allowance', -40)).toMatchObject({ type: 'done' });
    expect(bench.ledger.balance(ALICE, 'allowance')).toEqual({ available: 0, held: 60, cost: 0 });
    expect(bench.ledger.balance('boundary:limits', 'allowance').available).toBe(-60);
    expect(bench.ledger.violations()).toEqual([]);
  });

  const stale = { type: 'stale', version: 0 };
  const expectRefused = (bench: LedgerBench, amount: number, terms = {}): void => {
    const before = [bench.ledger.stateHash(), bench.ledger.size];
    const grant = {
      kind: 'grant',
      id: bench.id(),
      account: ALICE,
      asset: 'allowance',
      createdAt: 0,
      expect: [],
    } as const;
    expect(bench.ledger.apply({ ...grant, amount, ...terms }, bench)).toEqual({ outcome: stale, changed: false });
    expect([bench.ledger.stateHash(), bench.ledger.size]).toEqual(before);
  };

  it('takes nothing back that is held, or was never given', () => {
    const bench = new LedgerBench();
    expectRefused(bench, -1);
    bench.grant(ALICE, 'allowance', 100);
    bench.admit({ allowanceAsset: 'allowance', allowance: 60 });
    expectRefused(bench, -41);
  });

  it('is made only while all that it expects still stands', () => {
    const bench = new LedgerBench();
    bench.grant(ALICE, 'allowance', 100);
    bench.admit({ allowanceAsset: 'allowance', allowance: 60 });
    const right = { account: ALICE, asset: 'allowance', available: 40, held: 60 };
    const none = { account: BOB, asset: 'allowance', available: 0, held: 0 };
    expectRefused(bench, 1, { expect: [right, { ...none, available: 1 }] });
    expectRefused(bench, 1, { expect: [{ ...right, available: 41 }] });
    expectRefused(bench, 1, { expect: [{ ...right, held: 59 }] });
    const grant = { kind: 'grant', id: bench.id(), account: ALICE, asset: 'allowance', createdAt: 0 } as const;
    expect(bench.apply({ ...grant, amount: 1, expect: [right, none] })).toMatchObject({ type: 'done' });
    expect(bench.ledger.balance(ALICE, 'allowance').available).toBe(41);
  });

  it('keeps every amount exact', () => {
    const bench = new LedgerBench();
    bench.grant(ALICE, 'allowance', AMOUNT_MAX);
    expectRefused(bench, 1);
    bench.admit({ allowanceAsset: 'allowance', allowance: AMOUNT_MAX });
    expectRefused(bench, 1);
  });

  it('opens no balance in a shard that is full', () => {
    const bench = new LedgerBench({ balancesMax: 2 });
    bench.grant(ALICE, 'allowance', 1);
    expectRefused(bench, 1, { account: BOB });
    expect(bench.grant(ALICE, 'allowance', 1)).toMatchObject({ type: 'done' });
  });
});
