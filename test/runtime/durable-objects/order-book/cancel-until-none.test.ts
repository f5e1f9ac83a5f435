import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { cancelUntilNone } from '../../../../application/order-book/cancel-until-none.ts';
import type { Database } from '../../../../data/database.ts';
import { place } from '../../fixtures/book-commands.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
});

const liveOrders = async (symbol: string) => (await env.ORDER_BOOK.getByName(symbol).status()).liveOrders;

test('orders are cancelled in books that nobody named, those of another key left alone', async () => {
  const { accountId: account } = await createTrader(db, { cash: 1_000_000 });
  const symbols = [(await createPair(db, 'NAMED')).symbol, (await createPair(db, 'UNNAMED')).symbol];
  for (const symbol of symbols) {
    const commands = ['ended', 'other'].map((keyId) => place(account, 'buy', 1, 1_000, {}, { keyId }));
    const results = await env.ORDER_BOOK.getByName(symbol).submit(commands);
    expect(results.map(({ type }) => type)).toEqual(['done', 'done']);
  }
  const cancel = (keyId: string | null) =>
    cancelUntilNone(env, {
      command: { account, keyId, side: null, reason: 'revoked' },
      cancelIn: symbols.slice(0, 1),
      askedBy: [],
    });
  const ofKey = await cancel('ended');
  expect([ofKey.orderIds.length, ofKey.unreachable]).toEqual([2, []]);
  expect(await Promise.all(symbols.map(liveOrders))).toEqual([1, 1]);
  const all = await cancel(null);
  expect([all.orderIds.length, all.unreachable]).toEqual([2, []]);
  expect(await Promise.all(symbols.map(liveOrders))).toEqual([0, 0]);
});
