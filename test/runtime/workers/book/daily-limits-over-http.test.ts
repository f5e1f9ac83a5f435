import { beforeAll, describe, expect, it } from 'vitest';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { keyOverHttp } from '../../fixtures/key-over-http.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';
import { createApp } from '../../fixtures/sign-in.ts';

/** Units of a dollar that has four decimals, as in the demo. */
const DOLLAR = 10_000;

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
  const usd = { id: 'usd', symbol: 'USD', name: 'US dollar', category: 'currency', scale: 4 } as const;
  await createAsset(db, { ...usd, createdAt: Date.now() });
  for (const symbol of ['HTA', 'HTB', 'HTC', 'HTD']) await createPair(db, symbol);
});

const order = (base: string, side: string, size: number, price: number) => ({
  symbol: `${base}-USD`,
  side,
  type: 'limit',
  size,
  price,
});

describe('a key that was made over HTTP with a limit of $1,000', () => {
  it('buys for $1,000 in all its pairs together, and for no cent more', async () => {
    const client = await keyOverHttp(await createTrader(db, { cash: 100_000 * DOLLAR }), { dailyNotionalMax: 1_000 });
    expect(await client.post('/v1/orders', order('HTA', 'buy', 1, 600))).toMatchObject({ status: 200 });
    expect(await client.post('/v1/orders', order('HTB', 'buy', 1, 400.01))).toMatchObject({
      status: 403,
      body: { error: { details: { limit: 'daily_notional', required: 400.01, available: 400 } } },
    });
    expect(await client.post('/v1/orders', order('HTB', 'buy', 1, 400))).toMatchObject({ status: 200 });
  });

  it('loses $1,000 in all its pairs together, and places nothing more that day', async () => {
    const trader = await createTrader(db, { cash: 100_000 * DOLLAR });
    const lots = [{ quantity: 11, cost: 11 * 100 * DOLLAR }];
    for (const asset of ['htc', 'htd']) await giveHolding({ accountId: trader.accountId, asset, lots });
    const client = await keyOverHttp(trader, { dailyLossMax: 1_000 });
    const buyer = await createKeyHolder(db, { cash: 100_000 * DOLLAR });
    for (const base of ['HTC', 'HTD']) await buyer.client.post('/v1/orders', order(base, 'buy', 11, 50));

    expect(await client.post('/v1/orders', order('HTC', 'sell', 10, 50))).toMatchObject({ body: { status: 'filled' } });
    expect(await client.post('/v1/orders', order('HTD', 'sell', 11, 50))).toMatchObject({
      status: 403,
      body: { error: { details: { limit: 'daily_loss', required: 550, available: 500 } } },
    });
    expect(await client.post('/v1/orders', order('HTD', 'sell', 10, 50))).toMatchObject({ body: { status: 'filled' } });
    await settle('HTC-USD', 'HTD-USD');
    for (const more of [order('HTC', 'buy', 1, 1), order('HTD', 'sell', 1, 200)])
      expect(await client.post('/v1/orders', more)).toMatchObject({
        status: 403,
        body: { error: { details: { limit: 'daily_loss', available: 0 } } },
      });
  });
});
