import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import type { LedgerPoint } from '../../../../durable-objects/ledger/ledger.ts';
import { place } from '../../fixtures/book-commands.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { clearLedgerFaults, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import { ask, inStorage, ledgerNamed } from '../../fixtures/ledger-client.ts';
import { migrate } from '../../fixtures/migrate.ts';

const SHARD = 'ledger:0';

let db: Database;
beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
});
afterEach(() => {
  clearLedgerFaults();
  clearFaults();
});

async function openOrders(symbols: readonly string[]): Promise<number[]> {
  return Promise.all(symbols.map(async (symbol) => (await env.ORDER_BOOK.getByName(symbol).status()).liveOrders));
}

/** An account with orders of two keys resting in two books. */
async function restingOrders(name: string): Promise<{ account: string; books: string[] }> {
  const books = [`${name}A-USD`, `${name}B-USD`];
  const { accountId: account } = await createTrader(db, { cash: 100_000 });
  for (const book of books) {
    await createPair(db, book.split('-')[0] ?? '', {
      asset: { tracksLots: false, category: 'crypto', rail: 'digital' },
    });
    const commands = ['key-1', 'key-2'].map((key) => place(account, 'buy', 1, 1_000, {}, { keyId: `${name}-${key}` }));
    const results = await env.ORDER_BOOK.getByName(book).submit(commands);
    expect(results.map(({ type }) => type)).toEqual(['done', 'done']);
    expect(await env.ORDER_BOOK.getByName(book).settled()).toBe(true);
  }
  return { account, books };
}

function confirmations(): Promise<unknown> {
  return inStorage(
    SHARD,
    ({ sql }) => sql.exec(`SELECT count(*) AS n FROM journal WHERE row LIKE '%["cancelled",%'`).one().n,
  );
}

describe('the ledger itself sees to it that books cancel what a change of facts or a revocation asks of them', () => {
  it('a revocation ends the orders of its keys alone', async () => {
    const { account, books } = await restingOrders('REV');
    const outcome = await ask(SHARD, (ledger) =>
      ledger.transact({ kind: 'revoke_keys', id: uuidv7(), account, keyIds: ['REV-key-1'], createdAt: Date.now() }),
    );
    expect(outcome).toMatchObject({ type: 'done', cancelIn: books });
    await expect.poll(() => openOrders(books)).toEqual([1, 1]);
    await expect.poll(confirmations).toBe(2);
  });

  it('the end of a family relation ends the orders that carry the other, of both accounts', async () => {
    const [{ accountId: account }, { accountId: relative }] = [
      await createTrader(db, { cash: 100_000 }),
      await createTrader(db, { cash: 100_000 }),
    ];
    await createPair(db, 'KIN', { asset: { regulation: 'reg_cf' } });
    const book = env.ORDER_BOOK.getByName('KIN-USD');
    const before = (await confirmations()) as number;
    await book.submit([
      place(account, 'buy', 1, 1_000, {}, { family: [relative] }),
      place(account, 'buy', 1, 1_000, {}, { family: ['another'] }),
      place(relative, 'buy', 1, 1_000, {}, { family: [account] }),
      place(relative, 'buy', 1, 1_000),
    ]);
    expect(await book.settled()).toBe(true);
    const id = uuidv7();
    const outcome = await ask(SHARD, (ledger) =>
      ledger.transact({
        kind: 'family',
        id,
        relation: uuidv7(),
        account,
        relative,
        expectedVersion: 1,
        expectedRelativeVersion: 1,
        change: { type: 'ended', reason: 'a divorce', by: 'operator' },
        createdAt: Date.now(),
        event: { id, type: 'operator.family_ended', subject: account, payload: {}, createdAt: Date.now() },
      }),
    );
    expect(outcome).toMatchObject({ type: 'done', cancelIn: ['KIN-USD'] });
    await expect.poll(() => openOrders(['KIN-USD'])).toEqual([2]);
    await expect.poll(confirmations).toBe(before + 1);
  });

  const points: LedgerPoint[] = ['before_apply', 'after_journal', 'before_answer'];
  it.each(points)('a freeze, with the ledger killed %s and a book killed at its journal', async (point) => {
    const name = `F${point.replace('_', '').toUpperCase()}`;
    const { account, books } = await restingOrders(name);
    const before = (await confirmations()) as number;
    let kills = 3;
    planLedgerFaults({
      kills: (at) => {
        if (at !== point || kills === 0) return false;
        kills -= 1;
        return true;
      },
    });
    let bookKills = 1;
    faults.plan = {
      ...faults.plan,
      kills: (at) => {
        if (at !== 'after_journal' || bookKills === 0) return false;
        bookKills -= 1;
        return true;
      },
    };
    await ask(SHARD, (ledger) =>
      ledger.transact({
        kind: 'facts',
        id: uuidv7(),
        account,
        expectedVersion: 1,
        facts: null,
        cancelsOrders: true,
        createdAt: Date.now(),
        event: null,
      }),
    );
    await expect
      .poll(
        async () => {
          await runDurableObjectAlarm(env.LEDGER.getByName(SHARD)).catch(() => false);
          return confirmations().catch(() => null);
        },
        { interval: 50 },
      )
      .toBe(before + 2);
    expect(kills, 'the ledger was killed').toBeLessThan(3);
    expect(await openOrders(books)).toEqual([0, 0]);
    clearLedgerFaults();
    for (const book of books) expect(await env.ORDER_BOOK.getByName(book).settled()).toBe(true);
    const [balance] = await ledgerNamed(SHARD).balances(account);
    expect(balance).toMatchObject({ available: 100_000, held: 0 });
    expect(await ledgerNamed(SHARD).selfAudit()).toEqual([]);
  });
});
