import { beforeEach, describe, expect, test } from 'vitest';
import { StoredJournal } from './journal.fixtures.ts';
import { chainHash, JournalBroken } from './journal-chain.ts';
import { ledgerAsOf } from './journal-replay.ts';
import { ALICE, idAt, START, USD } from './ledger.fixtures.ts';
import type { Transfer } from './transactions.ts';

let journal: StoredJournal;

function transfer(number: number, type: Transfer['type'], amount: number): Transfer {
  return {
    kind: 'transfer',
    id: idAt(START, number),
    type,
    account: ALICE,
    asset: USD,
    amount,
    cost: 0,
    tracksLots: false,
    lots: [],
    reference: null,
    createdAt: START,
    event: null,
  };
}

/** Three rows, the last two of one time. */
beforeEach(() => {
  journal = new StoredJournal();
  journal.commit(START, transfer(1, 'deposit', 100));
  journal.commit(START + 10, transfer(2, 'deposit', 10));
  journal.commit(START + 10, transfer(3, 'withdrawal', 30));
});

describe('the ledger as of a time', () => {
  test.each([
    [-1, 0],
    [0, 1],
    [9, 1],
    [10, 3],
    [Number.POSITIVE_INFINITY, 3],
  ])('has every row up to that time and none after (%i ms after the first: %i rows)', async (after, seq) => {
    const found = await ledgerAsOf(journal.rows, START + after);
    expect(found).toMatchObject({ seq, time: seq === 0 ? 0 : START + (seq === 1 ? 0 : 10) });
    expect(found.hash).toBe(journal.rows[seq - 1]?.hash ?? '');
    expect(found.ledger.stateHash()).toBe(journal.stateHashes[seq]);
    expect(found.ledger.violations()).toEqual([]);
  });

  test('shows every balance', async () => {
    const { ledger } = await ledgerAsOf(journal.rows, START);
    expect([...ledger.allBalances()]).toEqual([
      { account: 'boundary:deposits', asset: USD, available: -100, held: 0, cost: 0 },
      { account: ALICE, asset: USD, available: 100, held: 0, cost: 0 },
    ]);
  });

  test('shows every lot', async () => {
    const lot = { account: ALICE, cost: 5, restrictionEndsAt: null, offeringType: '506c' };
    const lots = [
      { ...lot, id: 'newer', quantity: 3, acquiredAt: 2 },
      { ...lot, id: 'older', quantity: 4, acquiredAt: 1 },
    ];
    journal.commit(START + 20, { ...transfer(4, 'deposit', 7), asset: 'acme', tracksLots: true, lots });
    const { ledger } = await ledgerAsOf(journal.rows, START + 20);
    expect([...ledger.allLots()]).toMatchObject([
      { id: 'older', account: ALICE, asset: 'acme', quantity: 4, reserved: 0, offeringType: '506c' },
      { id: 'newer', account: ALICE, asset: 'acme', quantity: 3, reserved: 0, offeringType: '506c' },
    ]);
  });
});

describe('a journal that is not what was written is refused', () => {
  const replayed = (rows = journal.rows) => ledgerAsOf(rows, Number.POSITIVE_INFINITY);

  test('when a row was changed', async () => {
    const rows = journal.rows.map((row) => ({ ...row, text: row.text.replace('"amount":10,', '"amount":11,') }));
    await expect(replayed(rows)).rejects.toThrow(new JournalBroken('journal row 2 does not continue the chain'));
  });

  test('when a row is missing', async () => {
    await expect(replayed(journal.rows.slice(1))).rejects.toThrow(new JournalBroken('journal row 1 is missing'));
    await expect(replayed(journal.rows.toSpliced(1, 1))).rejects.toThrow(new JournalBroken('journal row 2 is missing'));
  });

  test('when a transaction comes to another outcome than was answered', async () => {
    const [first, second] = journal.rows;
    const text = second?.text.replace('"available":110', '"available":111') ?? '';
    expect(text).not.toBe(second?.text);
    const forged = { seq: 2, time: START + 10, text, hash: chainHash(first?.hash ?? '', text) };
    await expect(replayed([...journal.rows.slice(0, 1), forged])).rejects.toThrow(
      new JournalBroken('replay of journal row 2 gave another outcome of a transfer'),
    );
  });

  test('when a transaction that changes nothing stands in it', async () => {
    journal.append(START + 20, journal.rows[2]?.text.replace('"amount":30', '"amount":3000') ?? '');
    await expect(replayed()).rejects.toThrow(/^replay of journal row 4 gave another outcome/);
  });
});
