import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { type OrderBookApi, orderBookOf } from '../../../../durable-objects/order-book/api.ts';
import { place, untilProjected } from '../../fixtures/book-commands.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { clearLedgerFaults, heldUntil, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import { ask, ledgerNamed, restart } from '../../fixtures/ledger-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { setRules } from '../../fixtures/operate.ts';

const SHARD = 'ledger:0';
const SYMBOL = 'OLDHALT-USD';
let db: Database;
let over = false;
beforeAll(async () => {
  db = await migrate();
});
afterEach(() => {
  over = true;
  clearLedgerFaults();
});

it('a book that starts while a rebuild of D1 shows an old halt cancels nothing', async () => {
  await createPair(db, 'OLDHALT');
  const book = (): OrderBookApi => orderBookOf(env, SYMBOL);
  const { accountId } = await createTrader(db, { cash: 1_000_00 });
  await untilProjected();
  await setRules(SYMBOL, { status: 'halted' });
  await untilProjected();
  await setRules(SYMBOL, { status: 'open' });
  await untilProjected();
  expect(await book().reconfigure()).toBe(true);
  const order = place(accountId, 'buy', 2, 9_00, {}, { rulesVersion: 3 });
  expect(await book().submit([order])).toMatchObject([{ type: 'done', report: { status: 'open' } }]);
  expect(await book().settled()).toBe(true);
  await untilProjected();
  const status = async () =>
    (await env.DB.prepare('SELECT status FROM markets WHERE symbol = ?1').bind(SYMBOL).first<{ status: string }>())
      ?.status;
  expect(await status()).toBe('open');

  let held = false;
  const settings = { alarmAfter_ms: 5, projectRowsMax: 1, projectRest_ms: 1 };
  const holdAtHalt = async (): Promise<void> => {
    if ((await status()) !== 'halted') return;
    held = true;
    await heldUntil(() => over);
  };
  planLedgerFaults({ settings, waits: (point) => (point === 'after_project' ? holdAtHalt() : undefined) });
  await restart(SHARD);
  await ask(SHARD, (ledger) => ledger.rebuildReadModel(uuidv7()));
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(env.LEDGER.getByName(SHARD)).catch(() => undefined);
    if (!held) throw new Error(JSON.stringify(await ledgerNamed(SHARD).status()));
  });
  // The book's object was idle and starts again: somebody asks for its depth.
  await evictDurableObject(env.ORDER_BOOK.getByName(SYMBOL));
  await book().depth(5);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const depth = await book().depth(5);
  over = true;
  clearLedgerFaults();
  expect(depth.bids).toEqual([[9_00, 2]]);
});
