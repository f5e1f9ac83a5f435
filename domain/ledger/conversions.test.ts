import { describe, expect, it } from 'vitest';
import { AMOUNT_MAX } from './balances.ts';
import { ALICE, BOB, LedgerBench, lot, SHARES } from './ledger.fixtures.ts';
import type { LedgerLimits } from './ledger-limits.ts';
import type { SplitOutcome } from './outcomes.ts';
import type { ReceivedLot } from './records.ts';
import { ALL_END } from './split-units.ts';
import type { Conversion, RegisterLeg, Split } from './transactions.ts';

const ISSUANCE = 'boundary:issuance';
const REGISTER = 'boundary:register';
const SURVIVOR = 'survivor';

type Lot = Partial<Omit<ReceivedLot, 'account'>> & Pick<ReceivedLot, 'quantity'>;

class ConversionBench extends LedgerBench {
  readonly event = this.id();

  issue(asset: string, account: string, ...lots: readonly Lot[]): string {
    const received = lots.map((each) => lot({ id: this.id(), account, ...each }));
    const change = received.reduce((sum, { quantity }) => sum + quantity, 0);
    return this.enter(asset, [ISSUANCE, -change, []], [account, change, received]);
  }

  enter(asset: string, ...legs: [account: string, change: number, lots: RegisterLeg['lots']][]): string {
    const all = legs.map(([account, change, lots]) => ({ account, change, lots }));
    const entry = {
      kind: 'register_entry',
      id: this.id(),
      asset,
      legs: all,
      createdAt: this.time,
      event: null,
    } as const;
    return this.apply(entry).type;
  }

  step(step: Split['step'], asset = SHARES, split = this.event): SplitOutcome {
    return this.apply({ kind: 'split', id: this.id(), split, asset, step, createdAt: this.time });
  }

  begin(into: Partial<Conversion>, asset = SHARES, split = this.event): SplitOutcome {
    const register = { from: this.ledger.balance(REGISTER, asset).available, to: 0 };
    const one = {
      asset: SURVIVOR,
      from: 1,
      to: 1,
      fractions: 'round_up',
      register: 0,
      restrictionEndsAt: null,
    } as const;
    return this.step({ type: 'begin', ...ALL_END, register, into: { ...one, ...into }, books: [] }, asset, split);
  }

  available(asset: string, ...accounts: readonly string[]): number[] {
    return accounts.map((account) => this.ledger.balance(account, asset).available);
  }

  lotsOf(account: string) {
    return [...this.ledger.allLots()].filter((each) => each.account === account);
  }
}

/** Alice has lots of 4 and 9 shares and one of the survivor, Bob has 5 shares, holders without an account have 20. */
function merging(limits: Partial<LedgerLimits> = {}): ConversionBench {
  const bench = new ConversionBench(limits);
  const terms = { offeringType: '506c', restrictionEndsAt: 7_000 };
  bench.issue(
    SHARES,
    ALICE,
    { quantity: 4, cost: 40, acquiredAt: 2, ...terms },
    { quantity: 9, cost: 90, acquiredAt: 4 },
  );
  bench.issue(SHARES, BOB, { quantity: 5, cost: 50, acquiredAt: 1 });
  bench.enter(SHARES, [ISSUANCE, -20, []], [REGISTER, 20, []]);
  bench.issue(SURVIVOR, ALICE, { quantity: 1, cost: 3, acquiredAt: 3 });
  return bench;
}

describe('shares that are converted', () => {
  it('end, and their holders get those of the other asset, each rounded by itself, with what is outstanding of both', () => {
    const bench = merging();
    const before = bench.lotsOf(ALICE);
    expect(bench.begin({ from: 2, to: 3, register: 31 })).toMatchObject({ type: 'done', part: 0 });
    expect(bench.step({ type: 'part', part: 1 })).toEqual({
      type: 'done',
      part: 1,
      isOver: true,
      changes: [
        { account: ALICE, change: -13 },
        { account: BOB, change: -5 },
        { account: REGISTER, change: -20 },
      ],
      lotIds: expect.any(Array),
      converted: {
        asset: SURVIVOR,
        changes: [
          { account: ALICE, change: 20 },
          { account: BOB, change: 8 },
          { account: REGISTER, change: 31 },
        ],
      },
    });
    expect(bench.available(SHARES, ISSUANCE, REGISTER, ALICE, BOB)).toEqual([0, 0, 0, 0]);
    expect(bench.available(SURVIVOR, ISSUANCE, REGISTER, ALICE, BOB)).toEqual([-60, 31, 21, 8]);
    expect(bench.ledger.balance(ALICE, SURVIVOR).cost).toBe(133);
    expect(bench.ledger.balance(ALICE, SHARES).cost).toBe(0);
    expect(before).toHaveLength(3);
    bench.restart();
    expect(bench.ledger.violations()).toEqual([]);
    expect(bench.step({ type: 'part', part: 1 })).toEqual({ type: 'over' });
  });

  it('keep of each lot its id, its day, its end, its offering and what it has cost', () => {
    const bench = merging();
    const before = bench.lotsOf(ALICE);
    bench.begin({ from: 2, to: 3, register: 30 });
    bench.step({ type: 'part', part: 1 });
    const quantities = new Map([
      [4, 6],
      [9, 14],
    ]);
    const after = before.map((each) => ({ ...each, asset: SURVIVOR, quantity: quantities.get(each.quantity) ?? 1 }));
    expect(bench.lotsOf(ALICE)).toEqual(expect.arrayContaining(after));
    expect(
      bench
        .lotsOf(ALICE)
        .map(({ acquiredAt }) => acquiredAt)
        .sort(),
    ).toEqual([2, 3, 4]);
  });

  it('are bound by the stated end where it is later', () => {
    const bench = merging();
    bench.begin({ register: 20, restrictionEndsAt: 5_000 });
    bench.step({ type: 'part', part: 1 });
    const ends = bench.lotsOf(ALICE).map(({ acquiredAt, restrictionEndsAt }) => [acquiredAt, restrictionEndsAt]);
    expect(new Map(ends as [number, number | null][])).toEqual(
      new Map([
        [2, 7_000],
        [3, null],
        [4, 5_000],
      ]),
    );
  });

  it('give what a lot has cost of which nothing is left to the oldest that is', () => {
    const bench = merging();
    bench.begin({ from: 10, to: 1, register: 2 });
    bench.step({ type: 'part', part: 1 });
    expect(bench.available(SURVIVOR, ALICE, BOB)).toEqual([3, 1]);
    const cash = merging();
    cash.begin({ from: 10, to: 1, register: 2, fractions: 'cash_in_lieu' });
    cash.step({ type: 'part', part: 1 });
    expect(cash.available(SURVIVOR, ISSUANCE, ALICE, BOB)).toEqual([-4, 2, 0]);
    expect(cash.lotsOf(ALICE).map(({ quantity, cost }) => [quantity, cost])).toEqual(
      expect.arrayContaining([
        [1, 3],
        [1, 130],
      ]),
    );
    expect(cash.lotsOf(BOB)).toEqual([]);
    expect(cash.ledger.violations()).toEqual([]);
  });

  it('let the shares that they become trade, and keep back every entry of both registers', () => {
    const bench = merging();
    bench.begin({ register: 20 });
    for (const asset of [SHARES, SURVIVOR]) {
      expect(bench.enter(asset, [ISSUANCE, -1, []], [REGISTER, 1, []])).toBe('split_under_way');
      expect(bench.begin({ asset: asset === SHARES ? SURVIVOR : SHARES }, asset, bench.id())).toEqual({
        type: 'under_way',
      });
    }
    expect(bench.step({ type: 'give_up' })).toMatchObject({ type: 'done' });
    expect(bench.enter(SURVIVOR, [ISSUANCE, -1, []], [REGISTER, 1, []])).toBe('done');
  });

  it('are refused where the other asset has no register, is the same, or the ratio is none', () => {
    const bench = merging();
    expect(bench.begin({ asset: 'nothing' })).toEqual({ type: 'no_register' });
    for (const into of [
      { asset: SHARES },
      { from: 2, to: 2 },
      { from: 0 },
      { to: 1_000_000_001 },
      { register: -1 },
      { register: 0.5 },
    ])
      expect(bench.begin(into)).toEqual({ type: 'malformed' });
    const { available } = bench.ledger.balance(REGISTER, SHARES);
    const split = { from: 1, to: 2, fractions: 'round_up', register: { from: available, to: 2 * available } } as const;
    const into = {
      asset: SURVIVOR,
      from: 1,
      to: 1,
      fractions: 'round_up',
      register: 0,
      restrictionEndsAt: null,
    } as const;
    expect(bench.step({ type: 'begin', ...split, into, books: [] })).toEqual({ type: 'malformed' });
  });

  it('are refused where the other asset had more than an amount may be', () => {
    const bench = merging();
    expect(bench.begin({ register: AMOUNT_MAX - 20 })).toEqual({ type: 'balance_too_large' });
    bench.enter(SURVIVOR, [ISSUANCE, 20 - AMOUNT_MAX, []], [REGISTER, AMOUNT_MAX - 20, []]);
    expect(bench.begin({})).toEqual({ type: 'balance_too_large' });
  });

  it('are refused whole while there is no room for another balance, though an account has as many as it may', () => {
    // Of shares: issuance, register, Alice and Bob; of the survivor: issuance and Alice, and then its register and Bob.
    expect(merging({ balancesMax: 7 }).begin({})).toEqual({ type: 'ledger_full' });
    const bench = merging({ balancesMax: 10, balancesPerAccountMax: 2 });
    bench.transfer('deposit', { account: BOB, amount: 10 });
    expect(bench.begin({ register: 20 })).toMatchObject({ type: 'done' });
    expect(bench.step({ type: 'part', part: 1 })).toMatchObject({ type: 'done', isOver: true });
  });

  it('wait for room that was taken since they began', () => {
    const bench = merging({ balancesMax: 9 });
    bench.begin({ register: 20 });
    bench.transfer('deposit', { account: ALICE, amount: 10 });
    expect(bench.step({ type: 'part', part: 1 })).toEqual({ type: 'ledger_full' });
    expect(bench.available(SHARES, ALICE, BOB)).toEqual([13, 5]);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('go on in parts, and move nothing of any account twice', () => {
    const bench = new ConversionBench();
    const accounts = [ALICE, BOB, bench.id(), bench.id()];
    for (const account of accounts)
      bench.issue(
        SHARES,
        account,
        ...Array.from({ length: 900 }, (_, at) => ({ quantity: 1, cost: 1, acquiredAt: at })),
      );
    bench.issue(SURVIVOR, BOB, { quantity: 1 });
    bench.begin({ from: 1, to: 2 });
    expect(bench.step({ type: 'part', part: 1 })).toMatchObject({ type: 'done', isOver: false });
    expect(bench.step({ type: 'part', part: 1 })).toEqual({ type: 'not_next', part: 1 });
    expect(bench.step({ type: 'give_up' })).toEqual({ type: 'not_next', part: 1 });
    bench.restart();
    expect(bench.step({ type: 'part', part: 2 })).toMatchObject({ type: 'done', isOver: true });
    expect(bench.available(SURVIVOR, ISSUANCE, ...accounts)).toEqual([-7_201, 1_800, 1_801, 1_800, 1_800]);
    expect(bench.available(SHARES, ISSUANCE, ...accounts)).toEqual([0, 0, 0, 0, 0]);
    expect(bench.ledger.violations()).toEqual([]);
  });
});
