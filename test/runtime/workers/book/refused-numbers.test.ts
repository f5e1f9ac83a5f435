import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../fixtures/migrate.ts';

const SYMBOL = 'NUM-USD';
/** `1e999` and NaN travel as null. */
const NO_SIZES = [-5, 0, 0.5, -0.0001, 1e30, Number.MAX_SAFE_INTEGER * 2, Number.NaN, Number.POSITIVE_INFINITY];

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'NUM');
});

const order = (terms: object) => ({ symbol: SYMBOL, side: 'buy', type: 'limit', size: 1, price: 2, ...terms });

/** Every order of the account that is stored, as rejected too. */
async function storedOf({ accountId }: KeyHolder): Promise<unknown[]> {
  await expectRightLedger();
  const { results } = await env.DB.prepare('SELECT status, quantity FROM orders WHERE account = ?')
    .bind(accountId)
    .all();
  return results;
}

describe('an order whose numbers are none of an order', () => {
  it.each(NO_SIZES)('is refused with size %d and stored nowhere', async (size) => {
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    for (const terms of [{ size }, { size, type: 'market', price: undefined }]) {
      const answer = await holder.client.post('/v1/orders', order(terms));
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
      expect(answer.body).not.toHaveProperty('error.details.order_id');
    }
    expect((await holder.client.post('/v1/orders/preview', order({ size }))).status).toBe(400);
    expect(await storedOf(holder)).toEqual([]);
  });

  it.each([
    { price: -2 },
    { price: 0 },
    { price: 90_000_000_000_000 },
    { type: 'stop_loss_limit', stop_price: -1 },
    { time_in_force: 'GTD', expires_at: -1 },
    { time_in_force: 'GTD', expires_at: Number.MAX_SAFE_INTEGER },
  ])('is refused with %j and stored nowhere', async (terms) => {
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const answer = await holder.client.post('/v1/orders', order(terms));
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect(await storedOf(holder)).toEqual([]);
  });

  it('is refused by itself in a batch', async () => {
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const orders = [order({ size: -5 }), order({}), order({ size: 0 })];
    const { status, body } = await holder.client.post('/v1/orders/batch', { orders });
    expect(status).toBe(200);
    expect(body.results).toMatchObject([
      { error: { code: 'VALIDATION_ERROR', details: { field: 'size', reason: 'not_positive' } } },
      { order: { status: 'open' } },
      { error: { code: 'VALIDATION_ERROR' } },
    ]);
    expect(await storedOf(holder)).toEqual([{ status: 'open', quantity: 1 }]);
  });

  it('amends nothing', async () => {
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const { body } = await holder.client.post('/v1/orders', order({ size: 3 }));
    for (const change of [{ size: -5 }, { size: 0 }, { price: -1 }, { price: 90_000_000_000_000 }]) {
      const answer = await holder.client.patch(`/v1/orders/${body.order_id}`, change);
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    }
    expect(await storedOf(holder)).toEqual([{ status: 'open', quantity: 3 }]);
  });
});
