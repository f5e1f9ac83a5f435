import { describe, expect, it } from 'vitest';
import { ALICE, BOB, LedgerBench, SHARES, USD } from './ledger.fixtures.ts';
import type { DistributionOutcome } from './outcomes.ts';
import type { Distribution } from './transactions.ts';

const POOL = 'boundary:distributions';
const ISSUANCE = 'boundary:issuance';

/** Alice has 100 dollars, Bob has none. */
function funded(): LedgerBench {
  const bench = new LedgerBench();
  bench.transfer('deposit', { account: ALICE, asset: USD, amount: 100, cost: 100 });
  return bench;
}

function distribute(
  bench: LedgerBench,
  legs: readonly (readonly [account: string, change: number])[],
  terms: Partial<Distribution> = {},
): DistributionOutcome {
  return bench.apply({
    kind: 'distribution',
    id: bench.id(),
    asset: USD,
    legs: legs.map(([account, change]) => ({ account, change })),
    reference: 'Dividend',
    createdAt: bench.time,
    ...terms,
  });
}

const cash = (bench: LedgerBench) => [ALICE, BOB, POOL].map((account) => bench.ledger.balance(account, USD).available);

describe('a distribution', () => {
  it('goes from who pays through the pool to who gets', () => {
    const bench = funded();
    expect(distribute(bench, [[ALICE, -30]])).toEqual({ type: 'done', skipped: [] });
    expect(cash(bench)).toEqual([70, 0, 30]);
    expect(
      distribute(bench, [
        [BOB, 20],
        [ALICE, 10],
      ]),
    ).toEqual({ type: 'done', skipped: [] });
    expect(cash(bench)).toEqual([80, 20, 0]);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('takes its share of the cost from who pays', () => {
    const bench = funded();
    distribute(bench, [[ALICE, -30]]);
    expect(bench.ledger.balance(ALICE, USD).cost).toBe(70);
  });

  it('leaves out who has too little, and does the rest', () => {
    const bench = funded();
    expect(
      distribute(bench, [
        [BOB, -1],
        [ALICE, -100],
      ]),
    ).toEqual({ type: 'done', skipped: [{ account: BOB, reason: 'insufficient_balance' }] });
    expect(cash(bench)).toEqual([0, 0, 100]);
    expect(distribute(bench, [[ALICE, -1]])).toMatchObject({ skipped: [{ reason: 'insufficient_balance' }] });
  });

  it('never pays more than the pool has', () => {
    const bench = funded();
    distribute(bench, [[ALICE, -30]]);
    const legs = [
      [BOB, 31],
      [ALICE, 30],
    ] as const;
    expect(distribute(bench, legs)).toEqual({ type: 'done', skipped: [{ account: BOB, reason: 'insufficient_pool' }] });
    expect(cash(bench)).toEqual([100, 0, 0]);
  });

  it('leaves what is held for orders where it is', () => {
    const bench = funded();
    bench.apply({
      kind: 'transfer_request',
      id: bench.id(),
      type: 'withdrawal',
      account: ALICE,
      asset: USD,
      amount: 80,
      reference: null,
      createdAt: bench.time,
    });
    expect(distribute(bench, [[ALICE, -21]])).toMatchObject({ skipped: [{ account: ALICE }] });
    expect(distribute(bench, [[ALICE, -20]])).toEqual({ type: 'done', skipped: [] });
  });

  it('leaves out an account that has no room for another balance', () => {
    const bench = new LedgerBench({ balancesPerAccountMax: 1 });
    bench.transfer('deposit', { account: ALICE, asset: USD, amount: 100, cost: 100 });
    bench.grant(BOB, 'allowance', 1);
    distribute(bench, [[ALICE, -30]]);
    expect(distribute(bench, [[BOB, 30]])).toEqual({
      type: 'done',
      skipped: [{ account: BOB, reason: 'ledger_full' }],
    });
  });

  it.each([
    ['too_many_legs', []],
    ['too_many_legs', Array.from({ length: 501 }, (_, n) => [`account ${n}`, -1] as const)],
    ['not_whole', [[ALICE, 0]]],
    ['not_whole', [[ALICE, -0.5]]],
    [
      'repeated_account',
      [
        [ALICE, -1],
        [ALICE, -2],
      ],
    ],
    ['foreign_boundary', [['boundary:deposits', 5]]],
  ] as const)('is refused as %s, whole', (detail, legs) => {
    const bench = funded();
    const before = bench.ledger.stateHash();
    expect(distribute(bench, legs)).toEqual({ type: 'malformed', detail });
    expect(bench.ledger.stateHash()).toBe(before);
  });

  it('is of cash alone: shares that go by a register do not leave that way', () => {
    const bench = new LedgerBench();
    bench.registerEntry([ISSUANCE, -30], [ALICE, 30]);
    expect(distribute(bench, [[ALICE, -1]], { asset: SHARES })).toEqual({ type: 'malformed', detail: 'no_cash' });
  });
});
