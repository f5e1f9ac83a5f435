import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeEach, describe, expect, test } from 'vitest';
import { archiveOrders } from '../../../../../application/orders/archive-orders.ts';
import { runAudit } from '../../../../../data/audit/run-audit.ts';
import type { Database } from '../../../../../data/database.ts';
import { beginEmptying, emptyStep } from '../../../../../data/ledger/projection/empty-read-model.ts';
import { archiveStep, type StepOutcome } from '../../../../../data/orders/archive/archive-step.ts';
import { auditSlices } from '../../../../../data/orders/archive/audit-slices.ts';
import { deleteUnreferenced } from '../../../../../data/orders/archive/delete-unreferenced.ts';
import { clientOrderIdHash } from '../../../../../data/orders/archive/order-slice.ts';
import { type OrderStore, orderStore } from '../../../../../data/orders/archive/order-store.ts';
import { listBookOrders } from '../../../../../data/orders/book-orders.ts';
import { DAY_MS } from '../../../../../domain/calendar/durations.ts';
import type { JournaledTransaction } from '../../../../../domain/ledger/journal-row.ts';
import { JournaledLedger } from '../../../fixtures/journaled-ledger.ts';
import { one, openReadModel, projectAll, projectRows, query, SHARD } from '../../../fixtures/read-model.ts';
import { TradedBook } from '../../../fixtures/traded-book.ts';
import { countingStorage, dyingStorage } from './dying-storage.ts';

const SLICE_ORDERS_MAX = 4;

let db: Database;
let store: OrderStore;
let journal: JournaledLedger;
let book: TradedBook;

beforeEach(async () => {
  await reset();
  db = await openReadModel();
  store = orderStore(env);
  journal = new JournaledLedger();
  // Ids are of the time at which they are made.
  journal.time = Date.now() + 60_000;
  journal.deposit('alice', 'usd', 1_000_000);
  journal.depositLots('bob', 'acme', [1_000]);
  book = new TradedBook(journal);
});

/** Long after everything that the ledger has journaled. */
const later = (): number => journal.time + 30 * DAY_MS;

/** Ids by rising time, one millisecond apart: alice's open buys. */
function place(count: number, terms: Parameters<TradedBook['order']>[4] = {}): string[] {
  const orders = Array.from({ length: count }, () => book.order('alice', 'buy', 1, 100, { id: uuidv7(), ...terms }));
  for (const order of orders) book.send([order]);
  return orders.map(({ id }) => id);
}

function end(...ids: readonly string[]): void {
  book.send(
    [],
    ids.map((id) => book.end(id)),
  );
}

function step(account = 'alice'): Promise<StepOutcome> {
  const now = later();
  return archiveStep(store, { account, endedBefore: now, now, sliceOrdersMax: SLICE_ORDERS_MAX });
}

async function archiveAll(account = 'alice'): Promise<void> {
  await projectAll(journal);
  for (let outcome = await step(account); outcome.type !== 'done' || outcome.moved > 0; outcome = await step(account));
}

const slices = () => query('SELECT first, last, orders FROM order_slices ORDER BY account, last');
const inD1 = async () => (await query('SELECT id FROM orders ORDER BY id')).map(({ id }) => id);

/** Every order of an account, page by page, newest first. */
async function listed(
  account = 'alice',
  limit = 3,
  terms: Partial<Parameters<typeof listBookOrders>[1]> = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let before: string | null = null, pages = 0; pages < 1_000; pages++) {
    const wanted = { account, statuses: null, book: null, clientOrderId: null, ...terms, before, limit };
    const { orders, next } = await listBookOrders(store, wanted);
    expect(orders.length).toBeLessThanOrEqual(limit);
    ids.push(...orders.map(({ order }) => order.id));
    if (next === null) return ids;
    before = next;
  }
  throw new Error('the listing has no end');
}

async function expectRightArchive(): Promise<void> {
  expect((await auditSlices(store)).violations).toEqual({ index: null, objects: null });
  expect((await runAudit(db)).filter(({ holds }) => !holds)).toEqual([]);
}

describe('slices', () => {
  test('orders that ended long ago leave D1, open and recent ones stay', async () => {
    const [old, open, recent] = place(3) as [string, string, string];
    end(old);
    await projectAll(journal);
    const endedBefore = journal.time + 1;
    journal.time += DAY_MS;
    end(recent);
    await projectAll(journal);
    expect(await archiveStep(store, { account: 'alice', endedBefore, now: later() })).toEqual({
      type: 'done',
      moved: 1,
    });
    expect(await inD1()).toEqual([open, recent]);
    expect(await listed()).toEqual([recent, open, old]);
    await expectRightArchive();
  });

  test('slices of an account never overlap, however late an order ends', async () => {
    const ids = place(30);
    const [late, latest] = [ids.filter((_, at) => at % 5 === 2), ids.filter((_, at) => at % 5 === 4)];
    end(...ids.filter((_, at) => at % 5 !== 2 && at % 5 !== 4));
    await archiveAll();
    end(...late);
    await archiveAll();
    const more = place(3);
    end(...latest, ...more);
    await archiveAll();
    const all = [...ids, ...more];
    expect(await inD1()).toEqual([]);
    const found = await slices();
    expect(found.reduce((sum, { orders }) => sum + Number(orders), 0)).toBe(all.length);
    for (const { orders } of found) expect(orders).toBeLessThanOrEqual(SLICE_ORDERS_MAX);
    for (const [at, { first }] of found.entries())
      if (at > 0) expect(String(first) > String(found[at - 1]?.last)).toBe(true);
    // A slice that is split leaves no small pieces behind.
    expect(found.length).toBeLessThanOrEqual(Math.ceil(all.length / (SLICE_ORDERS_MAX / 2)));
    expect(await listed()).toEqual([...all].reverse());
    await expectRightArchive();
  });

  test('every account has its own', async () => {
    const [bought] = place(1) as [string];
    const sell = book.order('bob', 'sell', 1, 100);
    book.send([sell]);
    book.send([], [book.fill(bought, sell.id, 1, 100)]);
    await archiveAll('alice');
    await archiveAll('bob');
    expect(await slices()).toHaveLength(2);
    expect(await listed('alice')).toEqual([bought]);
    expect(await listed('bob')).toEqual([sell.id]);
    await expectRightArchive();
  });

  test('what trades need of their orders stays, so that the postings of limits do', async () => {
    journal.grant('alice', 'cap', 1_000);
    journal.grant('alice', 'room', 10);
    const [bought] = place(1, {
      keyId: 'k',
      allowanceAsset: 'cap',
      allowance: 100,
      positionAsset: 'room',
      position: 1,
    });
    const sell = book.order('bob', 'sell', 1, 100, { positionAsset: 'room' });
    book.send([sell]);
    book.send([], [book.fill(String(bought), sell.id, 1, 100, 1)]);
    await projectAll(journal);
    const postings = () => query('SELECT * FROM postings ORDER BY "transaction", line');
    const before = await postings();
    await archiveAll('alice');
    await archiveAll('bob');
    expect(await inD1()).toEqual([]);
    expect(await postings()).toEqual(before);
    await expectRightArchive();
  });
});

describe('a listing', () => {
  test('finds a client order id, and all orders that carried it', async () => {
    const [first] = place(1, { clientOrderId: 'mine' });
    const between = place(9);
    end(String(first), ...between);
    await projectAll(journal);
    // Long after it was forgotten, an id may be used again.
    await run(`UPDATE orders SET client_order_id = 'other' WHERE client_order_id IS NULL`);
    await archiveAll();
    expect(await listed('alice', 3, { clientOrderId: 'mine' })).toEqual([first]);
    expect(await listed('alice', 3, { clientOrderId: 'other' })).toEqual([...between].reverse());
    expect(await listed('alice', 3, { clientOrderId: 'nobody' })).toEqual([]);
    expect(await listed('bob', 3, { clientOrderId: 'mine' })).toEqual([]);
  });

  test('M-18: finds a client order id by its slice, which no row of D1 stands for, and reads that slice alone', async () => {
    const ids = place(12, {});
    end(...ids);
    await projectAll(journal);
    await run(`UPDATE orders SET client_order_id = 'c-' || id`);
    await archiveAll();
    expect(await query('SELECT count(*) AS rows FROM archived_client_order_ids')).toEqual([{ rows: 0 }]);
    const found = (await slices()).length;
    expect(found).toBeGreaterThan(2);
    const all = await listBookOrders(store, {
      ...{ account: 'alice', statuses: null, book: null, clientOrderId: null, before: null, limit: 100 },
    });
    for (const { order } of all.orders) {
      const counting = countingStorage();
      const wanted = { account: 'alice', statuses: null, book: null, clientOrderId: order.clientOrderId, before: null };
      const page = await listBookOrders(orderStore(counting.env), { ...wanted, limit: 3 });
      expect([page.orders.map(({ order: { id } }) => id), counting.reads()]).toEqual([[order.id], 1]);
    }
  });

  test('M-18: finds a client order id in slices from before they had marks', async () => {
    const ids = place(6);
    end(...ids);
    await projectAll(journal);
    await run(`UPDATE orders SET client_order_id = 'mine' WHERE id = '${ids[1]}'`);
    await archiveAll();
    await run('UPDATE order_slices SET client_ids = NULL');
    const hash = clientOrderIdHash('alice', 'mine');
    await run(`INSERT INTO archived_client_order_ids (hash, order_id) VALUES (${hash}, '${ids[1]}')`);
    expect(await listed('alice', 3, { clientOrderId: 'mine' })).toEqual([ids[1]]);
    expect(await listed('alice', 3, { clientOrderId: 'nobody' })).toEqual([]);
  });

  test('reads a bounded number of objects a page, none in vain, and leads on from there', async () => {
    const slicesReadMax = 8;
    // Below what a page comes to, though it stands in D1: it is not shown before its time.
    const [oldest] = place(1);
    const ids = place(4 * (slicesReadMax + 3));
    end(...ids);
    await archiveAll();
    const counting = countingStorage();
    const all = { account: 'alice', statuses: null, book: null, clientOrderId: null, before: null, limit: 1_000 };
    const page = await listBookOrders(orderStore(counting.env), all);
    expect(counting.reads()).toBe(slicesReadMax);
    expect(page.orders).toHaveLength(4 * slicesReadMax);
    expect(page.next).toBe(page.orders.at(-1)?.order.id);
    expect(await listed('alice', 1_000)).toEqual([...[...ids].reverse(), oldest]);
    // No slice has a filled order.
    const none = countingStorage();
    expect(await listBookOrders(orderStore(none.env), { ...all, statuses: ['filled'] })).toEqual({
      orders: [],
      next: null,
    });
    expect(await listBookOrders(orderStore(none.env), { ...all, book: 'OTHER-USD' })).toEqual({
      orders: [],
      next: null,
    });
    expect(none.reads()).toBe(0);
  });

  test('reads no object for orders that D1 has', async () => {
    const ids = place(8);
    end(...ids.slice(0, 4));
    await archiveAll();
    const counting = countingStorage();
    const wanted = { account: 'alice', statuses: null, book: null, clientOrderId: null, before: null, limit: 3 };
    const { orders } = await listBookOrders(orderStore(counting.env), wanted);
    expect(orders.map(({ order }) => order.id)).toEqual(ids.slice(5).reverse());
    expect(counting.reads()).toBe(0);
  });
});

describe('a run', () => {
  /** Seven orders of alice in D1 and one slice of two, and bob's one. */
  async function prepare(): Promise<{ readonly alice: string[]; readonly bob: string[] }> {
    const old = place(2);
    end(...old);
    await archiveAll();
    const [bought, ...rest] = place(7);
    const sell = book.order('bob', 'sell', 1, 100);
    book.send([sell]);
    book.send([], [book.fill(String(bought), sell.id, 1, 100)]);
    end(...rest.slice(1));
    await projectAll(journal);
    await run(`UPDATE orders SET client_order_id = 'mine' WHERE account = 'alice'`);
    return { alice: [...old, String(bought), ...rest].reverse(), bob: [sell.id] };
  }

  test('that dies at any call leaves every order in one place, and the next one goes on', async () => {
    const { alice, bob } = await prepare();
    const snapshot = await dump();
    for (const moment of ['before', 'after'] as const) {
      for (let call = 0, died = true; died; call++) {
        await restore(snapshot);
        const dying = dyingStorage(call, moment);
        await archiveOrders(dying.env, later()).catch(() => undefined);
        died = dying.died();
        expect([call, moment, await listed()]).toEqual([call, moment, alice]);
        expect(await listed('bob')).toEqual(bob);
        await expectRightArchive();
        await archiveOrders(env, later());
        await archiveOrders(env, later());
        expect([call, moment, await listed()]).toEqual([call, moment, alice]);
        expect(await listed('alice', 3, { clientOrderId: 'mine' })).toEqual(alice.slice(0, 7));
        // The one that is open.
        expect(await inD1()).toHaveLength(1);
        await expectRightArchive();
      }
    }
  });

  test('beside another one moves nothing twice', async () => {
    const { alice, bob } = await prepare();
    await Promise.allSettled([archiveOrders(env, later()), archiveOrders(env, later()), archiveOrders(env, later())]);
    await archiveOrders(env, later());
    await archiveOrders(env, later());
    expect(await listed()).toEqual(alice);
    expect(await listed('bob')).toEqual(bob);
    expect(await inD1()).toHaveLength(1);
    await expectRightArchive();
    // What was announced and written and not needed is told apart from what counts.
    expect(await query('SELECT key FROM unreferenced_objects WHERE key IN (SELECT key FROM order_slices)')).toEqual([]);
  });

  test('takes up where the last one has stopped', async () => {
    await prepare();
    const bounds = { stepsMax: 1, accountsMax: 1 };
    await archiveOrders(env, later(), bounds);
    expect(await one('SELECT visited FROM order_archive')).toEqual({ visited: '' });
    await archiveOrders(env, later(), { ...bounds, stepsMax: 2 });
    expect(await one('SELECT visited FROM order_archive')).toEqual({ visited: 'alice' });
    expect(await query(`SELECT 1 FROM orders WHERE account = 'bob'`)).toHaveLength(1);
    await archiveOrders(env, later(), { ...bounds, stepsMax: 2 });
    expect(await query(`SELECT 1 FROM orders WHERE account = 'bob'`)).toEqual([]);
  });

  test('that finds an object damaged leaves the account alone and goes on with the others', async () => {
    await prepare();
    const [slice] = await query('SELECT key FROM order_slices');
    await env.ORDER_ARCHIVE.put(String(slice?.key), 'something else');
    await expect(archiveOrders(env, later())).rejects.toThrow('some orders could not be archived');
    expect(await query(`SELECT 1 FROM orders WHERE account = 'bob'`)).toEqual([]);
    expect(await query(`SELECT 1 FROM orders WHERE account = 'alice'`)).toHaveLength(7);
    expect((await auditSlices(store)).violations.objects).toContain('is not what was archived');
  });

  test.each(['1', '0.5', 'seven', ''])('refuses to work with ORDER_ARCHIVE_AFTER_DAYS %s', async (text) => {
    await expect(archiveOrders({ ...env, ORDER_ARCHIVE_AFTER_DAYS: text }, later())).rejects.toThrow('2 to 3650');
  });

  test('leaves what ended within ORDER_ARCHIVE_AFTER_DAYS', async () => {
    const { alice } = await prepare();
    await archiveOrders({ ...env, ORDER_ARCHIVE_AFTER_DAYS: '31' }, later());
    expect(await query(`SELECT 1 FROM orders WHERE account = 'alice'`)).toHaveLength(7);
    expect(await listed()).toEqual(alice);
  });
});

describe('objects', () => {
  test('that were replaced are deleted a month later, those that count never', async () => {
    end(...place(2));
    await archiveAll();
    end(...place(1));
    await archiveAll();
    const keys = async () => (await env.ORDER_ARCHIVE.list()).objects.map(({ key }) => key);
    expect(await keys()).toHaveLength(2);
    await deleteUnreferenced(store, later() + 30 * DAY_MS);
    expect(await keys()).toHaveLength(2);
    await deleteUnreferenced(store, later() + 32 * DAY_MS);
    expect(await keys()).toEqual([(await one('SELECT key FROM order_slices'))?.key]);
    await expectRightArchive();
  });

  test('a step whose object was deleted meanwhile does not land', async () => {
    end(...place(2));
    await projectAll(journal);
    const put = async (key: string, text: string, options: R2PutOptions) => {
      const written = await env.ORDER_ARCHIVE.put(key, text, options);
      await deleteUnreferenced(store, later() + 32 * DAY_MS);
      return written;
    };
    const slow = { db, archive: { ...env.ORDER_ARCHIVE, put } as unknown as R2Bucket };
    const terms = { account: 'alice', endedBefore: later(), now: later() };
    expect(await archiveStep(slow, terms)).toEqual({ type: 'elsewhere' });
    expect(await inD1()).toHaveLength(2);
    await archiveAll();
    await expectRightArchive();
  });
});

describe('a step that another one overtakes', () => {
  test('does nothing, and what the other has written counts', async () => {
    end(...place(2));
    await archiveAll();
    end(...place(1));
    await projectAll(journal);
    let overtaken = false;
    const get = async (key: string) => {
      if (!overtaken) {
        overtaken = true;
        expect(await step()).toEqual({ type: 'done', moved: 1 });
      }
      return env.ORDER_ARCHIVE.get(key);
    };
    const { put, head } = env.ORDER_ARCHIVE;
    const archive = {
      get,
      put: put.bind(env.ORDER_ARCHIVE),
      head: head.bind(env.ORDER_ARCHIVE),
    } as unknown as R2Bucket;
    const terms = { account: 'alice', endedBefore: later(), now: later(), sliceOrdersMax: SLICE_ORDERS_MAX };
    expect(await archiveStep({ db, archive }, terms)).toEqual({ type: 'elsewhere' });
    expect(await slices()).toMatchObject([{ orders: 3 }]);
    await deleteUnreferenced(store, later() + 32 * DAY_MS);
    await expectRightArchive();
  });
});

describe('the read model', () => {
  test('takes back no half row of an archived order', async () => {
    const [id] = place(1) as [string];
    end(id);
    await archiveAll();
    // Rows that D1 has had already, sent again: its cursor refuses them.
    expect(await projectRows(journal, 1)).toEqual({ type: 'done' });
    expect(await inD1()).toEqual([]);
    // What no ledger lets through: another state of an order that has ended.
    const transaction = book.batch([], [book.end(id, 'rejected')]);
    const outcome = {
      type: 'landed',
      refused: [],
      lots: [],
      admitted: [],
    } as unknown as JournaledTransaction['outcome'];
    const seq = journal.rows.length + 1;
    journal.rows.push({ seq, time: journal.time, entries: [{ transaction, outcome } as JournaledTransaction] });
    await projectAll(journal);
    expect(await inD1()).toEqual([]);
    expect(await listed()).toEqual([id]);
    expect(await listed('alice', 3, { statuses: ['cancelled'] })).toEqual([id]);
  });

  test('that is emptied and written again has all orders, and archives them anew', async () => {
    const ids = place(6);
    end(...ids.slice(1));
    await archiveAll();
    await empty();
    expect(await query('SELECT 1 FROM order_slices')).toEqual([]);
    await projectAll(journal);
    expect(await inD1()).toEqual(ids);
    await archiveAll();
    expect(await inD1()).toEqual(ids.slice(0, 1));
    expect(await listed()).toEqual([...ids].reverse());
    await expectRightArchive();
    // Objects of the old generation go, those of this one stay.
    await deleteUnreferenced(store, later() + 32 * DAY_MS);
    await expectRightArchive();
  });

  test('that is being emptied: no step is taken', async () => {
    end(...place(6));
    await projectAll(journal);
    await beginEmptying(env.DB, SHARD, later());
    await emptyStep(env.DB, SHARD, 2);
    expect(await step()).toEqual({ type: 'elsewhere' });
    expect(await query('SELECT 1 FROM order_slices')).toEqual([]);
    await empty();
    await archiveAll();
    expect(await listed()).toHaveLength(6);
    await expectRightArchive();
  });

  test('that is emptied while a step is under way: the step does nothing', async () => {
    end(...place(2));
    await projectAll(journal);
    const put = async (key: string, text: string, options: R2PutOptions) => {
      await empty();
      await projectAll(journal);
      return env.ORDER_ARCHIVE.put(key, text, options);
    };
    const slow = { db, archive: { ...env.ORDER_ARCHIVE, put } as unknown as R2Bucket };
    expect(await archiveStep(slow, { account: 'alice', endedBefore: later(), now: later() })).toEqual({
      type: 'elsewhere',
    });
    expect(await inD1()).toHaveLength(2);
    expect(await query('SELECT 1 FROM order_slices')).toEqual([]);
  });
});

async function empty(): Promise<void> {
  await beginEmptying(env.DB, SHARD, later());
  while (!(await emptyStep(env.DB, SHARD, 2)).isDone);
}

describe('the audit notices', () => {
  beforeEach(async () => {
    const [bought, ...rest] = place(6);
    const sell = book.order('bob', 'sell', 1, 100);
    book.send([sell]);
    book.send([], [book.fill(String(bought), sell.id, 1, 100)]);
    end(...rest);
    await archiveAll();
  });

  test.each([
    ['an object that is gone', () => deleteObject(), 'objects', 'is missing'],
    ['slices that overlap', () => run(`UPDATE order_slices SET first = '0'`), 'index', 'overlap'],
    ['orders that are not there', () => run('UPDATE order_slices SET orders = orders + 1'), 'objects', 'D1 counts'],
    ['a traded order that D1 forgot', () => run('DELETE FROM traded_orders'), 'objects', 'D1 says otherwise'],
  ] as const)('%s', async (_, breakIt, claim, named) => {
    await breakIt();
    const { violations, examined } = await auditSlices(store);
    expect(violations[claim]).toContain(named);
    expect(examined.index).toBeGreaterThan(0);
  });

  test('a traded order that D1 forgot, by its trades', async () => {
    await run('DELETE FROM traded_orders');
    const broken = (await runAudit(db)).filter(({ holds }) => !holds);
    expect(broken.map(({ claim }) => claim)).toEqual([
      'the orders of each trade are a buy of its buyer and a sell of its seller, on its book',
      'what an order has filled, paid and been charged is the sum of its trades',
    ]);
  });

  test('an order that is archived and in D1', async () => {
    const [kept] = await query('SELECT last FROM order_slices ORDER BY last DESC LIMIT 1');
    await run(`INSERT INTO orders (id, account, owner, asset_id, open, status, side, type, time_in_force, quantity, reserve_asset, created_at, updated_at)
      VALUES ('${kept?.last}', 'alice', 'o', 'acme', 0, 'cancelled', 'buy', 'limit', 'GTC', 1, 'usd', 0, 0)`);
    expect((await auditSlices(store)).violations.index).toContain('is archived and in D1');
  });

  async function deleteObject(): Promise<void> {
    const [slice] = await query('SELECT key FROM order_slices');
    await env.ORDER_ARCHIVE.delete(String(slice?.key));
  }
});

async function run(sql: string): Promise<void> {
  await env.DB.prepare(sql).run();
}

const TABLES = [
  'orders',
  'order_archive',
  'order_slices',
  'archived_client_order_ids',
  'traded_orders',
  'unreferenced_objects',
];

/** Rows of the tables that a run changes. */
async function dump(): Promise<ReadonlyMap<string, readonly Record<string, unknown>[]>> {
  return new Map(
    await Promise.all(TABLES.map(async (table) => [table, await query(`SELECT * FROM ${table}`)] as const)),
  );
}

async function restore(rows: Awaited<ReturnType<typeof dump>>): Promise<void> {
  await env.DB.batch(
    [...rows].flatMap(([table, kept]) => [
      env.DB.prepare(`DELETE FROM ${table}`),
      ...kept.map((row) => {
        const columns = Object.keys(row);
        const places = columns.map((_, at) => `?${at + 1}`).join(', ');
        return env.DB.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`).bind(
          ...Object.values(row),
        );
      }),
    ]),
  );
}
