import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { transact } from '../../../../application/ledger/transact.ts';
import { createAsset } from '../../../../data/catalog/assets.ts';
import type { Database } from '../../../../data/database.ts';
import { createMarket } from '../../../../data/markets/markets.ts';
import { type Answer, createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { clearLedgerFaults, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import { giveBalance } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';

/** Units of a dollar that has four decimals, as in the demo. */
const DOLLAR = 10_000;

let db: Database;

beforeAll(async () => {
  db = await migrate();
  const createdAt = Date.now();
  await createAsset(db, { id: 'usd', symbol: 'USD', name: 'US dollar', category: 'currency', scale: 4, createdAt });
  await createAsset(db, { id: 'eur', symbol: 'EUR', name: 'Euro', category: 'currency', scale: 2, createdAt });
  for (const [symbol, regulation] of [
    ['UNIT', null],
    ['CROWD', 'reg_cf'],
  ] as const) {
    await createPair(db, symbol, { asset: { regulation } });
    const terms = { priceScale: 2, tickSize: 1, lotSize: 1, quantityMin: 1, quantityMax: 1_000_000, createdAt };
    const made = await createMarket(db, { baseAsset: symbol.toLowerCase(), quoteAsset: 'eur', ...terms });
    if (!made.ok) throw new Error('the market was refused');
  }
});

async function holder(...[terms, key]: Parameters<typeof createKeyHolder> extends [unknown, ...infer T] ? T : never) {
  const made = await createKeyHolder(db, { cash: 1_000_000 * DOLLAR, ...terms }, key);
  await giveBalance({ accountId: made.accountId, asset: 'eur', amount: 1_000_000_00 });
  return made;
}

function buy({ client }: KeyHolder, symbol: string, size: number, price: number): Promise<Answer> {
  return client.post('/v1/orders', { symbol, side: 'buy', type: 'limit', size, price });
}

function refusal({ status, body }: Answer): unknown {
  const { code, details } = (body.error ?? {}) as { code?: string; details?: Record<string, unknown> };
  return { status, code, ...details };
}

describe('daily limits of an API key', () => {
  it('are stated in cents, whatever the scale of the dollar', async () => {
    const key = await holder({}, { dailyNotionalMax: 100_00 });
    expect((await buy(key, 'UNIT-USD', 6, 10)).status).toBe(200);
    const answer = refusal(await buy(key, 'UNIT-USD', 5, 10));
    expect(answer).toMatchObject({ status: 403, limit: 'daily_notional', required: 50, available: 40 });
  });

  it.each([{ dailyNotionalMax: 100_00 }, { dailyLossMax: 100_00 }])(
    'refuse a market in a currency that no rate is stated for: %j',
    async (limits) => {
      const answer = await buy(await holder({}, limits), 'UNIT-EUR', 1, 1);
      expect(refusal(answer)).toMatchObject({
        status: 403,
        code: 'RISK_LIMIT_EXCEEDED',
        limit: 'daily',
        reason: 'no_rate',
        currency: 'USD',
        quote: 'EUR',
      });
      expect((await buy(await holder({}), 'UNIT-EUR', 1, 1)).status).toBe(200);
    },
  );
});

describe('the Reg CF limit', () => {
  it('is not worked out from a D1 that is behind: the order is refused for now', async () => {
    const buyer = await holder({});
    planLedgerFaults({ d1: () => 'away', settings: { projectedWait_ms: 5 } });
    const grant = { id: uuidv7(), account: buyer.accountId, asset: 'behind', amount: 1, createdAt: 1, expect: [] };
    expect(await transact(env, { kind: 'grant', ...grant })).toMatchObject({ type: 'done' });
    const answer = await buy(buyer, 'CROWD-USD', 1, 1);
    clearLedgerFaults();
    expect(answer.status).toBe(503);
  });

  it('is one in dollars: 2,500 without means, whatever the scale of the dollar', async () => {
    const investor = await holder({});
    expect((await buy(investor, 'CROWD-USD', 200, 10)).status).toBe(200);
    expect(refusal(await buy(investor, 'CROWD-USD', 51, 10))).toMatchObject({ required: 510, available: 500 });
  });

  const NO_RATE = {
    status: 400,
    code: 'INVESTMENT_LIMIT_EXCEEDED',
    limit: 'investment',
    reason: 'no_rate',
    quote: 'EUR',
  };

  it('is not granted a second time in another currency: without a rate the order is refused', async () => {
    expect(refusal(await buy(await holder({}), 'CROWD-EUR', 1, 1))).toMatchObject(NO_RATE);
    const accredited = await holder({ accreditationStatus: 'completed', accreditationType: '506b' });
    expect((await buy(accredited, 'CROWD-EUR', 1, 1)).status).toBe(200);
  });

  it('is not worked out without what was bought in another currency before it applied: the order is refused', async () => {
    const investor = await holder({});
    await env.DB.prepare(
      `INSERT INTO trades (id, book, sequence, asset_id, quote_asset, price, quantity, notional, taker_side, buy_order, sell_order, buyer, seller, buyer_fee, seller_fee, executed_at)
       VALUES (?, 'CROWD-EUR', 1, 'crowd', 'eur', 100, 1, 100, 'buy', 'b', 's', ?, 'x', 0, 0, ?)`,
    )
      .bind(uuidv7(), investor.accountId, Date.now())
      .run();
    expect(refusal(await buy(investor, 'CROWD-USD', 1, 1))).toMatchObject(NO_RATE);
  });
});
