import { describe, expect, it } from 'vitest';
import { violationsOf } from './invariants.ts';
import { ALICE, BOB, BOOK, idAt, lot, SHARES, USD } from './ledger.fixtures.ts';
import { FIRST_RULES, LEDGER_CODE, ruleSetOf } from './ledger-rules.ts';
import { LedgerState } from './ledger-state.ts';

const [ORDER, LOT] = [idAt(1, 1), idAt(1, 2)];

/** Alice has 100 cents, and 10 shares in one lot, of which an order holds 4. */
function soundState(): LedgerState {
  const state = new LedgerState(LEDGER_CODE.known, FIRST_RULES, ruleSetOf(LEDGER_CODE.known, FIRST_RULES.version));
  const { balances, reservations, lots } = state;
  for (const [asset, amount] of [
    [USD, 100],
    [SHARES, 10],
  ] as const) {
    balances.addAvailable(balances.open(ALICE, asset), amount);
    balances.addAvailable(balances.open('boundary:deposits', asset), -amount);
  }
  const holding = balances.find(ALICE, SHARES);
  lots.insert(holding, lot({ id: LOT, quantity: 10 }), 'registered');
  balances.hold(holding, 4);
  const number = reservations.add(ORDER, {
    kind: 'order',
    book: BOOK,
    account: balances.account(holding),
    reserveBalance: holding,
    allowanceBalance: -1,
    positionBalance: -1,
    reserve: 4,
    allowance: 0,
    position: 0,
  });
  lots.reserve(number, holding, 4, 10);
  return state;
}

describe('the invariants', () => {
  it('hold for a sound ledger', () => {
    expect(violationsOf(soundState())).toEqual([]);
  });

  const breaks: readonly [what: string, invariant: string, spoil: (state: LedgerState) => void][] = [
    ['an asset that does not sum to zero', 'L1', ({ balances }) => balances.addAvailable(balances.open(BOB, USD), 1)],
    [
      'an account that is negative',
      'L2',
      ({ balances }) => {
        balances.addAvailable(balances.open(BOB, USD), -1);
        balances.addAvailable(balances.open(ALICE, USD), 1);
      },
    ],
    ['an account that holds what no order does', 'L3', ({ balances }) => balances.hold(balances.find(ALICE, USD), 1)],
    [
      'an order that holds what its account does not',
      'L3',
      ({ reservations }) => reservations.setAmounts(reservations.ids.find(ORDER), 5, 0, 0),
    ],
    [
      'a lot that sells have reserved more of than it says',
      'lots',
      ({ lots, balances, reservations }) => {
        lots.reserve(reservations.ids.find(ORDER), balances.find(ALICE, SHARES), 1, 1);
      },
    ],
    [
      'lots that are less than the balance',
      'lots',
      ({ lots, balances }) => {
        lots.withdraw(balances.find(ALICE, SHARES), 1);
      },
    ],
    [
      'a balance without any lot, of an asset that has lots',
      'lots',
      ({ balances }) => {
        balances.addAvailable(balances.open(BOB, SHARES), 1);
        balances.addAvailable(balances.open('boundary:deposits', SHARES), -1);
      },
    ],
  ];

  it.each(breaks)('find %s', (_, invariant, spoil) => {
    const state = soundState();
    spoil(state);
    expect(new Set(violationsOf(state).map((row) => row.invariant))).toEqual(new Set([invariant]));
  });
});
