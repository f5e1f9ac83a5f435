import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { type Answer, createKey, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { patience } from '../../fixtures/patience.ts';

const CASH = 1_000_000_00;

let db: Database;
let maker: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'LOSS');
  await createPair(db, 'REST');
  maker = await createKeyHolder(db, { cash: CASH });
  await giveHolding({ accountId: maker.accountId, asset: 'loss', lots: [{ quantity: 1_000 }] });
});

type Client = KeyHolder['client'];

async function place(client: Client, symbol: string, side: string, size: number, price: number): Promise<string> {
  const { status, body } = await client.post('/v1/orders', { symbol, side, type: 'limit', size, price });
  expect([status, body]).toMatchObject([200, {}]);
  return body.order_id as string;
}

async function statusOf(client: Client, orderId: string): Promise<unknown> {
  return (await client.get(`/v1/orders/${orderId}`)).body.status;
}

async function untilCancelled(client: Client, orderId: string): Promise<unknown> {
  for (const isOver = patience(); ; ) {
    const status = await statusOf(client, orderId);
    if (status === 'cancelled' || isOver()) return status;
    await scheduler.wait(20);
  }
}

/** Buys 20 at 10 through the key, and then half of it leaves at 4 because somebody takes the key's resting order: 60 are lost. */
async function loseAsMaker(client: Client): Promise<void> {
  await place(maker.client, 'LOSS-USD', 'sell', 20, 10);
  await place(client, 'LOSS-USD', 'buy', 20, 10);
  await place(client, 'LOSS-USD', 'sell', 10, 4);
  await place(maker.client, 'LOSS-USD', 'buy', 10, 4);
}

test('a settled fill that takes a key to its daily loss limit cancels its open orders in every book, and those of no other key', async () => {
  const loser = await createKeyHolder(db, { cash: CASH }, { dailyLossMax: 60_00 });
  const otherKey = await createKey(db, loser);
  const resting = await place(loser.client, 'REST-USD', 'buy', 1, 1);
  const sameBook = await place(loser.client, 'LOSS-USD', 'buy', 1, 1);
  const ofOtherKey = await place(otherKey.client, 'REST-USD', 'buy', 1, 1);

  await loseAsMaker(loser.client);

  expect(await untilCancelled(loser.client, resting)).toBe('cancelled');
  expect(await untilCancelled(loser.client, sameBook)).toBe('cancelled');
  expect(await statusOf(otherKey.client, ofOtherKey)).toBe('open');
  const refused = await loser.client.post('/v1/orders', {
    symbol: 'REST-USD',
    side: 'buy',
    type: 'limit',
    size: 1,
    price: 1,
  });
  expect(refused.body).toMatchObject({ error: { code: 'RISK_LIMIT_EXCEEDED', details: { limit: 'daily_loss' } } });
});

test('a key that has lost less than its limit keeps its open orders', async () => {
  const within = await createKeyHolder(db, { cash: CASH }, { dailyLossMax: 500_00 });
  const beyond = await createKeyHolder(db, { cash: CASH }, { dailyLossMax: 60_00 });
  const kept = await place(within.client, 'REST-USD', 'buy', 1, 1);
  const lost = await place(beyond.client, 'REST-USD', 'buy', 1, 1);
  await loseAsMaker(within.client);
  await loseAsMaker(beyond.client);
  expect(await untilCancelled(beyond.client, lost)).toBe('cancelled');
  expect(await statusOf(within.client, kept)).toBe('open');
});

test("sells in two books at once cannot both hold what is left of a key's daily loss", async () => {
  const loser = await createKeyHolder(db, { cash: CASH }, { dailyLossMax: 100_00 });
  for (const asset of ['loss', 'rest'])
    await giveHolding({ accountId: loser.accountId, asset, lots: [{ quantity: 20, cost: 200_00 }] });
  const preview = (price: number): Promise<Answer> =>
    loser.client.post('/v1/orders/preview', { symbol: 'LOSS-USD', side: 'sell', type: 'limit', size: 10, price });
  expect((await preview(4)).status).toBe(200);
  const sells = ['LOSS-USD', 'REST-USD'].map((symbol) =>
    loser.client.post('/v1/orders', { symbol, side: 'sell', type: 'limit', size: 10, price: 4 }),
  );
  const answers = await Promise.all(sells);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  const refused = answers.find(({ status }) => status === 403);
  expect(refused?.body).toMatchObject({
    error: { code: 'RISK_LIMIT_EXCEEDED', details: { limit: 'daily_loss', required: 60, available: 40 } },
  });
  const { body } = await preview(4);
  expect(body).toMatchObject({ error: { details: { limit: 'daily_loss', available: 40 } } });
});
