import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { createKey, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let buyer: KeyHolder;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'PRE', { market: { takerFeeBps: 100 } });
  buyer = await createKeyHolder(db, { cash: 1_000_00 });
  const seller = await createKeyHolder(db);
  await giveHolding({ accountId: seller.accountId, asset: 'pre', lots: [{ quantity: 100 }] });
  for (const [size, price] of [
    [3, 10],
    [5, 11],
    [5, 20],
  ]) {
    await seller.client.post('/v1/orders', { symbol: 'PRE-USD', side: 'sell', type: 'limit', size, price });
  }
});

const preview = (terms: Record<string, unknown>, { client } = buyer) =>
  client.post('/v1/orders/preview', { symbol: 'PRE-USD', side: 'buy', type: 'limit', size: 10, price: 12, ...terms });

describe('the preview of an order', () => {
  it('estimates what it would fill at once, at which price and fee, and what it would hold', async () => {
    const { status, body } = await preview({});
    expect([status, body]).toEqual([
      200,
      {
        symbol: 'PRE-USD',
        side: 'buy',
        type: 'limit',
        time_in_force: 'GTC',
        size: 10,
        price: 12,
        worst_price: 12,
        estimated_filled_size: 8,
        estimated_average_price: 10.625,
        estimated_fee: 0.85,
        estimated_total: 85.85,
        held_asset: 'USD',
        held: 121.2,
        available: 1_000,
      },
    ]);
  });

  it('estimates by those alone whom the order may meet, as a buy and as a sell', async () => {
    await createPair(db, 'MEET', { asset: { regulation: 'reg_cf' } });
    const [holder, retail, accredited] = [
      await createKeyHolder(db),
      await createKeyHolder(db, { cash: 1_000_00 }),
      await createKeyHolder(db, { cash: 1_000_00, accreditationStatus: 'completed', accreditationType: '506b' }),
    ];
    const restrictionEndsAt = Date.now() + 86_400_000;
    await giveHolding({ accountId: holder.accountId, asset: 'meet', lots: [{ quantity: 10, restrictionEndsAt }] });
    const terms = (side: string, size: number, price: number) => ({ symbol: 'MEET-USD', side, size, price });
    const filledOf = async (side: string, by: KeyHolder) =>
      (await preview(terms(side, 4, 10), by)).body.estimated_filled_size;
    await retail.client.post('/v1/orders', { ...terms('buy', 3, 10), type: 'limit' });
    expect(await filledOf('sell', holder)).toBe(0);
    await accredited.client.post('/v1/orders', { ...terms('buy', 2, 10), type: 'limit' });
    expect(await filledOf('sell', holder)).toBe(2);
    await holder.client.post('/v1/orders', { ...terms('sell', 4, 10), type: 'limit' });
    expect([await filledOf('buy', retail), await filledOf('buy', accredited)]).toEqual([0, 2]);
  });

  it('places nothing and holds nothing', async () => {
    await preview({});
    expect((await buyer.client.get('/v1/orders')).body.orders).toEqual([]);
    expect((await buyer.client.get('/v1/account/balances')).body.balances).toContainEqual({
      asset: 'USD',
      free: 1_000,
      locked: 0,
    });
  });

  it.each([
    ['the balance', { size: 1_000 }, 'INSUFFICIENT_BALANCE'],
    ['the holdings', { side: 'sell' }, 'INSUFFICIENT_BALANCE'],
    ['the symbol', { symbol: 'NOPE-USD' }, 'INVALID_SYMBOL'],
    ['the tick', { price: 12.001 }, 'VALIDATION_ERROR'],
    ['the order type', { type: 'nonsense' }, 'INVALID_ORDER_TYPE'],
    ['post-only', { type: 'limit_maker' }, 'POST_ONLY_WOULD_TAKE'],
    ['fill-or-kill', { time_in_force: 'FOK' }, 'FOK_NOT_FILLABLE'],
  ])('refuses for %s what placing would refuse, with the same code', async (_, terms, code) => {
    const answer = await preview(terms);
    const placed = await buyer.client.post('/v1/orders', {
      symbol: 'PRE-USD',
      side: 'buy',
      type: 'limit',
      size: 10,
      price: 12,
      ...terms,
    });
    expect([answer.status, answer.body.error]).toEqual([placed.status, expect.objectContaining({ code })]);
    expect(placed.body.error).toMatchObject({ code });
  });

  it.each([
    ['short of holdings', { side: 'sell', size: 5 }],
    ['short of cash', { size: 500, price: 25 }],
  ])('says of an order that is %s nothing of the book, as placing does', async (_, terms) => {
    await buyer.client.post('/v1/orders', { symbol: 'PRE-USD', side: 'buy', type: 'limit', size: 1, price: 9 });
    for (const time_in_force of ['POST_ONLY', 'FOK']) {
      const order = { price: 9, time_in_force, ...terms };
      const { error } = (await preview(order)).body;
      expect(error).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
      const placed = await buyer.client.post('/v1/orders', { symbol: 'PRE-USD', type: 'limit', side: 'buy', ...order });
      expect(placed.body.error).toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
    }
  });

  it('names the price band before the daily limit of the API key, and that before the balance, as placing does', async () => {
    await createPair(db, 'PRB', { market: { bandBps: 1_000, referencePrice: 10_00 } });
    const { client } = await createKey(db, buyer, { dailyNotionalMax: 1_00 });
    const outside = { symbol: 'PRB-USD', side: 'buy', type: 'limit', size: 1, price: 20 };
    for (const path of ['/v1/orders/preview', '/v1/orders']) {
      expect((await client.post(path, outside)).body.error).toMatchObject({
        details: { reason: 'outside_price_band' },
      });
      const beyond = { ...outside, price: 10, size: 1_000_000 };
      expect((await client.post(path, beyond)).body.error).toMatchObject({ details: { limit: 'daily_notional' } });
    }
  });

  it('checks the limits of the API key and draws on none of them', async () => {
    const { client } = await createKey(db, buyer, { dailyNotionalMax: 200_00, orderSizeLimits: { pre: 20 } });
    for (let i = 0; i < 3; i++) expect((await preview({}, { ...buyer, client })).status).toBe(200);
    const limited = await preview({ size: 18 }, { ...buyer, client });
    expect(limited.body.error).toMatchObject({ code: 'RISK_LIMIT_EXCEEDED', details: { limit: 'daily_notional' } });
    const large = await preview({ size: 21 }, { ...buyer, client });
    expect(large.body.error).toMatchObject({ code: 'RISK_LIMIT_EXCEEDED', details: { limit: 'order_size' } });
  });
});
