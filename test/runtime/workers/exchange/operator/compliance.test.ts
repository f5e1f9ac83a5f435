import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { accounts } from '../../../../../data/schema/accounts.ts';
import { domainEvents } from '../../../../../data/schema/audit.ts';
import { ATTESTATION } from '../../../../../domain/accreditation/attestation-text.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { createKeyHolder } from '../../../fixtures/book-client.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../../fixtures/placing.ts';
import { orderOf, type TradingClient, tradingClient } from '../../../fixtures/trading-client.ts';

let db: Database;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'FREE');
  await createPair(db, 'CLUB', { asset: { accreditationType: '506c', regulation: 'reg_d_506c' } });
  await createPair(db, 'CIRCLE', { asset: { accreditationType: '506b', regulation: 'reg_d_506b' } });
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

const verified = { accreditationStatus: 'completed', accreditationType: '506c' } as const;

const change = (trader: TradingClient, facts: Record<string, unknown>, headers?: Record<string, string>) =>
  operator.patch<{ data: { cancelledOrders: string[] } }>(
    `/v1/operator/accounts/${trader.accountId}/facts`,
    facts,
    headers,
  );

const verify = (trader: TradingClient) =>
  operator.post(`/v1/operator/accounts/${trader.accountId}/verifications`, {
    verifier: 'Quill & Partners LLP',
    evidence: 'vault/1',
    verifiedAt: new Date(Date.now() - 86_400_000).toISOString(),
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });

const attest = (trader: TradingClient) =>
  trader.post('/v1/account/accreditation/attestations', { version: ATTESTATION.version, certified: true });

const factsVersionOf = async ({ accountId }: TradingClient) =>
  (await db.select().from(accounts).where(eq(accounts.id, accountId)).get())?.factsVersion;

describe('PATCH /v1/operator/accounts/{id}/facts', () => {
  test('completed verification admits the very next order', async () => {
    const trader = await tradingClient(db, { cash: 1_000_00, kycStatus: 'pending' });
    expect(await trader.post('/v1/orders', limitOrder('club', 'BUY', 1, 10))).toMatchObject({ status: 403 });
    await change(trader, { kycStatus: 'completed' });
    expect(await trader.post('/v1/orders', limitOrder('club', 'BUY', 1, 10))).toMatchObject({
      body: { error: { code: 'ACCREDITATION_REQUIRED' } },
    });
    expect(await verify(trader)).toMatchObject({
      status: 200,
      body: { data: { before: { accreditationStatus: 'none' }, after: verified, cancelledOrders: [] } },
    });
    expect(await trader.post('/v1/orders', limitOrder('club', 'BUY', 1, 10))).toMatchObject({ status: 200 });
  });

  test.each([
    ['third-party verification', '506c', 'club'],
    ['self-certification', '506b', 'circle'],
  ] as const)('accreditationStatus becomes completed when %s (%s) succeeds', async (_, accreditationType, assetId) => {
    const trader = await tradingClient(db, { cash: 1_000_00 });
    expect(await trader.get('/v1/account')).toMatchObject({
      body: { data: { accreditationStatus: 'none', accreditationType: null } },
    });
    if (accreditationType === '506c') await verify(trader);
    else await attest(trader);
    expect(await trader.get('/v1/account')).toMatchObject({
      body: { data: { accreditationStatus: 'completed', accreditationType } },
    });
    expect(await trader.post('/v1/orders', limitOrder(assetId, 'BUY', 1, 10))).toMatchObject({ status: 200 });
  });

  test('a revocation refuses the next order and cancels those that are open, on every book', async () => {
    const trader = await tradingClient(db, { cash: 1_000_00, ...verified });
    const open = [
      await placed(trader, limitOrder('club', 'BUY', 1, 10)),
      await placed(trader, limitOrder('free', 'BUY', 1, 10)),
    ];
    const bystander = await tradingClient(db, { cash: 1_000_00 });
    const untouched = await placed(bystander, limitOrder('free', 'BUY', 1, 10));
    const answer = await operator.post<{ data: { cancelledOrders: string[] } }>(
      `/v1/operator/accounts/${trader.accountId}/accreditation/end`,
      { reason: 'the letter was forged' },
    );
    expect([...answer.body.data.cancelledOrders].sort()).toEqual([...open].sort());
    for (const orderId of open) expect(await orderOf(trader, orderId)).toMatchObject({ status: 'CANCELLED' });
    expect(await orderOf(bystander, untouched)).toMatchObject({ status: 'PENDING' });
    expect(await trader.post('/v1/orders', limitOrder('club', 'BUY', 1, 10))).toMatchObject({
      body: { error: { code: 'ACCREDITATION_REQUIRED' } },
    });
    await expectRightLedger();
  });

  test('a Reg CF limit that falls below what open orders hold cancels them, and no others', async () => {
    await createPair(db, 'CROWD', { asset: { regulation: 'reg_cf' } });
    const means = { annualIncome: 700_000_00, netWorth: 700_000_00 };
    const trader = await tradingClient(db, { cash: 100_000_00, ...means });
    const seller = await tradingClient(db, {}, { asset: 'crowd', lots: [{ quantity: 7_000 }] });
    const bought = await placed(trader, limitOrder('crowd', 'BUY', 10, 10));
    await placed(seller, limitOrder('crowd', 'SELL', 10, 10));
    const large = await placed(trader, limitOrder('crowd', 'BUY', 6_900, 10));
    const other = await placed(trader, limitOrder('free', 'BUY', 1, 10));
    const ask = await placed(trader, limitOrder('crowd', 'SELL', 5, 900));
    expect(await change(trader, { annualIncome: 1_400_000, netWorth: 1_400_000 })).toMatchObject({
      body: { data: { cancelledOrders: [] } },
    });
    expect(await change(trader, { annualIncome: 690_000.0, netWorth: 1_400_000 })).toMatchObject({
      body: { data: { cancelledOrders: [] } },
    });
    expect(await change(trader, { annualIncome: 0, netWorth: 0 })).toMatchObject({
      status: 200,
      body: { data: { cancelledOrders: [large] } },
    });
    expect(await orderOf(trader, large)).toMatchObject({ status: 'CANCELLED', filledQuantity: 0 });
    expect(await orderOf(trader, other)).toMatchObject({ status: 'PENDING' });
    expect(await orderOf(trader, ask)).toMatchObject({ status: 'PENDING' });
    await placed(seller, limitOrder('crowd', 'SELL', 6_900, 10));
    expect(await orderOf(trader, bought)).toMatchObject({ filledQuantity: 10 });
    // Of $2,500 the $100 that were bought are gone.
    expect(await trader.post('/v1/orders', limitOrder('crowd', 'BUY', 241, 10))).toMatchObject({
      body: { error: { code: 'INVESTMENT_LIMIT_EXCEEDED' } },
    });
    await placed(trader, limitOrder('crowd', 'BUY', 240, 10));
    await expectRightLedger();
  });

  test('a Reg CF limit that falls and still covers what open orders hold leaves them alone', async () => {
    await createPair(db, 'THRONG', { asset: { regulation: 'reg_cf' } });
    const trader = await tradingClient(db, { cash: 100_000_00, annualIncome: 700_000_00, netWorth: 700_000_00 });
    const orderId = await placed(trader, limitOrder('throng', 'BUY', 250, 10));
    expect(await change(trader, { annualIncome: 0, netWorth: 0 })).toMatchObject({
      body: { data: { cancelledOrders: [] } },
    });
    expect(await orderOf(trader, orderId)).toMatchObject({ status: 'PENDING' });
  });

  test('a change that takes nothing away leaves open orders alone', async () => {
    const trader = await tradingClient(db, { cash: 1_000_00 });
    const orderId = await placed(trader, limitOrder('free', 'BUY', 1, 10));
    expect(await change(trader, { annualIncome: 120_000.5, netWorth: 1 })).toMatchObject({
      body: { data: { after: { annualIncome: 120_000.5, netWorth: 1 }, cancelledOrders: [] } },
    });
    expect(await orderOf(trader, orderId)).toMatchObject({ status: 'PENDING' });
  });

  test('raises the facts version once per Idempotency-Key, and not when nothing changes', async () => {
    const trader = await tradingClient(db);
    const version = Number(await factsVersionOf(trader));
    const headers = { 'idempotency-key': uuidv7() };
    await change(trader, { annualIncome: 5 }, headers);
    await change(trader, { annualIncome: 5 }, headers);
    await change(trader, { annualIncome: 5 });
    expect(await factsVersionOf(trader)).toBe(version + 1);
  });

  test('is written down with actor, before and after', async () => {
    const trader = await tradingClient(db);
    await change(trader, { usPerson: false });
    const [event] = await db.select().from(domainEvents).where(eq(domainEvents.subject, trader.accountId));
    expect(event?.type).toBe('operator.account_facts');
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({ before: { usPerson: true }, after: { usPerson: false } });
  });

  test('refuses facts that do not exist, and accounts that do not', async () => {
    const trader = await tradingClient(db);
    expect(await change(trader, { kycStatus: 'perhaps' })).toMatchObject({ status: 400 });
    expect(await change(trader, { frozen: true })).toMatchObject({ status: 400 });
    for (const id of ['nobody', 'boundary:fees']) {
      expect(await operator.patch(`/v1/operator/accounts/${id}/facts`, { usPerson: false })).toMatchObject({
        status: 404,
      });
    }
  });
});

describe('POST /v1/operator/accounts/{id}/freeze and /unfreeze', () => {
  test('a frozen account places nothing by token or key, and its open orders are cancelled; unfrozen it trades again', async () => {
    const holder = await createKeyHolder(db, { cash: 1_000_00 });
    const trader = { ...holder, ...(await signedIn(holder)) };
    const orderId = await placed(trader, limitOrder('free', 'BUY', 1, 10));
    const byKey = () =>
      holder.client.post('/v1/orders', { symbol: 'FREE-USD', side: 'buy', type: 'limit', size: 1, price: 10 });
    expect((await byKey()).status).toBe(200);

    const frozen = await operator.post<{ data: { cancelledOrders: string[] } }>(
      `/v1/operator/accounts/${holder.accountId}/freeze`,
      undefined,
    );
    expect(frozen.status).toBe(200);
    expect(frozen.body.data.cancelledOrders).toHaveLength(2);
    expect(frozen.body.data.cancelledOrders).toContain(orderId);
    expect(await orderOf(trader, orderId)).toMatchObject({ status: 'CANCELLED' });
    expect(await trader.post('/v1/orders', limitOrder('free', 'BUY', 1, 10))).toMatchObject({ status: 403 });
    expect((await byKey()).status).toBe(403);

    expect(await operator.post(`/v1/operator/accounts/${holder.accountId}/unfreeze`, undefined)).toMatchObject({
      body: { data: { after: { frozen: false } } },
    });
    expect((await byKey()).status).toBe(200);
    await expectRightLedger();
  });

  test('of another organization is refused', async () => {
    const trader = await tradingClient(db);
    const theirs = await signedIn(await createTrader(db, { roles: ['operator'] }));
    expect(await theirs.post(`/v1/operator/accounts/${trader.accountId}/freeze`, undefined)).toMatchObject({
      status: 403,
    });
    expect(await theirs.patch(`/v1/operator/accounts/${trader.accountId}/facts`, { usPerson: false })).toMatchObject({
      status: 403,
    });
  });
});
