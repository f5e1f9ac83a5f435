import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { expireVerifications } from '../../../../../application/operator/accreditation.ts';
import { endAccreditationOf } from '../../../../../data/accounts/accreditation-ends.ts';
import type { Database } from '../../../../../data/database.ts';
import { accreditationRecords } from '../../../../../data/schema/accounts.ts';
import { domainEvents } from '../../../../../data/schema/audit.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../../fixtures/placing.ts';
import { skipTime } from '../../../fixtures/skip-time.ts';
import { orderOf, type TradingClient, tradingClient } from '../../../fixtures/trading-client.ts';

const DAY_MS = 86_400_000;

let db: Database;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'CLUB', { asset: { accreditationType: '506c', regulation: 'reg_d_506c' } });
  await createPair(db, 'CIRCLE', { asset: { accreditationType: '506b', regulation: 'reg_d_506b' } });
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

const verify = ({ accountId }: TradingClient, terms: Record<string, unknown> = {}, headers?: Record<string, string>) =>
  operator.post<{ data: { after: unknown; cancelledOrders: string[] } }>(
    `/v1/operator/accounts/${accountId}/verifications`,
    {
      verifier: 'Quill & Partners LLP',
      evidence: 'vault/2026/0815',
      verifiedAt: inDays(-10),
      expiresAt: inDays(80),
      ...terms,
    },
    headers,
  );

async function attest(client: Client, version?: string) {
  const { body } = await client.get<{ data: { attestation: { version: string; text: string } } }>(
    '/v1/account/accreditation',
  );
  return client.post('/v1/account/accreditation/attestations', {
    version: version ?? body.data.attestation.version,
    certified: true,
  });
}

describe('506(c): POST /v1/operator/accounts/{id}/verifications', () => {
  test('a verification by a third party is a record of its own, and makes the account accredited', async () => {
    const trader = await tradingClient(db, { cash: 1_000_00 });
    const key = { 'idempotency-key': uuidv7() };
    expect(await verify(trader, {}, key)).toMatchObject({
      status: 200,
      body: { data: { after: { accreditationStatus: 'completed', accreditationType: '506c' } } },
    });
    await verify(trader, {}, key);
    const shown = await operator.get<{ data: { records: unknown[] } }>(
      `/v1/operator/accounts/${trader.accountId}/accreditation`,
    );
    expect(shown.body.data.records).toMatchObject([
      { kind: 'third_party', verifier: 'Quill & Partners LLP', evidence: 'vault/2026/0815', endedAt: null },
    ]);
    expect(await trader.post('/v1/orders', limitOrder('club', 'BUY', 1, 10))).toMatchObject({ status: 200 });
    const events = await db.select().from(domainEvents).where(eq(domainEvents.subject, trader.accountId));
    expect(events).toHaveLength(1);
  });

  test.each([
    ['of the future', { verifiedAt: inDays(1) }, 'in_the_future'],
    ['older than three months', { verifiedAt: inDays(-100) }, 'too_old'],
    ['expired', { expiresAt: inDays(-1) }, 'expired'],
    ['for more than five years', { expiresAt: inDays(1_900) }, 'valid_too_long'],
  ])('one that is %s is refused', async (_, terms, reason) => {
    const trader = await tradingClient(db);
    expect(await verify(trader, terms)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { reason } } },
    });
    expect(
      await db.select().from(accreditationRecords).where(eq(accreditationRecords.account, trader.accountId)),
    ).toEqual([]);
  });

  test('an operator sets no accreditation by a label', async () => {
    const trader = await tradingClient(db);
    const labels = { accreditationStatus: 'completed', accreditationType: '506c' };
    expect(await operator.patch(`/v1/operator/accounts/${trader.accountId}/facts`, labels)).toMatchObject({
      status: 400,
    });
    const person = { owner: trader.owner, name: 'Somebody', email: 'some@example.com', facts: labels };
    expect(await operator.post('/v1/operator/users', person)).toMatchObject({ status: 400 });
    expect(await verify({ ...trader, accountId: 'nobody' })).toMatchObject({ status: 404 });
  });

  test('one that expires ends the accreditation and cancels open orders; a newer one keeps both', async () => {
    const [expiring, renewed] = [
      await tradingClient(db, { cash: 1_000_00 }),
      await tradingClient(db, { cash: 1_000_00 }),
    ];
    await verify(expiring, { expiresAt: inDays(5) });
    await verify(renewed, { expiresAt: inDays(5) });
    await verify(renewed, { verifiedAt: inDays(-1), expiresAt: inDays(300) });
    const [open, kept] = [
      await placed(expiring, limitOrder('club', 'BUY', 1, 10)),
      await placed(renewed, limitOrder('club', 'BUY', 1, 10)),
    ];
    await expireVerifications(env, Date.now() + 4 * DAY_MS);
    expect(await orderOf(expiring, open)).toMatchObject({ status: 'PENDING' });

    await db
      .update(accreditationRecords)
      .set({ expiresAt: Date.now() - 1 })
      .where(eq(accreditationRecords.expiresAt, Math.min(...(await expiriesOf(expiring)))));
    await db
      .update(accreditationRecords)
      .set({ expiresAt: Date.now() - 1 })
      .where(eq(accreditationRecords.expiresAt, Math.min(...(await expiriesOf(renewed)))));
    await expireVerifications(env);
    expect(await orderOf(expiring, open)).toMatchObject({ status: 'CANCELLED' });
    expect(await expiring.get('/v1/account')).toMatchObject({ body: { data: { accreditationStatus: 'expired' } } });
    expect(await expiring.post('/v1/orders', limitOrder('club', 'BUY', 1, 10))).toMatchObject({
      body: { error: { code: 'ACCREDITATION_REQUIRED' } },
    });
    expect(await orderOf(renewed, kept)).toMatchObject({ status: 'PENDING' });
    await expectRightLedger();
  });
});

async function expiriesOf({ accountId }: TradingClient): Promise<number[]> {
  const rows = await db.select().from(accreditationRecords).where(eq(accreditationRecords.account, accountId));
  return rows.map(({ expiresAt }) => Number(expiresAt));
}

describe('506(b): POST /v1/account/accreditation/attestations', () => {
  test("is the person's own statement, kept with text, version and time", async () => {
    const trader = await tradingClient(db, { cash: 1_000_00 });
    expect(await trader.post('/v1/orders', limitOrder('circle', 'BUY', 1, 10))).toMatchObject({ status: 400 });
    expect(await attest(trader)).toMatchObject({
      status: 200,
      body: { data: { accreditationStatus: 'completed', accreditationType: '506b' } },
    });
    const [record] = await db
      .select()
      .from(accreditationRecords)
      .where(eq(accreditationRecords.account, trader.accountId));
    expect(record).toMatchObject({ kind: 'self_attestation', actor: trader.userId, textVersion: expect.any(String) });
    expect(record?.text).toContain('accredited investor');
    expect(Math.abs(Number(record?.at) - Date.now())).toBeLessThan(60_000);
    expect(await trader.post('/v1/orders', limitOrder('circle', 'BUY', 1, 10))).toMatchObject({ status: 200 });
    expect(await trader.post('/v1/orders', limitOrder('club', 'BUY', 1, 10))).toMatchObject({
      body: { error: { code: 'ACCREDITATION_REQUIRED' } },
    });
  });

  test('T-04: is one record a day, however often it is given', async () => {
    const trader = await tradingClient(db);
    const recordsOf = () =>
      db.select().from(accreditationRecords).where(eq(accreditationRecords.account, trader.accountId));
    for (let times = 0; times < 3; times++)
      expect(await attest(trader)).toMatchObject({ status: 200, body: { data: { accreditationType: '506b' } } });
    expect(await recordsOf()).toHaveLength(1);
    await db
      .update(accreditationRecords)
      .set({ createdAt: Date.now() - 2 * 86_400_000 })
      .where(eq(accreditationRecords.account, trader.accountId));
    expect((await attest(trader)).status).toBe(200);
    expect(await recordsOf()).toHaveLength(2);
  });

  test('needs the current text, and the word of the person', async () => {
    const trader = await tradingClient(db);
    expect(await attest(trader, '1999-1')).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect(
      await trader.post('/v1/account/accreditation/attestations', { version: '2026-1', certified: false }),
    ).toMatchObject({ status: 400 });
    const machine = await signedIn(trader, { gty: 'client_credentials' });
    expect(await attest(machine)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect(await trader.get('/v1/account')).toMatchObject({ body: { data: { accreditationStatus: 'none' } } });
  });

  test('stands where a verification has ended, until an operator ends both with a reason', async () => {
    const trader = await tradingClient(db, { cash: 1_000_00 });
    await attest(trader);
    await verify(trader);
    expect(await trader.get('/v1/account')).toMatchObject({ body: { data: { accreditationType: '506c' } } });
    const open = await placed(trader, limitOrder('club', 'BUY', 1, 10));
    const end = await operator.post(`/v1/operator/accounts/${trader.accountId}/accreditation/end`, {
      reason: 'the income was not as stated',
    });
    expect(end).toMatchObject({
      body: { data: { after: { accreditationStatus: 'none', accreditationType: null }, cancelledOrders: [open] } },
    });
    const { body } = await trader.get<{ data: { records: unknown[] } }>('/v1/account/accreditation');
    expect(body.data.records).toMatchObject([
      { kind: 'third_party', endedReason: 'the income was not as stated' },
      { kind: 'self_attestation', endedReason: 'the income was not as stated' },
    ]);
  });
});

describe('by the clock, before any job has run', () => {
  const buy = async (trader: TradingClient, asset: 'club' | 'circle') => {
    const { status, body } = await trader.post<{ error?: { code: string } }>(
      '/v1/orders',
      limitOrder(asset, 'BUY', 1, 10),
    );
    return body.error?.code ?? status;
  };

  test('a verification counts until its end; what the person has certified, or a later one, goes on', async () => {
    const [verified, certified, renewed] = [
      await tradingClient(db, { cash: 1_000_00 }),
      await tradingClient(db, { cash: 1_000_00 }),
      await tradingClient(db, { cash: 1_000_00 }),
    ];
    await attest(certified);
    const inAMinute = { expiresAt: new Date(Date.now() + 60_000).toISOString() };
    for (const trader of [verified, certified, renewed]) {
      expect((await verify(trader, inAMinute)).status).toBe(200);
      expect(await buy(trader, 'club')).toBe(200);
    }
    skipTime(59_000);
    // The Gate reads a user's facts anew after a minute: this is what it holds when the end comes.
    expect(await buy(verified, 'club')).toBe(200);
    expect((await verify(renewed, { expiresAt: inDays(80) })).status).toBe(200);
    skipTime(1_001);
    expect(await buy(verified, 'club')).toBe('ACCREDITATION_REQUIRED');
    expect(await buy(verified, 'circle')).toBe('ACCREDITATION_REQUIRED');
    expect([await buy(certified, 'club'), await buy(certified, 'circle')]).toEqual(['ACCREDITATION_REQUIRED', 200]);
    expect([await buy(renewed, 'club'), await buy(renewed, 'circle')]).toEqual([200, 200]);
  });

  test('what an operator has ended counts for nothing where its facts could not follow', async () => {
    const [verified, certified] = [
      await tradingClient(db, { cash: 1_000_00 }),
      await tradingClient(db, { cash: 1_000_00 }),
    ];
    for (const trader of [verified, certified]) await attest(trader);
    await verify(verified);
    for (const { accountId: account } of [verified, certified]) {
      const end = { id: uuidv7(), account, reason: 'not as stated', actor: 'u', createdAt: Date.now() };
      await endAccreditationOf(db, end);
    }
    skipTime(60_001);
    const answers = [await buy(verified, 'club'), await buy(verified, 'circle'), await buy(certified, 'circle')];
    expect(answers).toEqual(answers.map(() => 'ACCREDITATION_REQUIRED'));
  });
});
