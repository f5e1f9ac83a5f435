import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LedgerPoint } from '../../../../durable-objects/ledger/ledger.ts';
import { clearLedgerFaults, heldUntil, ledgerFaults, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import { ask, cancelled, deposit, ledgerNamed, order, restart, TestBook } from '../../fixtures/ledger-client.ts';
import { migrate } from '../../fixtures/migrate.ts';

beforeAll(async () => {
  await migrate();
});
afterEach(clearLedgerFaults);

/** Time for a request of D1 that somebody else makes, many times over. */
const D1_TURNS = 50;

function balanceInD1(account: string): Promise<unknown> {
  return env.DB.prepare('SELECT available, held FROM balances WHERE account = ?1').bind(account).first();
}

/** Kills the ledger the first time that it comes to a point. */
function killOnceAt(point: LedgerPoint): void {
  let left = 1;
  planLedgerFaults({
    kills: (at) => {
      if (at !== point || left === 0) return false;
      left -= 1;
      return true;
    },
  });
}

describe('killed at any await of a group commit, the ledger has what it answered, and each transaction once', () => {
  const points: LedgerPoint[] = ['before_apply', 'after_journal', 'before_answer'];
  it.each(points)('a deposit and a batch, killed %s', async (point) => {
    const shard = `ledger:durable-${point}`;
    const account = uuidv7();
    const book = await new TestBook(shard, 'ACME-USD').takeOver();

    killOnceAt(point);
    const paid = deposit(account, 1_000);
    const answer = await ask(shard, (ledger) => ledger.transact(paid));
    expect(answer).toMatchObject({ type: 'done', after: { available: 1_000, held: 0 } });

    killOnceAt(point);
    const buy = order(account, 600);
    const text = book.compose([buy, order(account, 600)]);
    const landed = await book.send(text);
    expect(landed).toMatchObject({ type: 'landed', refused: [{ refusal: 'balance', available: 400 }] });
    clearLedgerFaults();

    await restart(shard);
    expect(await ledgerNamed(shard).balances(account)).toMatchObject([{ asset: 'usd', available: 400, held: 600 }]);
    expect(await ledgerNamed(shard).fence('ACME-USD')).toEqual({ owner: book.owner, batch: 1, settled: 0 });
    expect(await book.send(text)).toEqual(landed);
    expect(await ask(shard, (ledger) => ledger.transact(paid))).toEqual(answer);
    expect(await ledgerNamed(shard).status()).toMatchObject({ journaled: 4, reservations: 1, halted: null });
    expect(await ledgerNamed(shard).selfAudit()).toEqual([]);
  });
});

describe('effects that break an invariant', () => {
  it('never reach D1: rows that it lacks go there with the balances that the journal makes', async () => {
    const shard = 'ledger:half-changed';
    const account = uuidv7();
    await ask(shard, (ledger) => ledger.transact(deposit(account, 1_000)));
    const book = await new TestBook(shard, 'HALF-USD').takeOver();
    const buy = order(account, 100);
    await book.send(book.compose([buy]));
    expect(await ledgerNamed(shard).projected()).toBe(true);

    const reached: LedgerPoint[] = [];
    const held = new Set<LedgerPoint>(['before_project', 'before_abort']);
    planLedgerFaults({
      waits: (point, name) => {
        if (name !== shard) return undefined;
        reached.push(point);
        return held.has(point) ? heldUntil(() => !held.has(point)) : undefined;
      },
    });
    await ask(shard, (ledger) => ledger.transact(deposit(account, 1)));
    await expect.poll(() => reached.includes('before_project')).toBe(true);
    // This row goes to D1 after the one that is held, and at once, because somebody waits for it.
    await ask(shard, (ledger) => ledger.transact(deposit(account, 1)));
    const shown = Promise.allSettled([ledgerNamed(shard).projected()]);
    await ledgerNamed(shard).status();
    // It pays out five more than was held, and is found out once that stands in memory.
    const failing = Promise.allSettled([ledgerNamed(shard).commitText(book.compose([], [cancelled(buy, 5)]))]);
    await expect.poll(() => reached.includes('before_abort')).toBe(true);
    held.delete('before_project');
    await expect.poll(() => reached.includes('after_project')).toBe(true);
    for (let turn = 0; turn < D1_TURNS; turn++) await balanceInD1(account);
    // The row that was held goes there; with what memory has now, no other does.
    expect(reached.filter((point) => point === 'before_project')).toHaveLength(1);
    held.delete('before_abort');
    expect((await failing).map(({ status }) => status)).toEqual(['rejected']);
    await shown;
    clearLedgerFaults();

    expect(await ask(shard, (ledger) => ledger.projected())).toBe(true);
    expect(await balanceInD1(account)).toEqual({ available: 902, held: 100 });
    expect(await ledgerNamed(shard).balances(account)).toMatchObject([{ available: 902, held: 100 }]);
  });

  it('are answered `violated` when the batch is sent again, and nothing that shared their group is lost or done twice', async () => {
    const shard = 'ledger:violated';
    const account = uuidv7();
    await ask(shard, (ledger) => ledger.transact(deposit(account, 1_000)));
    const good = await new TestBook(shard, 'GOOD-USD').takeOver();
    const bad = await new TestBook(shard, 'BAD-USD').takeOver();
    const buy = order(account, 100);
    expect(await bad.send(bad.compose([buy]))).toMatchObject({ type: 'landed', refused: [] });
    const { journaled } = await ledgerNamed(shard).status();

    const all = ledgerFaults.arrived + 3;
    planLedgerFaults({
      waits: (point) => (point === 'before_apply' ? heldUntil(() => ledgerFaults.arrived >= all) : undefined),
    });
    const goodText = good.compose([order(account, 50)]);
    const badText = bad.compose([], [cancelled(buy, 5)]);
    const both = Promise.allSettled([
      ledgerNamed(shard).commitText(goodText),
      ledgerNamed(shard).commitText(badText),
      ledgerNamed(shard).transact(deposit(account, 1)),
    ]);
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    clearLedgerFaults();

    expect((await ledgerNamed(shard).status()).journaled, 'nothing of the group is journaled').toBe(journaled);
    expect(await bad.send(badText)).toMatchObject({ type: 'violated', message: expect.stringContaining('off by 5') });
    expect(await good.send(goodText)).toMatchObject({ type: 'landed', refused: [] });
    await restart(shard);
    expect(await bad.send(badText)).toMatchObject({ type: 'violated' });
    expect(await ledgerNamed(shard).fence('BAD-USD')).toMatchObject({ batch: 1, settled: 0 });
    expect(await ledgerNamed(shard).balances(account)).toMatchObject([{ available: 850, held: 150 }]);
    expect(await ledgerNamed(shard).selfAudit()).toEqual([]);
  });
});
