import { describe, expect, it } from 'vitest';
import { AMOUNT_MAX } from './balances.ts';
import { StoredJournal } from './journal.fixtures.ts';
import { ALICE, BOB, LedgerBench, lot, type RegisterLegTerms, SHARES, START } from './ledger.fixtures.ts';
import type { ReceivedLot } from './records.ts';
import type { RegisterEntry } from './transactions.ts';

const ISSUANCE = 'boundary:issuance';
const REGISTER = 'boundary:register';
const REGISTER_LEGS_MAX = 1_000;

function refused(bench: LedgerBench, ...legs: RegisterLegTerms[]): unknown {
  const before = [bench.ledger.stateHash(), bench.ledger.size];
  const outcome = bench.registerEntry(...legs);
  expect([bench.ledger.stateHash(), bench.ledger.size]).toEqual(before);
  return outcome;
}

/** Alice has 10 of SHARES with an account, holders without one have 20. */
function issued(): LedgerBench {
  const bench = new LedgerBench();
  expect(bench.registerEntry([ISSUANCE, -30], [ALICE, 10], [REGISTER, 20])).toMatchObject({ type: 'done' });
  return bench;
}

const available = (bench: LedgerBench) =>
  [ISSUANCE, REGISTER, ALICE, BOB].map((account) => bench.ledger.balance(account, SHARES).available);

describe('an entry of a register', () => {
  it('issues shares: what accounts and other holders have is what is outstanding', () => {
    const bench = issued();
    expect(available(bench)).toEqual([-30, 20, 10, 0]);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('brings the lots of who receives, with their cost and restriction', () => {
    const bench = new LedgerBench();
    const terms = { account: BOB, restrictionEndsAt: 9_000, offeringType: '506c' };
    const lots = [
      lot({ id: bench.id(), quantity: 2, cost: 20, ...terms }),
      lot({ id: bench.id(), quantity: 3, cost: 40, acquiredAt: START + 1, ...terms }),
    ];
    expect(bench.registerEntry([ISSUANCE, -5], [BOB, 5, lots])).toEqual({
      type: 'done',
      lotIds: lots.map(({ id }) => id),
    });
    expect([...bench.ledger.allLots()]).toEqual(
      lots.map((each) => ({ ...each, asset: SHARES, reserved: 0, account: BOB })),
    );
    expect(bench.ledger.balance(BOB, SHARES)).toEqual({ available: 5, held: 0, cost: 60 });
  });

  it('M-03: makes one lot of the rows of an account with one date, restriction and offering', () => {
    const bench = new LedgerBench();
    const of = (quantity: number, terms: Partial<ReceivedLot> = {}) =>
      lot({ id: bench.id(), account: BOB, quantity, cost: 10 * quantity, restrictionEndsAt: 9_000, ...terms });
    const lots = [of(1), of(2, { offeringType: '506c' }), of(3), of(4, { restrictionEndsAt: null }), of(5)];
    const [first, second, , fourth] = lots.map(({ id }) => id);
    expect(bench.registerEntry([ISSUANCE, -15], [BOB, 15, lots])).toEqual({
      type: 'done',
      lotIds: [first, second, fourth],
    });
    expect(bench.ledger.lot(first as string)).toMatchObject({ quantity: 9, cost: 90 });
    expect(bench.ledger.size.lots).toBe(3);
    expect(bench.ledger.balance(BOB, SHARES)).toEqual({ available: 15, held: 0, cost: 150 });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('takes the oldest free shares of who gives, and their cost', () => {
    const bench = new LedgerBench();
    const [old, young] = [bench.id(), bench.id()];
    const lots = [
      lot({ id: young, quantity: 4, cost: 40, acquiredAt: 2 }),
      lot({ id: old, quantity: 4, cost: 80, acquiredAt: 1 }),
    ];
    bench.registerEntry([ISSUANCE, -8], [ALICE, 8, lots]);
    expect(bench.registerEntry([ALICE, -5], [REGISTER, 5])).toEqual({ type: 'done', lotIds: [old, young] });
    expect(available(bench)).toEqual([-8, 5, 3, 0]);
    expect([...bench.ledger.allLots()].map(({ id, quantity, cost }) => [id, quantity, cost])).toEqual([[young, 3, 30]]);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('takes nothing that an open order holds', () => {
    const bench = issued();
    bench.admit({ side: 'sell', reserveAsset: SHARES, reserve: 7, quantity: 7 });
    expect(refused(bench, [ALICE, -4], [ISSUANCE, 4])).toEqual({
      type: 'insufficient_balance',
      account: ALICE,
      required: 4,
      available: 3,
    });
    expect(bench.registerEntry([ALICE, -3], [ISSUANCE, 3])).toMatchObject({ type: 'done' });
  });

  it('never leaves holders without an account with less than nothing', () => {
    const bench = issued();
    expect(refused(bench, [REGISTER, -21], [ISSUANCE, 21])).toEqual({
      type: 'insufficient_balance',
      account: REGISTER,
      required: 21,
      available: 20,
    });
    expect(bench.registerEntry([REGISTER, -20], [BOB, 20])).toMatchObject({ type: 'done' });
    expect(available(bench)).toEqual([-30, 0, 10, 20]);
  });

  it.each<[string, RegisterLegTerms[], string]>([
    [
      'that does not sum to zero',
      [
        [ISSUANCE, -5],
        [ALICE, 4],
      ],
      'unbalanced',
    ],
    ['with a leg of nothing', [[ISSUANCE, 0]], 'not_whole'],
    [
      'of parts of a share',
      [
        [REGISTER, -0.5],
        [ISSUANCE, 0.5],
      ],
      'not_whole',
    ],
    [
      'that names an account twice',
      [
        [ISSUANCE, -5],
        [ALICE, 4],
        [ALICE, 1],
      ],
      'repeated_account',
    ],
    [
      'against another boundary',
      [
        ['boundary:deposits', -5],
        [ALICE, 5],
      ],
      'foreign_boundary',
    ],
    [
      'without the lots of who receives',
      [
        [ISSUANCE, -5],
        [ALICE, 5, []],
      ],
      'wrong_lots',
    ],
    [
      'with lots of another account',
      [
        [ISSUANCE, -5],
        [ALICE, 5, [lot({ id: 'x', account: BOB, quantity: 5 })]],
      ],
      'wrong_lots',
    ],
    [
      'with lots of what leaves',
      [
        [ISSUANCE, 5],
        [ALICE, -5, [lot({ id: 'x', quantity: 5 })]],
      ],
      'wrong_lots',
    ],
    [
      'with lots of the register',
      [
        [ISSUANCE, -5],
        [REGISTER, 5, [lot({ id: 'x', quantity: 5 })]],
      ],
      'wrong_lots',
    ],
    [
      'with one lot twice',
      [
        [ISSUANCE, -5],
        [ALICE, 4, [lot({ id: 'x', quantity: 4 })]],
        [BOB, 1, [lot({ id: 'x', account: BOB, quantity: 1 })]],
      ],
      'lot_exists',
    ],
  ])('%s is refused', (_, legs, detail) => {
    expect(refused(issued(), ...legs)).toEqual({ type: 'malformed', detail });
  });

  it('has a bounded number of legs', () => {
    const bench = issued();
    const legs = Array.from({ length: REGISTER_LEGS_MAX }, (_, n): RegisterLegTerms => [`holder-${n}`, 1]);
    expect(refused(bench, [ISSUANCE, -REGISTER_LEGS_MAX], ...legs)).toEqual({
      type: 'malformed',
      detail: 'too_many_legs',
    });
    expect(bench.registerEntry([ISSUANCE, 1 - REGISTER_LEGS_MAX], ...legs.slice(1))).toMatchObject({ type: 'done' });
  });

  it('leaves all that is outstanding within the range of exact amounts', () => {
    const bench = issued();
    expect(refused(bench, [ISSUANCE, 29 - AMOUNT_MAX], [REGISTER, AMOUNT_MAX - 29])).toEqual({
      type: 'balance_too_large',
    });
    expect(bench.registerEntry([ISSUANCE, 30 - AMOUNT_MAX], [REGISTER, AMOUNT_MAX - 30])).toMatchObject({
      type: 'done',
    });
  });

  it('needs room for balances and lots, and none where it brings neither', () => {
    const bench = new LedgerBench({ balancesMax: 3, lotsMax: 1 });
    bench.registerEntry([ISSUANCE, -30], [ALICE, 10], [REGISTER, 20]);
    expect(refused(bench, [ISSUANCE, -1], [BOB, 1])).toEqual({ type: 'ledger_full' });
    expect(refused(bench, [ISSUANCE, -1], [ALICE, 1])).toEqual({ type: 'ledger_full' });
    expect(bench.registerEntry([ALICE, -1], [REGISTER, 1])).toMatchObject({ type: 'done' });
  });
});

it('a refusal of an entry is journaled, but for what is refused every time; a replay comes to the same', () => {
  const journal = new StoredJournal();
  const entry = (id: string, ...legs: (readonly [string, number])[]): RegisterEntry => ({
    kind: 'register_entry',
    id,
    asset: SHARES,
    legs: legs.map(([account, change]) => ({ account, change, lots: [] })),
    createdAt: 1,
    event: null,
  });
  journal.commit(1, entry('issued', [ISSUANCE, -5], [REGISTER, 5]));
  const before = journal.ledger.stateHash();
  journal.commit(2, entry('short', [ISSUANCE, 6], [REGISTER, -6]));
  expect(journal.ledger.stateHash()).toBe(before);
  const context = { time: 3, backlogged: false };
  const contradicting = entry('unbalanced', [ISSUANCE, 6], [REGISTER, -5]);
  expect(journal.ledger.apply(contradicting, context)).toMatchObject({ changed: false });
  const replayed = new StoredJournal();
  replayed.goOnWith(journal);
  expect(replayed.ledger.stateHash()).toBe(before);
});

describe('an asset that goes by its register', () => {
  it('takes no deposits and no withdrawals', () => {
    const bench = issued();
    const lots = [lot({ id: bench.id(), quantity: 5 })];
    expect(bench.transfer('deposit', { asset: SHARES, amount: 5, lots })).toEqual({ type: 'goes_by_register' });
    expect(bench.transfer('withdrawal', { asset: SHARES, amount: 5 })).toEqual({ type: 'goes_by_register' });
    expect(available(bench)).toEqual([-30, 20, 10, 0]);
  });

  it('is one of which nobody has deposited shares', () => {
    const bench = new LedgerBench();
    bench.depositLots(ALICE, lot({ id: bench.id(), quantity: 5 }));
    expect(refused(bench, [ISSUANCE, -5], [REGISTER, 5])).toEqual({ type: 'has_deposits' });
    bench.transfer('withdrawal', { asset: SHARES, amount: 5 });
    expect(bench.registerEntry([ISSUANCE, -5], [REGISTER, 5])).toMatchObject({ type: 'done' });
  });

  it('stays one after a restart, and when all its shares are cancelled', () => {
    const bench = issued();
    bench.registerEntry([ALICE, -10], [REGISTER, -20], [ISSUANCE, 30]);
    bench.restart();
    const lots = [lot({ id: bench.id(), quantity: 5 })];
    expect(bench.transfer('deposit', { asset: SHARES, amount: 5, lots })).toEqual({ type: 'goes_by_register' });
  });
});
