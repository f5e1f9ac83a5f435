import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { expireRefusals } from '../../../../application/compliance/expire-refusals.ts';
import { recordRefusals } from '../../../../data/compliance/order-refusals.ts';
import type { Database } from '../../../../data/database.ts';
import { orderRefusals } from '../../../../data/schema/compliance.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import type { Client, ErrorBody } from '../../fixtures/exchange-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { limitOrder, type OrderBody, placed } from '../../fixtures/placing.ts';
import { type TradingClient, tradingClient } from '../../fixtures/trading-client.ts';

const DAY_MS = 86_400_000;
const soon = Date.now() + 30 * DAY_MS;

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'CLUB', { asset: { accreditationType: '506c', regulation: 'reg_d_506c' } });
  await createPair(db, 'CIRCLE', { asset: { accreditationType: '506b', regulation: 'reg_d_506b' } });
  await createPair(db, 'CROWD', { asset: { regulation: 'reg_cf' } });
  await createPair(db, 'ABROAD', { asset: { regulation: 'reg_s' } });
  await createPair(db, 'PLAIN', {});
  await createPair(db, 'PARTS', { asset: { regulation: 'reg_s', scale: 2 }, market: { tickSize: 100 } });
});

const recordsOf = ({ accountId }: { readonly accountId: string }) =>
  db.select().from(orderRefusals).where(eq(orderRefusals.account, accountId));

async function recordOf(client: { readonly accountId: string }) {
  const [record, ...others] = await recordsOf(client);
  expect(others).toEqual([]);
  if (record === undefined) throw new Error('no refusal was recorded');
  return { ...record, facts: JSON.parse(record.facts) };
}

const order = async (client: Client, body: OrderBody) => {
  const { body: answer } = await client.post<ErrorBody>('/v1/orders', body);
  return answer.error;
};

describe('a refused order is recorded with the rule and what it saw', () => {
  test('accreditation: who the buyer is, and what the asset asks for', async () => {
    const client = await tradingClient(db, { cash: 1_000_00 });
    const error = await order(client, limitOrder('club', 'BUY', 1, 10));
    expect(error).toMatchObject({
      code: 'ACCREDITATION_REQUIRED',
      details: { rule: 'third_party_verified_buyer', remedy: expect.stringContaining('/v1/account/accreditation') },
    });
    expect(JSON.stringify(error)).not.toContain('netWorth');
    expect(await recordOf(client)).toMatchObject({
      id: error.details.orderId,
      orderId: error.details.orderId,
      owner: client.owner,
      userId: client.userId,
      keyId: null,
      action: 'place',
      asset: 'club',
      book: 'CLUB-USD',
      code: 'ACCREDITATION_REQUIRED',
      rule: 'third_party_verified_buyer',
      count: 1,
      facts: {
        order: { side: 'buy', quantity: 1, price: 10 },
        account: { accreditationStatus: 'none', accreditationType: null, kycStatus: 'completed' },
        asset: { accreditationType: '506c', regulation: 'reg_d_506c' },
      },
    });
  });

  test('the limit of Regulation Crowdfunding: what is left of it, and the means it goes by', async () => {
    const client = await tradingClient(db, { cash: 10_000_00, annualIncome: 20_000_00 });
    const error = await order(client, limitOrder('crowd', 'BUY', 251, 10));
    expect(error).toMatchObject({
      code: 'INVESTMENT_LIMIT_EXCEEDED',
      details: { rule: 'reg_cf_investment_limit', remedy: expect.any(String) },
    });
    expect(await recordOf(client)).toMatchObject({
      rule: 'reg_cf_investment_limit',
      facts: { failure: { required: 2_510, available: 2_500 }, account: { annualIncome: 20_000, netWorth: 0 } },
    });
  });

  test.each([
    ['abroad', 'reg_s', 'reg_s_distribution_compliance'],
    ['plain', 'lockup', 'issuer_lockup'],
  ])('resale: %s lots under %s are held back by %s', async (asset, offeringType, rule) => {
    const lots = [{ quantity: 5, restrictionEndsAt: soon, offeringType }];
    const client = await tradingClient(db, {}, { asset, lots });
    const error = await order(client, limitOrder(asset, 'SELL', 5, 10));
    expect(error).toMatchObject({
      code: 'RESALE_RESTRICTED',
      details: { rule, remedy: expect.any(String), restrictionEndDate: new Date(soon).toISOString() },
    });
    expect(await recordOf(client)).toMatchObject({
      rule,
      asset,
      facts: {
        failure: { restrictionEndsAt: new Date(soon).toISOString() },
        lots: [{ quantity: 5, restrictionEndsAt: new Date(soon).toISOString(), offeringType }],
      },
    });
  });

  test('shares and times as the client has them, not as the ledger keeps them', async () => {
    const lots = [{ quantity: 1_25, restrictionEndsAt: soon, offeringType: 'reg_s' }];
    const client = await tradingClient(db, {}, { asset: 'parts', lots });
    const expiresAt = new Date(soon).toISOString();
    await order(client, { ...limitOrder('parts', 'SELL', 1.25, 10), timeInForce: 'GTD', expiresAt });
    expect((await recordOf(client)).facts).toMatchObject({
      order: { quantity: 1.25, expiresAt },
      lots: [{ quantity: 1.25, restrictionEndsAt: new Date(soon).toISOString() }],
    });
  });

  test('who may not order at all, before any order stands', async () => {
    const client = await tradingClient(db, { kycStatus: 'pending' });
    expect(await order(client, limitOrder('plain', 'BUY', 1, 1))).toMatchObject({
      code: 'FORBIDDEN',
      details: { rule: 'identity_verified' },
    });
    expect(await recordOf(client)).toMatchObject({ rule: 'identity_verified', asset: 'plain' });
  });

  test('what compliance does not ask for is recorded too, and told by code and details alone', async () => {
    const client = await tradingClient(db, { cash: 1_00 });
    const error = await order(client, limitOrder('plain', 'BUY', 5, 10));
    expect(error.details).not.toHaveProperty('rule');
    expect(await recordOf(client)).toMatchObject({ rule: 'sufficient_balance', code: 'INSUFFICIENT_BALANCE' });
  });

  test('an amendment, with what it asked for', async () => {
    const client = await tradingClient(db, { cash: 10_000_00 });
    const orderId = await placed(client, limitOrder('crowd', 'BUY', 100, 10));
    await client.put(`/v1/orders/${orderId}`, { quantity: 251 });
    expect(await recordOf(client)).toMatchObject({
      orderId,
      action: 'amend',
      asset: 'crowd',
      book: 'CROWD-USD',
      rule: 'reg_cf_investment_limit',
      facts: { order: { quantity: 251, side: 'buy' } },
    });
  });

  test('an accepted order leaves none', async () => {
    const client = await tradingClient(db, { cash: 1_000_00 });
    await placed(client, limitOrder('plain', 'BUY', 1, 10));
    expect(await recordsOf(client)).toEqual([]);
  });

  test('a request that is sent again is recorded once', async () => {
    const client = await tradingClient(db, { cash: 1_000_00 });
    const key = { 'idempotency-key': crypto.randomUUID() };
    for (const _ of [1, 2]) await client.post('/v1/orders', limitOrder('club', 'BUY', 1, 10), key);
    await recordOf(client);
  });
});

test('profile B names and records the rule of a key, too; an offering that must not be solicited stays unknown to it', async () => {
  const holder = await createKeyHolder(db, { cash: 1_000_00 });
  const { client } = holder;
  const body = (symbol: string) => ({ symbol, side: 'buy', type: 'limit', price: 10, size: 1 });
  expect(await client.post('/v1/orders', body('CLUB-USD'))).toMatchObject({
    body: { error: { code: 'ACCREDITATION_REQUIRED', details: { rule: 'third_party_verified_buyer' } } },
  });
  const hidden = await client.post('/v1/orders', body('CIRCLE-USD'));
  expect(hidden).toMatchObject({ body: { error: { code: 'INVALID_SYMBOL' } } });
  expect(hidden.body).not.toHaveProperty('error.details.rule');
  const records = (await recordsOf(holder)).map(({ rule, keyId, book }) => [rule, keyId, book]);
  expect(records.toSorted()).toEqual([
    ['no_general_solicitation', holder.keyId, 'CIRCLE-USD'],
    ['third_party_verified_buyer', holder.keyId, 'CLUB-USD'],
  ]);
});

describe('how much is recorded', () => {
  const refusal = (client: TradingClient, id: string, at: number) =>
    ({
      id,
      account: client.accountId,
      owner: client.owner,
      userId: client.userId,
      keyId: null,
      action: 'place',
      orderId: id,
      asset: 'plain',
      book: 'PLAIN-USD',
      code: 'INSUFFICIENT_BALANCE',
      rule: 'sufficient_balance',
      facts: '{}',
      at,
    }) as const;

  const many = (client: TradingClient, count: number, rule: string, at: number) =>
    Array.from({ length: count }, () => ({ ...refusal(client, crypto.randomUUID(), at), rule }));
  const counts = async (client: TradingClient, rule: string) => {
    const records = (await recordsOf(client)).filter((record) => record.rule === rule);
    return [records.filter(({ count }) => count === 1).length, records.find(({ count }) => count > 1)?.count];
  };

  test('of a day a hundred by rules of compliance and ten by each other in full; the others are counted by their rule', async () => {
    const client = await tradingClient(db);
    const at = Date.now();
    await recordRefusals(db, [
      ...many(client, 60, 'accredited_buyer', at),
      ...many(client, 43, 'reg_d_hold', at),
      ...many(client, 13, 'sufficient_balance', at),
      ...many(client, 12, 'order_terms', at),
    ]);
    expect(await counts(client, 'accredited_buyer')).toEqual([60, undefined]);
    expect(await counts(client, 'reg_d_hold')).toEqual([40, 3]);
    expect(await counts(client, 'sufficient_balance')).toEqual([10, 3]);
    expect(await counts(client, 'order_terms')).toEqual([10, 2]);
    await recordRefusals(db, many(client, 2, 'reg_d_hold', at + DAY_MS));
    expect(await counts(client, 'reg_d_hold')).toEqual([42, 3]);
  });

  test('a bound of all accounts together', async () => {
    const [one, other] = [await tradingClient(db), await tradingClient(db)];
    const day = Date.now() + 20 * DAY_MS;
    await recordRefusals(db, many(one, 4, 'accredited_buyer', day), 5);
    await recordRefusals(db, many(other, 3, 'accredited_buyer', day), 5);
    expect(await counts(one, 'accredited_buyer')).toEqual([4, undefined]);
    expect(await counts(other, 'accredited_buyer')).toEqual([1, 2]);
  });

  test('six years', async () => {
    const client = await tradingClient(db);
    const now = Date.now();
    await recordRefusals(db, [
      refusal(client, 'old', now - 2_193 * DAY_MS),
      refusal(client, 'kept', now - 2_190 * DAY_MS),
    ]);
    await expireRefusals(env, now);
    expect(await recordsOf(client)).toMatchObject([{ id: 'kept' }]);
  });
});
