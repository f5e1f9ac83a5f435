import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { StoredRow } from '../../../../domain/ledger/journal-chain.ts';
import { ledgerAsOf } from '../../../../domain/ledger/journal-replay.ts';
import { laterCode } from '../../../../domain/ledger/ledger-rules.fixtures.ts';
import { LEDGER_CODE, type LedgerCode } from '../../../../domain/ledger/ledger-rules.ts';
import { clearLedgerFaults, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import {
  ask,
  cancelled,
  deposit,
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

/** Ends the running instance; the next one is of this deployment. */
async function deploy(shard: string, code: LedgerCode, settings = {}): Promise<void> {
  planLedgerFaults({ code, settings });
  await restart(shard);
}

function pay(shard: string, account: string, type: 'deposit' | 'withdrawal', amount: number, cost = 0) {
  return ask(shard, (ledger) => ledger.transact(deposit(account, amount, { type, cost })));
}

async function costOf(shard: string, account: string): Promise<number | undefined> {
  return (await ledgerNamed(shard).balances(account))[0]?.cost;
}

async function rowsOf(shard: string): Promise<readonly StoredRow[]> {
  const part = await ledgerNamed(shard).journalPartAfter(0);
  if (part.type !== 'rows') throw new Error('fixture: the journal is sealed');
  return part.rows;
}

/** Versions of the rules that rows name, in their order. */
async function versionsIn(shard: string): Promise<number[]> {
  return (await rowsOf(shard)).map(({ text }) => (JSON.parse(text) as { rules: number }).rules);
}

/** The ledger is what its journal says from the first row on, by code of this deployment, and D1 has all of it. */
async function expectSound(shard: string, code: LedgerCode): Promise<void> {
  const { ledger } = await ledgerAsOf(await rowsOf(shard), Number.POSITIVE_INFINITY, code.known);
  expect(await ledgerNamed(shard).selfAudit()).toEqual([]);
  expect(await ledgerNamed(shard).projected()).toBe(true);
  expect(await ledgerNamed(shard).stateHash()).toMatchObject({ stateHash: ledger.stateHash() });
  const { journaled } = await ledgerNamed(shard).status();
  expect(await ledgerNamed(shard).status()).toMatchObject({ halted: null, projected: journaled });
}

describe('a deployment with other limits of the ledger', () => {
  it.each([
    ['replays the rows', 10_000],
    ['restores the checkpoint', 3],
  ])('%s of before, and judges what comes by its own limits, across kills', async (_, checkpointRows) => {
    const shard = `ledger:limits-${checkpointRows}`;
    planLedgerFaults({ settings: { checkpointRows } });
    const [account, other] = [uuidv7(), uuidv7()];
    for (const each of [account, other]) await pay(shard, each, 'deposit', 1_000);
    const book = await new TestBook(shard, 'ACME-USD').takeOver();
    const open = [order(account, 10), order(account, 10), order(account, 10)];
    for (const each of open) await book.send(book.compose([each]));
    const before = await ledgerNamed(shard).status();

    const fewer = laterCode(LEDGER_CODE.rules.version, { reservationsMax: 2 });
    await deploy(shard, fewer, { checkpointRows });
    expect(await ledgerNamed(shard).status()).toMatchObject({
      halted: null,
      journaled: before.journaled + 1,
      reservations: 3,
    });
    const refused = { type: 'landed', refused: [{ refusal: 'ledger_full' }] };
    expect(await book.send(book.compose([order(account, 1)]))).toMatchObject(refused);
    for (const each of open.slice(1)) await book.send(book.compose([], [cancelled(each)]));
    // An account takes no more of a shard than is still free: the last place is another's.
    expect(await book.send(book.compose([order(other, 1)]))).toMatchObject({ type: 'landed', refused: [] });
    expect(await book.send(book.compose([order(other, 1)]))).toMatchObject(refused);
    await expectSound(shard, fewer);

    const { journaled } = await ledgerNamed(shard).status();
    await restart(shard);
    expect(await ledgerNamed(shard).status(), 'who starts again under the same limits writes nothing').toMatchObject({
      halted: null,
      journaled,
    });
    await deploy(shard, LEDGER_CODE, { checkpointRows });
    expect(await ledgerNamed(shard).status()).toMatchObject({ halted: null, journaled: journaled + 1 });
    expect(await book.send(book.compose([order(account, 1)]))).toMatchObject({ type: 'landed', refused: [] });
    await expectSound(shard, LEDGER_CODE);
  });

  it('that is killed before its row is on disk writes it again', async () => {
    const shard = 'ledger:limits-killed';
    await pay(shard, uuidv7(), 'deposit', 1_000);
    await deploy(shard, laterCode(LEDGER_CODE.rules.version, { lotsMax: 2 }));
    const kill = (): Promise<unknown> =>
      runInDurableObject(env.LEDGER.getByName(shard), (_, state) => state.abort('killed by a test')).catch(() => null);
    await kill();
    await kill();
    expect(await ask(shard, (ledger) => ledger.status())).toMatchObject({ halted: null, journaled: 3 });
    await expectSound(shard, laterCode());
  });
});

describe("a deployment with another version of the ledger's rules", () => {
  it.each([
    ['replays the rows', 10_000],
    ['restores the checkpoint', 2],
  ])('%s of the version before by its rules, and goes on by its own, across kills', async (_, checkpointRows) => {
    const shard = `ledger:rules-${checkpointRows}`;
    planLedgerFaults({ settings: { checkpointRows } });
    const account = uuidv7();
    await pay(shard, account, 'deposit', 7, 100);
    await pay(shard, account, 'withdrawal', 1);
    expect(await costOf(shard, account), '14 of 14.29').toBe(86);

    await deploy(shard, laterCode(), { checkpointRows });
    await pay(shard, account, 'withdrawal', 1);
    expect(await costOf(shard, account), '15 of 14.33').toBe(71);
    await restart(shard);
    expect(await costOf(shard, account)).toBe(71);
    await pay(shard, account, 'withdrawal', 1);
    expect(await costOf(shard, account), '15 of 14.2').toBe(56);
    await restart(shard);
    expect(await versionsIn(shard)).toEqual([1, 2, 2, 2, 3, 3]);
    await expectSound(shard, laterCode());
  });

  it('may be taken back to code that has both versions and goes by the one before', async () => {
    const shard = 'ledger:rules-back';
    const account = uuidv7();
    await deploy(shard, laterCode());
    await pay(shard, account, 'deposit', 7, 100);
    await deploy(shard, laterCode(1));
    await pay(shard, account, 'withdrawal', 1);
    expect(await costOf(shard, account), '14 of 14.29').toBe(86);
    expect(await versionsIn(shard)).toEqual([1, 3, 3, 1]);
    await expectSound(shard, laterCode(1));
  });

  it.each([
    ['journal', 10_000, /^journal row 3 cannot be replayed: version 3 of the ledger's rules is not known to this code/],
    ['checkpoint', 1, /^the checkpoint cannot be read: version 3 of the ledger's rules is not known to this code/],
  ])(
    'taken back to code that lacks it halts over its %s with the reason, touches nothing, and goes on with the right code',
    async (_, checkpointRows, reason) => {
      const shard = `ledger:rules-unknown-${checkpointRows}`;
      const account = uuidv7();
      planLedgerFaults({ settings: { checkpointRows } });
      await pay(shard, account, 'deposit', 7, 100);
      await deploy(shard, laterCode(), { checkpointRows });
      await pay(shard, account, 'withdrawal', 1);
      await pay(shard, account, 'withdrawal', 1);
      expect(await ledgerNamed(shard).projected()).toBe(true);
      const hash = await ledgerNamed(shard).stateHash();
      const stored = () =>
        inStorage(shard, ({ sql }) => [
          sql.exec('SELECT seq, hash FROM journal ORDER BY seq').toArray(),
          sql.exec('SELECT part, name, hash FROM checkpoint ORDER BY part').toArray(),
          sql.exec('SELECT key, value FROM meta ORDER BY key').toArray(),
        ]);
      const before = await stored();

      await deploy(shard, LEDGER_CODE, { checkpointRows });
      expect((await ledgerNamed(shard).status()).halted).toMatch(reason);
      const refused = await ledgerNamed(shard)
        .transact(deposit(account, 1))
        .then(
          () => 'answered',
          (error: unknown) => String(error),
        );
      expect(refused).toMatch(/the ledger is halted: .*version 3/);
      expect(await stored()).toEqual(before);

      await deploy(shard, laterCode(), { checkpointRows });
      expect((await ledgerNamed(shard).status()).halted).toBeNull();
      expect(await ledgerNamed(shard).stateHash()).toEqual(hash);
      await pay(shard, account, 'withdrawal', 1);
      expect(await costOf(shard, account), '14 of 14').toBe(56);
      await expectSound(shard, laterCode());
    },
  );
});
