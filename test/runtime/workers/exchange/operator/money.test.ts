import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAsset } from '../../../../../data/catalog/assets.ts';
import type { Database } from '../../../../../data/database.ts';
import { domainEvents } from '../../../../../data/schema/audit.ts';
import { lots } from '../../../../../data/schema/ledger.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { USD } from '../../../fixtures/create-currency.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../../fixtures/placing.ts';
import { type TradingClient, tradingClient } from '../../../fixtures/trading-client.ts';

let db: Database;
let operator: Client;
let operatorId: string;
let trader: TradingClient;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'ACME', { asset: { regulation: 'reg_d_506c', offeringType: '506c' } });
  const person = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
  operatorId = person.userId;
  operator = await signedIn(person);
  trader = await tradingClient(db, { cash: 1_000_00 });
});

const deposit = (body: Record<string, unknown>, headers?: Record<string, string>) =>
  operator.post('/v1/operator/deposits', { accountId: trader.accountId, ...body }, headers);

const withdraw = (body: Record<string, unknown>, headers?: Record<string, string>) =>
  operator.post('/v1/operator/withdrawals', { accountId: trader.accountId, ...body }, headers);

async function balanceOf(assetId: string): Promise<unknown> {
  const { body } = await operator.get<{ data: { balances: { assetId: string; available: number }[] } }>(
    `/v1/operator/accounts/${trader.accountId}`,
  );
  return body.data.balances.find((balance) => balance.assetId === assetId)?.available ?? 0;
}

describe('POST /v1/operator/deposits', () => {
  test('credits the account, and the deposit stands in the transactions of its owner', async () => {
    const answer = await deposit({ assetId: USD, amount: 250.25, reference: 'wire 1' });
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'ok', data: { type: 'deposit', amount: 250.25, status: 'completed', reference: 'wire 1' } },
    });
    const { body } = await trader.get<{ data: { type: string; total: number }[] }>(
      '/v1/core-transactions?type=deposit',
    );
    expect(body.data.map(({ total }) => total)).toContain(250.25);
    await expectRightLedger();
  });

  test('under one Idempotency-Key is made once', async () => {
    const before = await balanceOf(USD);
    const key = { 'idempotency-key': uuidv7() };
    const first = await deposit({ assetId: USD, amount: 10 }, key);
    const second = await deposit({ assetId: USD, amount: 10 }, key);
    expect(second.body).toEqual(first.body);
    expect(await balanceOf(USD)).toBe(Number(before) + 10);
    expect(await deposit({ assetId: USD, amount: 11 }, key)).toMatchObject({ status: 422 });
  });

  test('of a security becomes lots, with the hold period of their offering', async () => {
    const given = { quantity: 4, cost: 100, acquisitionDate: '2026-03-15T00:00:00.000Z', offeringType: '506c' };
    const free = { quantity: 6, acquisitionDate: '2020-01-01T00:00:00.000Z', restrictionEndDate: null };
    expect(await deposit({ assetId: 'acme', amount: 10, lots: [given, free] })).toMatchObject({ status: 200 });
    const stored = await db.select().from(lots).where(eq(lots.account, trader.accountId)).orderBy(lots.acquiredAt);
    expect(stored).toMatchObject([
      { quantity: 6, restrictionEndsAt: null },
      { quantity: 4, cost: 100_00, restrictionEndsAt: Date.UTC(2027, 2, 15), offeringType: '506c' },
    ]);
    expect(await deposit({ assetId: 'acme', amount: 11, lots: [given, free] })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { expected: 11, found: 10 } } },
    });
    await expectRightLedger();
  });

  test('of a security under Regulation S is held whoever holds it; what a lot says goes before what its asset says', async () => {
    await createPair(db, 'ABROAD', { asset: { regulation: 'reg_s', offeringType: 'reg_s' } });
    const [american, foreigner] = [await createTrader(db), await createTrader(db, { usPerson: false })];
    const acquired = { quantity: 5, acquisitionDate: '2026-03-15T00:00:00.000Z' };
    const yearLater = Date.UTC(2027, 2, 15);
    for (const { accountId } of [american, foreigner]) {
      const sent = [acquired, { ...acquired, offeringType: '506b' }, { ...acquired, offeringType: 'reg_a' }];
      expect(await deposit({ accountId, assetId: 'abroad', amount: 15, lots: sent })).toMatchObject({ status: 200 });
    }
    const holdsOf = async ({ accountId }: { readonly accountId: string }) => {
      const stored = await db.select().from(lots).where(eq(lots.account, accountId));
      return Object.fromEntries(stored.map((lot) => [lot.offeringType, lot.restrictionEndsAt]));
    };
    for (const person of [american, foreigner])
      expect(await holdsOf(person)).toEqual({ reg_s: yearLater, '506b': yearLater, reg_a: null });
  });

  test('of a security without lots is one lot at the cost that is stated', async () => {
    const { accountId } = await createTrader(db);
    expect(await deposit({ accountId, assetId: 'acme', amount: 3, cost: 75.5 })).toMatchObject({ status: 200 });
    expect(await db.select().from(lots).where(eq(lots.account, accountId))).toMatchObject([
      { quantity: 3, cost: 75_50 },
    ]);
  });

  test('of a lot that is acquired in the future is refused', async () => {
    const acquisitionDate = new Date(Date.now() + 3_600_000).toISOString();
    expect(await deposit({ assetId: 'acme', amount: 1, lots: [{ quantity: 1, acquisitionDate }] })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    });
  });

  test('of a fraction that the asset does not have, or to nobody, is refused', async () => {
    expect(await deposit({ assetId: USD, amount: 0.001 })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { field: 'amount', reason: 'too_many_decimals' } } },
    });
    expect(await deposit({ assetId: USD, amount: -1 })).toMatchObject({ status: 400 });
    expect(await deposit({ assetId: 'nothing', amount: 1 })).toMatchObject({
      status: 404,
      body: { error: { code: 'ASSET_NOT_FOUND' } },
    });
    for (const accountId of ['nobody', 'boundary:deposits']) {
      expect(await deposit({ assetId: USD, amount: 1, accountId })).toMatchObject({
        status: 404,
        body: { error: { code: 'NOT_FOUND' } },
      });
    }
  });
});

describe('money is paid in and out in the decimals of its currency, whatever more is counted', () => {
  test.each([
    ['JPY', 5, 0.5, 0],
    ['KWD', 1.005, 0.000_5, 3],
    ['CHF', 0.05, 0.005, 2],
  ])('%s: %d is, %d is not', async (symbol, paid, finer, decimalsMax) => {
    const assetId = symbol.toLowerCase();
    const category = 'currency';
    await createAsset(db, { id: assetId, symbol, name: symbol, category, scale: 4, createdAt: Date.now() });
    const refused = {
      status: 400,
      body: {
        error: {
          code: 'VALIDATION_ERROR',
          message: expect.stringMatching(/^amount has \d+ decimals/),
          details: { field: 'amount', reason: 'too_many_decimals', decimalsMax },
        },
      },
    };
    expect(await deposit({ assetId, amount: finer })).toMatchObject(refused);
    expect(await deposit({ assetId, amount: 2 * paid })).toMatchObject({
      status: 200,
      body: { data: { amount: 2 * paid } },
    });
    expect(await withdraw({ assetId, amount: finer })).toMatchObject(refused);
    expect(await withdraw({ assetId, amount: paid })).toMatchObject({ status: 200 });
    for (const kind of ['deposits', 'withdrawals']) {
      const terms = { assetId, reference: 'IBAN XX00' };
      expect(await trader.post(`/v1/account/${kind}`, { ...terms, amount: finer })).toMatchObject(refused);
      expect(await trader.post(`/v1/account/${kind}`, { ...terms, amount: paid })).toMatchObject({ status: 200 });
    }
    await expectRightLedger();
  });
});

describe('POST /v1/operator/withdrawals', () => {
  test('debits what is available; beyond that it is INSUFFICIENT_BALANCE with what is required and available', async () => {
    const available = Number(await balanceOf(USD));
    expect(await withdraw({ assetId: USD, amount: available + 0.01 })).toMatchObject({
      status: 400,
      body: { error: { code: 'INSUFFICIENT_BALANCE', details: { required: available + 0.01, available } } },
    });
    expect(await withdraw({ assetId: USD, amount: 100 })).toMatchObject({
      status: 200,
      body: { data: { type: 'withdrawal' } },
    });
    expect(await balanceOf(USD)).toBe(available - 100);
    await expectRightLedger();
  });

  test('from nobody, or from an account of the venue itself, is refused', async () => {
    for (const accountId of ['nobody', 'boundary:deposits', 'boundary:fees'])
      expect(await withdraw({ assetId: USD, amount: 1, accountId })).toMatchObject({
        status: 404,
        body: { error: { code: 'NOT_FOUND' } },
      });
  });

  test('leaves what open orders hold, and has it the moment that they are cancelled', async () => {
    const available = Number(await balanceOf(USD));
    const orderId = await placed(trader, limitOrder('acme', 'BUY', 10, 20));
    expect(await withdraw({ assetId: USD, amount: available })).toMatchObject({
      status: 400,
      body: { error: { code: 'INSUFFICIENT_BALANCE', details: { available: available - 200 } } },
    });
    await trader.delete(`/v1/orders/${orderId}`);
    expect(await withdraw({ assetId: USD, amount: available })).toMatchObject({ status: 200 });
    expect(await balanceOf(USD)).toBe(0);
    await expectRightLedger();
  });
});

test('every deposit and withdrawal is written down: who, what, before and after', async () => {
  const account = await createTrader(db);
  const headers = { 'x-request-id': 'request-of-the-test' };
  await operator.post('/v1/operator/deposits', { accountId: account.accountId, assetId: USD, amount: 5 }, headers);
  await operator.post('/v1/operator/withdrawals', { accountId: account.accountId, assetId: USD, amount: 2 });
  const events = await db
    .select()
    .from(domainEvents)
    .where(eq(domainEvents.subject, account.accountId))
    .orderBy(domainEvents.id);
  expect(events.map(({ type, payload }) => ({ type, payload: JSON.parse(payload) }))).toMatchObject([
    {
      type: 'operator.deposit',
      payload: {
        actor: operatorId,
        request_id: 'request-of-the-test',
        before: { available: 0 },
        after: { available: 500 },
      },
    },
    {
      type: 'operator.withdrawal',
      payload: { actor: operatorId, before: { available: 500 }, after: { available: 300 } },
    },
  ]);
});

describe('an operator of another organization than the venue', () => {
  test('moves no money, and reads the accounts of its own organization alone', async () => {
    const theirs = await signedIn(await createTrader(db, { owner: 'org-theirs', roles: ['operator'] }));
    const colleague = await createTrader(db, { owner: 'org-theirs' });
    const body = { accountId: colleague.accountId, assetId: USD, amount: 1 };
    for (const path of ['/v1/operator/deposits', '/v1/operator/withdrawals']) {
      expect(await theirs.post(path, body)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    }
    expect(await theirs.get(`/v1/operator/accounts/${colleague.accountId}`)).toMatchObject({ status: 200 });
    expect(await theirs.get(`/v1/operator/accounts/${trader.accountId}`)).toMatchObject({ status: 404 });
    const { body: list } = await theirs.get<{ data: { owner: string }[] }>('/v1/operator/accounts');
    expect(new Set(list.data.map(({ owner }) => owner))).toEqual(new Set(['org-theirs']));
  });

  test('while an operator of the venue reads every account, page by page', async () => {
    const first = await operator.get<{ data: { accountId: string }[] }>('/v1/operator/accounts?limit=2');
    expect(first.body.data).toHaveLength(2);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await operator.get<{ data: { accountId: string }[] }>(next.replace(/^.*\/exchange/, ''));
    const ids = [...first.body.data, ...second.body.data].map(({ accountId }) => accountId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.some((id) => id.startsWith('boundary:'))).toBe(false);
  });
});
