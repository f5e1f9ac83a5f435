import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Ledger } from '../../../../domain/ledger/ledger.ts';
import type { LedgerPoint } from '../../../../durable-objects/ledger/ledger.ts';
import { clearLedgerFaults, heldUntil, ledgerFaults, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import { ask, deposit, inStorage, ledgerNamed, order, TestBook } from '../../fixtures/ledger-client.ts';
import { migrate } from '../../fixtures/migrate.ts';

beforeAll(async () => {
  await migrate();
});
afterEach(() => {
  clearLedgerFaults();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('group commit', () => {
  it('batches of several books that arrive together share one journal row', async () => {
    const shard = 'ledger:group';
    const account = uuidv7();
    await ask(shard, (ledger) => ledger.transact(deposit(account, 1_000)));
    const books: TestBook[] = [];
    for (let i = 0; i < 8; i++) books.push(await new TestBook(shard, `B${i}-USD`).takeOver());
    const before = (await ledgerNamed(shard).status()).journaled;
    const texts = books.map((book) => book.compose([order(account, 10)]));

    const answers = await runInDurableObject(env.LEDGER.getByName(shard), (ledger) =>
      Promise.all(texts.map((text) => ledger.commitText(text))),
    );
    for (const answer of answers) expect(JSON.parse(answer)).toMatchObject({ type: 'landed', refused: [] });
    expect((await ledgerNamed(shard).status()).journaled).toBe(before + 1);

    const more = books.map((book) => book.compose([order(account, 10)]));
    const all = ledgerFaults.arrived + more.length;
    planLedgerFaults({
      waits: (point) => (point === 'before_apply' ? heldUntil(() => ledgerFaults.arrived >= all) : undefined),
    });
    await Promise.all(more.map((text) => ledgerNamed(shard).commitText(text)));
    const rows = (await ledgerNamed(shard).status()).journaled - before - 1;
    expect(rows, 'over RPC, those that come while a row is written share the next').toBeLessThan(books.length);
    expect(await ledgerNamed(shard).balances(account)).toMatchObject([{ available: 840, held: 160 }]);
  });

  it('one that comes alone waits for no timer', async () => {
    const shard = 'ledger:alone';
    const points: LedgerPoint[] = [];
    planLedgerFaults({
      waits: (point) => {
        points.push(point);
        return undefined;
      },
    });
    await runInDurableObject(env.LEDGER.getByName(shard), async (ledger) => {
      const answer = ledger.transact(deposit(uuidv7(), 1));
      for (let turn = 0; turn < 20; turn++) await null;
      expect(points).toEqual(['before_apply', 'after_journal']);
      await answer;
    });
  });

  it('what finds the queue full is turned away before anything is done', async () => {
    const shard = 'ledger:full';
    planLedgerFaults({ settings: { queueTransactionsMax: 3, groupTransactionsMax: 2 } });
    const account = uuidv7();
    const results = await runInDurableObject(env.LEDGER.getByName(shard), (ledger) =>
      Promise.allSettled([1, 2, 3, 4, 5].map(() => ledger.transact(deposit(account, 1)))),
    );
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(await ledgerNamed(shard).balances(account)).toMatchObject([{ available: 3 }]);
    expect((await ledgerNamed(shard).status()).journaled, 'that of its rules, and two: a row has a bound, too').toBe(3);
  });

  it('rows of any length come back whole', async () => {
    const shard = 'ledger:long';
    const account = uuidv7();
    await ask(shard, (ledger) => ledger.transact(deposit(account, 10_000)));
    const book = await new TestBook(shard, 'LONG-USD').takeOver();
    const orders = Array.from({ length: 3_000 }, (_, i) =>
      order(account, 1, { clientOrderId: `\u{1f4c8} ${i} ${'x'.repeat(600)}` }),
    );
    expect(await book.send(book.compose(orders))).toMatchObject({ type: 'landed', refused: [] });
    expect(await ledgerNamed(shard).selfAudit()).toEqual([]);
    const largest = await inStorage(
      shard,
      ({ sql }) => sql.exec('SELECT max(length(CAST(row AS BLOB))) AS n FROM journal').one().n,
    );
    expect(largest).toBeLessThan(2_000_000);
  });
});

describe('a transaction that cannot be applied', () => {
  /** The next one meets this, once the ledger has taken its rules over. */
  const meets = async (shard: string, error: Error): Promise<void> => {
    expect(await ledgerNamed(shard).status()).toMatchObject({ journaled: 1, halted: null });
    vi.spyOn(Ledger.prototype, 'apply').mockImplementationOnce(() => {
      throw error;
    });
  };
  const rejectionOf = async (shard: string, transaction: ReturnType<typeof deposit>) => {
    const answer = await Promise.allSettled([ledgerNamed(shard).transact(transaction)]);
    return answer[0].status === 'rejected' ? String(answer[0].reason) : answer[0].value.type;
  };

  it('for want of memory is not at fault, and lands when it is sent again', async () => {
    const shard = 'ledger:shortage';
    const paid = deposit(uuidv7(), 500);
    await meets(shard, new RangeError('Array buffer allocation failed'));
    expect(await rejectionOf(shard, paid)).toContain('allocation failed');
    expect(await ask(shard, (ledger) => ledger.transact(paid))).toMatchObject({ type: 'done' });
  });

  it('fails for good when it is sent again; another one under its name is tried', async () => {
    const shard = 'ledger:failing';
    const [paid, next] = [deposit(uuidv7(), 500), deposit(uuidv7(), 500)];
    await meets(shard, new Error('a bug'));
    expect(await rejectionOf(shard, paid)).toContain('a bug');
    await ask(shard, (ledger) => ledger.transact(next));
    expect(await rejectionOf(shard, paid)).toContain('a bug');
    expect(await ledgerNamed(shard).transact({ ...paid, amount: 600 })).toMatchObject({ type: 'done' });
    expect(await ledgerNamed(shard).balances(paid.account)).toMatchObject([{ available: 600 }]);
  });
});

describe('a clock that goes back', () => {
  it('takes no row of the journal back with it', async () => {
    const shard = 'ledger:clock';
    const account = uuidv7();
    await ask(shard, (ledger) => ledger.transact(deposit(account, 1)));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 60_000 });
    await ask(shard, (ledger) => ledger.transact(deposit(account, 1)));
    const times = await inStorage(shard, ({ sql }) =>
      sql
        .exec<{ time: number }>('SELECT time FROM journal ORDER BY seq')
        .toArray()
        .map(({ time }) => time),
    );
    expect(times, 'that of its rules, and two').toHaveLength(3);
    expect(times[2]).toBe(times[1]);
  });
});

describe('a transaction that is repeated under its id', () => {
  it('answers as before, also after a restart; another one under that id is a conflict', async () => {
    const shard = 'ledger:repeated';
    const account = uuidv7();
    const paid = deposit(account, 500, { createdAt: 1 });
    const first = await ask(shard, (ledger) => ledger.transact(paid));
    expect(await ask(shard, (ledger) => ledger.transact({ ...paid, createdAt: 2 }))).toEqual(first);
    expect(await ask(shard, (ledger) => ledger.transact({ ...paid, amount: 501 }))).toEqual({ type: 'id_conflict' });
    expect(await ask(shard, (ledger) => ledger.transact({ ...paid, account: uuidv7() }))).toEqual({
      type: 'id_conflict',
    });
    await runInDurableObject(env.LEDGER.getByName(shard), (_, state) => state.abort('killed by a test')).catch(
      () => undefined,
    );
    expect(await ask(shard, (ledger) => ledger.transact(paid))).toEqual(first);
    const together = deposit(account, 7);
    const twice = await runInDurableObject(env.LEDGER.getByName(shard), (ledger) =>
      Promise.all([ledger.transact(together), ledger.transact(together)]),
    );
    expect(twice[0]).toEqual(twice[1]);
    expect(await ledgerNamed(shard).balances(account)).toMatchObject([{ available: 507 }]);
  });

  it('may be tried again when it was refused', async () => {
    const shard = 'ledger:refused';
    const account = uuidv7();
    const taken = deposit(account, 300, { type: 'withdrawal' });
    expect(await ask(shard, (ledger) => ledger.transact(taken))).toMatchObject({ type: 'insufficient_balance' });
    await ask(shard, (ledger) => ledger.transact(deposit(account, 300)));
    expect(await ask(shard, (ledger) => ledger.transact(taken))).toMatchObject({ type: 'done' });
    expect(await ask(shard, (ledger) => ledger.transact(taken))).toMatchObject({ type: 'done' });
    expect(await ledgerNamed(shard).balances(account)).toMatchObject([{ available: 0, held: 0 }]);
    expect(await ledgerNamed(shard).selfAudit()).toEqual([]);
  });
});
