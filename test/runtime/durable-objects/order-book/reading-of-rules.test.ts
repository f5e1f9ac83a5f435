import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import type { OrderBookApi } from '../../../../durable-objects/order-book/api.ts';
import { cancel, place } from '../../fixtures/book-commands.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { haltVenue } from '../../fixtures/operate.ts';

let db: Database;
beforeAll(async () => {
  db = await migrate();
});

it('a book that starts while a read of D1 hangs takes cancels', async () => {
  await createPair(db, 'HANGS');
  const stub = env.ORDER_BOOK.getByName('HANGS-USD');
  const book = stub as unknown as OrderBookApi;
  const { accountId } = await createTrader(db, { cash: 1_000_00 });
  const order = place(accountId, 'buy', 2, 9_00);
  expect(await book.submit([order])).toMatchObject([{ type: 'done' }]);
  expect(await book.settled()).toBe(true);
  await evictDurableObject(stub);
  await runInDurableObject(stub, (object) => {
    const { env: own } = object as unknown as { env: Env };
    const prepare = (query: string) =>
      query.includes('FROM markets m')
        ? { bind: () => ({ first: () => new Promise(() => undefined) }) }
        : own.DB.prepare(query);
    Object.assign(object, { env: { ...own, DB: { prepare } } });
  });
  expect(await book.submit([cancel(accountId, order.orderId)])).toMatchObject([
    { type: 'done', report: { status: 'cancelled' } },
  ]);
});

it('of two readings of the rules the older one, answered last, does not win', async () => {
  await createPair(db, 'RACE');
  const stub = env.ORDER_BOOK.getByName('RACE-USD');
  const book = stub as unknown as OrderBookApi;
  const { accountId } = await createTrader(db, { cash: 1_000_00 });
  expect(await book.submit([place(accountId, 'buy', 1, 9_00)])).toMatchObject([{ type: 'done' }]);
  await haltVenue(true);
  let [reads, over] = [0, false];
  await runInDurableObject(stub, (object) => {
    const { env: own } = object as unknown as { env: Env };
    const prepare = (query: string) => {
      if (!query.includes('FROM markets m')) return own.DB.prepare(query);
      const isFirst = reads++ === 0;
      const first = async (values: readonly unknown[]) => {
        const row = await own.DB.prepare(query)
          .bind(...values)
          .first();
        while (isFirst && !over) await new Promise((resolve) => setTimeout(resolve, 5));
        return row;
      };
      return { bind: (...values: unknown[]) => ({ first: () => first(values) }) };
    };
    Object.assign(object, { env: { ...own, DB: { prepare } } });
  });
  const halting = book.reconfigure();
  await expect.poll(() => reads).toBeGreaterThan(0);
  await haltVenue(false);
  expect(await book.reconfigure()).toBe(true);
  expect(await book.submit([place(accountId, 'buy', 2, 8_00)])).toMatchObject([{ type: 'done' }]);
  over = true;
  await halting;
  const { bids } = await book.depth(5);
  const [after] = await book.submit([place(accountId, 'buy', 1, 7_00)]);
  expect.soft(bids).toContainEqual([8_00, 2]);
  expect(after).toMatchObject({ type: 'done' });
});
