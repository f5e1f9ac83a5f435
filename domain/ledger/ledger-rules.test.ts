import { describe, expect, it } from 'vitest';
import { StoredJournal } from './journal.fixtures.ts';
import { JournalBroken } from './journal-chain.ts';
import { ledgerAsOf } from './journal-replay.ts';
import {
  ALICE,
  BOB,
  idAt,
  LedgerBench,
  ledgerOfNow,
  lot,
  move,
  orderState,
  SHARES,
  START,
  storedPieces,
  USD,
} from './ledger.fixtures.ts';
import { Ledger } from './ledger.ts';
import { LEDGER_LIMITS, type LedgerLimits } from './ledger-limits.ts';
import { laterCode } from './ledger-rules.fixtures.ts';
import { FIRST_RULES, LEDGER_CODE, rulesChange, rulesOf } from './ledger-rules.ts';
import type { LedgerRulesChange, Transfer } from './transactions.ts';

const LATER = laterCode();
const KNOWN = LEDGER_CODE.known.map(({ version }) => version).join(' and ');
const UNKNOWN = `version ${LATER.rules.version} of the ledger's rules is not known to this code, which has ${KNOWN}`;

function limitsTo(limits: Partial<LedgerLimits>): LedgerRulesChange {
  return { kind: 'ledger_rules', version: LEDGER_CODE.rules.version, limits: { ...LEDGER_LIMITS, ...limits } };
}

function transfer(number: number, type: Transfer['type'], amount: number, cost = 0): Transfer {
  const terms = { account: ALICE, asset: USD, amount, cost, tracksLots: false, lots: [], reference: null } as const;
  return { kind: 'transfer', id: idAt(START, number), type, ...terms, createdAt: START, event: null };
}

function costOf(ledger: Ledger): number {
  return ledger.balance(ALICE, USD).cost;
}

describe("a ledger's limits", () => {
  it('are those of its first rules, and stand in its checkpoint', () => {
    const bench = new LedgerBench();
    expect(new Ledger().rules).toEqual(FIRST_RULES);
    bench.apply(limitsTo({ lotsMax: 7 }));
    bench.restart();
    const { version } = LEDGER_CODE.rules;
    expect(bench.ledger.rules).toEqual({ version, limits: { ...LEDGER_LIMITS, lotsMax: 7 } });
  });

  it('lowered below what is in use refuse growth alone: what is open settles, and what has left makes room', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { amount: 1_000 });
    bench.depositLots(BOB, lot({ id: idAt(1, 1), quantity: 5 }), lot({ id: idAt(1, 2), quantity: 5 }));
    const ids = [bench.admit({ reserve: 10 }), bench.admit({ reserve: 10 })];
    bench.apply(limitsTo({ reservationsMax: 1, lotsMax: 1, balancesMax: 1, balancesPerAccountMax: 1 }));
    bench.restart();
    expect(bench.refusalOf({ reserve: 10 })?.refusal).toBe('ledger_full');
    expect(bench.transfer('deposit', { account: BOB, amount: 1 })).toEqual({ type: 'ledger_full' });
    expect(bench.transfer('deposit', { amount: 1 })).toMatchObject({ type: 'done' });
    expect(bench.transfer('withdrawal', { account: BOB, asset: SHARES, amount: 1 })).toMatchObject({ type: 'done' });
    for (const id of ids) bench.settle({ orders: [orderState({ id })], balances: [move(ALICE, USD, 10)] });
    expect(bench.ledger.size.reservations).toBe(0);
    expect(bench.ledger.violations()).toEqual([]);
    bench.apply(limitsTo({ reservationsMax: 1 }));
    expect(bench.refusalOf({ reserve: 10 })).toBeNull();
    expect(bench.refusalOf({ reserve: 10 })?.refusal).toBe('ledger_full');
  });

  it('of ids known by heart are lowered and raised from the next id on', () => {
    const bench = new LedgerBench({ recentIdsMax: 4 });
    bench.transfer('deposit', { amount: 1_000 });
    const first = bench.admit({});
    bench.admit({});
    bench.apply(limitsTo({ recentIdsMax: 1 }));
    bench.time += 1_000;
    bench.admit({});
    bench.restart();
    expect(bench.refusalOf({ id: first })?.refusal).toBe('exists');
    bench.time += 1_000;
    bench.admit({});
    expect(bench.ledger.isForgotten(idAt(START - 1, 1))).toBe(true);
  });

  it('that rules do not name, because they are older, do not limit', () => {
    const { lotsMax: _, ...older } = LEDGER_LIMITS;
    expect(rulesOf({ version: 1, limits: older }).limits).toEqual({ ...older, lotsMax: Number.MAX_SAFE_INTEGER });
  });

  it('are part of what a replay follows: rows that had room under the old ones have it again', async () => {
    const journal = new StoredJournal();
    const share = (number: number) => ({ ...transfer(number, 'deposit', 1), asset: SHARES, tracksLots: true });
    const withLot = (number: number) => ({
      ...share(number),
      lots: [lot({ id: idAt(START, 50 + number), quantity: 1 })],
    });
    journal.commit(START, withLot(1));
    journal.commit(START, withLot(2));
    journal.commit(START + 1, limitsTo({ lotsMax: 1 }));
    const refused = journal.ledger.apply(withLot(3), { time: START + 1, backlogged: false });
    expect(refused.outcome).toEqual({ type: 'ledger_full' });
    journal.commit(START + 2, limitsTo({ lotsMax: 3 }));
    journal.commit(START + 2, withLot(4));
    const { ledger, seq } = await ledgerAsOf(journal.rows, Number.POSITIVE_INFINITY);
    expect(seq).toBe(5);
    expect(ledger.stateHash()).toBe(journal.stateHashes.at(-1));
    const without = journal.rows.filter((row) => row.seq !== 4);
    const later = new StoredJournal();
    for (const { time, text } of without) later.append(time, text);
    await expect(ledgerAsOf(later.rows, Number.POSITIVE_INFINITY)).rejects.toThrow(
      'gave another outcome of a transfer',
    );
  });

  it('are changed by a transaction only where they differ', () => {
    expect(rulesChange(LEDGER_CODE.rules, { ...LEDGER_CODE.rules })).toBeNull();
    expect(rulesChange(FIRST_RULES, LEDGER_CODE.rules)).toEqual({ kind: 'ledger_rules', ...LEDGER_CODE.rules });
    const ledger = ledgerOfNow();
    const again = ledger.apply(limitsTo({}), { time: START, backlogged: false });
    expect(again).toEqual({ outcome: { type: 'exists' }, changed: false });
    const changed = new Ledger({ lotsMax: 3 });
    expect(changed.stateHash()).not.toBe(ledger.stateHash());
    expect(rulesChange(changed.rules, FIRST_RULES)).toEqual({ kind: 'ledger_rules', ...FIRST_RULES });
  });
});

/** A journal that was begun under version 1 and goes on under another: 10 units that cost 100, sold in parts of 1 and 3. */
function upgraded(): StoredJournal {
  const journal = new StoredJournal();
  journal.commit(START, transfer(1, 'deposit', 7, 100));
  journal.commit(START + 1, transfer(2, 'withdrawal', 1));
  // The code of later has read what the code of before wrote, and goes on.
  const later = new StoredJournal(LATER.known);
  later.goOnWith(journal);
  later.commit(START + 2, { kind: 'ledger_rules', ...LATER.rules });
  later.commit(START + 3, transfer(3, 'withdrawal', 1));
  return later;
}

describe('a ledger whose rules get another version', () => {
  it('judges each row by the version that made it, in a replay from the first row and from a checkpoint on', async () => {
    const journal = upgraded();
    // 100 less 14 of 14.28 rounded down, less 15 of 14.33 rounded up.
    expect(costOf(journal.ledger)).toBe(100 - 14 - 15);
    const { ledger } = await ledgerAsOf(journal.rows, Number.POSITIVE_INFINITY, LATER.known);
    expect(ledger.rules.version).toBe(LATER.rules.version);
    expect(ledger.stateHash()).toBe(journal.ledger.stateHash());

    const restored = Ledger.restore(storedPieces(ledger), LATER.known);
    const next = transfer(4, 'withdrawal', 1);
    for (const each of [journal.ledger, restored]) each.apply(next, { time: START + 4, backlogged: false });
    // 15 of 14.2.
    expect(costOf(restored)).toBe(100 - 14 - 15 - 15);
    expect(restored.stateHash()).toBe(journal.ledger.stateHash());
  });

  it('goes back to the version before by a row, as long as its code has both', async () => {
    const journal = upgraded();
    journal.commit(START + 4, { kind: 'ledger_rules', ...laterCode(1).rules });
    journal.commit(START + 5, transfer(4, 'withdrawal', 1));
    expect(costOf(journal.ledger)).toBe(100 - 14 - 15 - 14);
    const { ledger } = await ledgerAsOf(journal.rows, Number.POSITIVE_INFINITY, LATER.known);
    expect(ledger.stateHash()).toBe(journal.ledger.stateHash());
  });

  it('is refused by code of before, by name: its journal at the row of the change, its checkpoint whole', async () => {
    const journal = upgraded();
    await expect(ledgerAsOf(journal.rows, Number.POSITIVE_INFINITY)).rejects.toThrow(
      new JournalBroken(`journal row 3 cannot be replayed: ${UNKNOWN}`),
    );
    expect(() => Ledger.restore(storedPieces(journal.ledger))).toThrow(UNKNOWN);
  });

  it('is refused where a row names another version than was in force', async () => {
    const journal = upgraded();
    const forged = new StoredJournal();
    for (const { seq, time, text } of journal.rows)
      forged.append(time, seq === 2 ? text.replace('"rules":1', '"rules":2') : text);
    await expect(ledgerAsOf(forged.rows, Number.POSITIVE_INFINITY, LATER.known)).rejects.toThrow(
      new JournalBroken("journal row 2 was made by version 2 of the ledger's rules, and version 1 was in force"),
    );
  });

  it('is refused where the rules name a limit that the code does not know', async () => {
    const journal = new StoredJournal();
    const limits = { ...LEDGER_LIMITS, ordersPerDayMax: 5 };
    journal.append(
      START,
      JSON.stringify({
        time: START,
        backlogged: false,
        rules: 1,
        entries: [['ledger_rules', { kind: 'ledger_rules', version: 1, limits }, { type: 'done' }]],
      }),
    );
    await expect(ledgerAsOf(journal.rows, Number.POSITIVE_INFINITY)).rejects.toThrow(
      'journal row 1 cannot be replayed: limit ordersPerDayMax of the ledger is not known to this code',
    );
  });

  it('reads rows and checkpoints that are older than versions as made by the first', async () => {
    const journal = new StoredJournal();
    journal.commit(START, transfer(1, 'deposit', 5));
    const older = new StoredJournal();
    for (const { time, text } of journal.rows) older.append(time, text.replace('"rules":1,', ''));
    expect(older.rows[0]?.text).not.toBe(journal.rows[0]?.text);
    const { ledger } = await ledgerAsOf(older.rows, Number.POSITIVE_INFINITY);
    expect(ledger.stateHash()).toBe(journal.ledger.stateHash());
    const pieces = storedPieces(ledger).map((piece) =>
      piece.name === 'rest' ? { ...piece, data: withoutRules(piece.data) } : piece,
    );
    expect(Ledger.restore(pieces).stateHash()).toBe(ledger.stateHash());
  });
});

function withoutRules(rest: Uint8Array): Uint8Array {
  const { rules, ...older } = JSON.parse(new TextDecoder().decode(rest));
  expect(rules).toEqual(FIRST_RULES);
  return new TextEncoder().encode(JSON.stringify(older));
}
