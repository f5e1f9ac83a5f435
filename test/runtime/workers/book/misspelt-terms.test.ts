import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'TERM');
});

test('a cancellation of all orders whose condition is misspelt cancels none', async () => {
  const { client } = await createKeyHolder(db, { cash: 1_000_00 });
  await client.post('/v1/orders', { symbol: 'TERM-USD', side: 'buy', type: 'limit', size: 1, price: 2 });
  for (const query of ['Symbol=TERM-USD', 'sid=buy', 'side=x'])
    expect(await client.delete(`/v1/orders?${query}`)).toMatchObject({ status: 400 });
  expect(await client.get('/v1/orders?status=open')).toMatchObject({ body: { orders: [{ symbol: 'TERM-USD' }] } });
  expect(await client.delete('/v1/orders?side=buy')).toMatchObject({ status: 200 });
  expect(await client.get('/v1/orders?status=open')).toMatchObject({ body: { orders: [] } });
});

test('a cancellation of one order whose condition is misspelt cancels nothing', async () => {
  const { client } = await createKeyHolder(db, { cash: 1_000_00 });
  const { body } = await client.post('/v1/orders', {
    symbol: 'TERM-USD',
    side: 'buy',
    type: 'limit',
    size: 1,
    price: 2,
  });
  expect(await client.delete(`/v1/orders/${body.order_id}?simbol=OTHER-USD`)).toMatchObject({ status: 400 });
  expect(await client.get(`/v1/orders/${body.order_id}`)).toMatchObject({ body: { status: 'open' } });
});

test('a list whose filter is misspelt is none', async () => {
  const { client } = await createKeyHolder(db, { cash: 1_000_00 });
  await client.post('/v1/orders', { symbol: 'TERM-USD', side: 'buy', type: 'limit', size: 1, price: 2 });
  for (const query of ['Status=open', 'symbol=TERM-USD&sid=sell'])
    expect(await client.get(`/v1/orders?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    });
  expect(await client.get('/v1/orders?status=open')).toMatchObject({ body: { orders: [{ side: 'buy' }] } });
});

test('an order of less than nothing is refused, and the audit holds', async () => {
  const { client } = await createKeyHolder(db, { cash: 1_000_00 });
  const order = { symbol: 'TERM-USD', side: 'buy', type: 'limit', size: -1, price: 2 };
  expect(await client.post('/v1/orders', order)).toMatchObject({ status: 400 });
  await expectRightLedger();
});
