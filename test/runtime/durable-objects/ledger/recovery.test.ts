import { env } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clearLedgerFaults, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import {
  ask,
  cancelled,
  deposit,
  filled,
  inStorage,
  ledgerNamed,
  order,
  restart,
  TestBook,
} from '../../fixtures/ledger-client.ts';
import { migrate } from '../../fixtures/migrate.ts';

beforeAll(async () => {
  await migrate();
});
afterEach(clearLedgerFaults);

/** Traffic of every kind, `rounds` times. */
async function trade(shard: string, rounds: number): Promise<void> {
  const [alice, bob] = [uuidv7(), uuidv7()];
  const book = await new TestBook(shard, 'ACME-USD').takeOver();
  await ask(shard, (ledger) => ledger.transact(deposit(alice, 1_000_000)));
  await ask(shard, (ledger) => ledger.transact(deposit(bob, 1_000_000, { asset: 'acme' })));
  for (let round = 1; round <= rounds; round++) {
    const buy = order(alice, 10);
    const sell = order(bob, 10, { side: 'sell', reserveAsset: 'acme' });
    const rest = order(alice, 5);
    await book.send(book.compose([buy, sell, rest, order(alice, 1)]));
    await book.send(book.compose([], [filled(buy, sell, round), cancelled(rest)]));
  }
  expect(await ledgerNamed(shard).projected()).toBe(true);
}

/** Runs SQL on a journal at rest, and starts the ledger again. */
async function tamper(shard: string, sql: string, ...values: SqlStorageValue[]): Promise<void> {
  await inStorage(shard, (storage) => storage.sql.exec(sql, ...values).toArray());
  await restart(shard);
}

async function expectHalted(shard: string, reason: RegExp): Promise<void> {
  const status = await ledgerNamed(shard).status();
  expect(status.halted).toMatch(reason);
  const calls = [
    () => ledgerNamed(shard).balances('anyone'),
    () => ledgerNamed(shard).openBooks('anyone'),
    () => ledgerNamed(shard).fence('ACME-USD'),
    () => ledgerNamed(shard).reservations('ACME-USD'),
    () => ledgerNamed(shard).transact(deposit('anyone', 1)),
    () => ledgerNamed(shard).commitText(new TestBook(shard, 'ACME-USD').compose([])),
  ];
  for (const call of calls) {
    const answer = await call().then(
      () => 'answered',
      (error: unknown) => String(error),
    );
    expect(answer).toMatch(/halted/);
  }
  expect(await ledgerNamed(shard).projected()).toBe(false);
  expect(await ledgerNamed(shard).selfAudit()).toMatchObject([{ invariant: 'replay' }]);
}

describe('a ledger whose journal is not as it was written halts with the reason', () => {
  it('when a row was changed', async () => {
    const shard = 'ledger:changed';
    await trade(shard, 2);
    await tamper(shard, `UPDATE journal SET row = replace(row, '1000000', '1000001') WHERE seq = 3`);
    await expectHalted(shard, /row 3 does not continue the chain/);
  });

  it('when a row is missing', async () => {
    const shard = 'ledger:missing';
    await trade(shard, 2);
    await tamper(shard, 'DELETE FROM journal WHERE seq = 3');
    await expectHalted(shard, /row 3 is missing/);
  });

  it('when replay gives another outcome than was answered', async () => {
    const shard = 'ledger:differs';
    await trade(shard, 1);
    const rows = await inStorage(shard, ({ sql }) =>
      sql.exec<{ seq: number; row: string; hash: string }>('SELECT seq, row, hash FROM journal ORDER BY seq').toArray(),
    );
    const last = rows.at(-1);
    const previous = rows.at(-2);
    const row = last?.row.replace('"refused":[]', '"refused":[{}]') ?? '';
    expect(row).not.toBe(last?.row);
    const hash = createHash('sha256').update(`${previous?.hash}${row}`).digest('hex');
    await tamper(shard, 'UPDATE journal SET row = ?, hash = ? WHERE seq = ?', row, hash, last?.seq ?? 0);
    await expectHalted(shard, /gave another outcome of a batch/);
  });

  it('when a piece of the checkpoint was changed', async () => {
    const shard = 'ledger:piece';
    planLedgerFaults({ settings: { checkpointRows: 4 } });
    await trade(shard, 4);
    await tamper(shard, 'UPDATE checkpoint SET data = CAST(zeroblob(length(data)) AS BLOB) WHERE part = 1');
    await expectHalted(shard, /piece .* is not as written/);
  });

  it('when D1 shows more than the journal has', async () => {
    const shard = 'ledger:ahead';
    await trade(shard, 1);
    await env.DB.prepare('UPDATE projections SET seq = 99 WHERE shard = ?1').bind(shard).run();
    await restart(shard);
    await ledgerNamed(shard).transact(deposit(uuidv7(), 1));
    await expect.poll(async () => (await ledgerNamed(shard).status()).halted).toMatch(/D1 shows journal row 99/);
  });
});

describe('recovery from checkpoint and journal', () => {
  it('gives the same state, with rows that nobody needs pruned', async () => {
    const shard = 'ledger:checkpoint';
    planLedgerFaults({ settings: { checkpointRows: 7, segmentRows: 3 } });
    await trade(shard, 12);
    const { stateHash, journaled } = await ledgerNamed(shard).stateHash();
    expect(await ledgerNamed(shard).selfAudit()).toEqual([]);
    const kept = (): Promise<unknown> =>
      inStorage(shard, ({ sql }) => sql.exec('SELECT count(*) AS n FROM journal').one().n);
    await expect.poll(kept).toBeLessThan(journaled / 2);

    await restart(shard);
    expect(await ledgerNamed(shard).stateHash()).toEqual({ stateHash, journaled });
    expect(await ledgerNamed(shard).status()).toMatchObject({ journaled, projected: journaled, halted: null });
    await trade(shard, 3);
    expect(await ledgerNamed(shard).selfAudit()).toEqual([]);
  });

  it('keeps rows that D1 lacks, however old', async () => {
    const shard = 'ledger:unprojected';
    planLedgerFaults({ settings: { checkpointRows: 5, segmentRows: 2 }, d1: () => 'away' });
    const account = uuidv7();
    for (let i = 0; i < 23; i++) await ask(shard, (ledger) => ledger.transact(deposit(account, 1)));
    const { stateHash } = await ledgerNamed(shard).stateHash();
    await restart(shard);
    expect(await ledgerNamed(shard).stateHash()).toEqual({ stateHash, journaled: 24 });
    expect(await ledgerNamed(shard).status()).toMatchObject({ journaled: 24, projected: 0 });
    planLedgerFaults({ settings: { checkpointRows: 5, segmentRows: 2 } });
    expect(await ledgerNamed(shard).projected()).toBe(true);
    const balance = await env.DB.prepare('SELECT available FROM balances WHERE account = ?1').bind(account).first();
    expect(balance).toEqual({ available: 23 });
    await restart(shard);
    for (let i = 0; i < 5; i++) await ask(shard, (ledger) => ledger.transact(deposit(account, 1)));
    expect(await ledgerNamed(shard).projected()).toBe(true);
    const first = (): Promise<unknown> =>
      inStorage(shard, ({ sql }) => sql.exec('SELECT coalesce(min(seq), 30) AS n FROM journal').one().n);
    await expect.poll(first).toBeGreaterThan(20);
    expect(await ledgerNamed(shard).selfAudit()).toEqual([]);
  });

  it('is no different for what was refused in between', async () => {
    const shard = 'ledger:refusals';
    const account = uuidv7();
    await ask(shard, (ledger) => ledger.transact(deposit(account, 100)));
    await ask(shard, (ledger) => ledger.transact(deposit(account, 200, { type: 'withdrawal', asset: 'never-had' })));
    await ask(shard, (ledger) => ledger.transact(deposit(account, Number.MAX_SAFE_INTEGER)));
    await ask(shard, (ledger) => ledger.transact(deposit(uuidv7(), Number.MAX_SAFE_INTEGER)));
    await ask(shard, (ledger) => ledger.transact(deposit(uuidv7(), Number.MAX_SAFE_INTEGER)));
    await ask(shard, (ledger) =>
      ledger.transact({
        kind: 'grant',
        id: uuidv7(),
        account,
        asset: 'limit',
        amount: 5,
        createdAt: 1,
        expect: [{ account, asset: 'usd', available: 1, held: 0 }],
      }),
    );
    const stranger = new TestBook(shard, 'NONE-USD');
    expect(await stranger.send(stranger.compose([]))).toMatchObject({ type: 'fenced' });
    const hash = await ledgerNamed(shard).stateHash();
    const { balances } = await ledgerNamed(shard).status();
    expect(await ledgerNamed(shard).selfAudit()).toEqual([]);
    await restart(shard);
    expect(await ledgerNamed(shard).stateHash()).toEqual(hash);
    expect(await ledgerNamed(shard).status()).toMatchObject({ balances });
  });
});
