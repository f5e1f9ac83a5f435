import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { forgetFindings } from '../../../../application/accreditation/receive-finding.ts';
import { pollVerifications, requestVerification } from '../../../../application/accreditation/request-verification.ts';
import { expireVerifications } from '../../../../application/operator/accreditation.ts';
import { noteAsked } from '../../../../data/accounts/accreditation-verifications.ts';
import type { Database } from '../../../../data/database.ts';
import {
  accreditationRecords,
  accreditationVerifications,
  verificationEvents,
} from '../../../../data/schema/accounts.ts';
import { domainEvents } from '../../../../data/schema/audit.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { brokenFor } from '../../fixtures/broken-for.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../fixtures/placing.ts';
import { orderOf, tradingClient } from '../../fixtures/trading-client.ts';
import { findingEvent, tellFinding, waitingVerification } from '../../fixtures/verification-provider.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const RICH = { cash: 1_000_00, netWorth: 2_000_000_00 };

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'CLUB', { asset: { accreditationType: '506c', regulation: 'reg_d_506c' } });
});

interface View {
  readonly id: string;
  readonly state: string;
  readonly expiresAt: string | null;
}

const PATH = '/v1/account/accreditation/verifications';

const ask = (client: Client, evidenceKind: string, headers?: Record<string, string>) =>
  client.post<{ data: View }>(PATH, { evidenceKind }, headers);

const listed = async (client: Client) => (await client.get<{ data: View[] }>(PATH)).body.data;

const waiting = (trader: Trader, createdAt?: number, provider?: string) =>
  waitingVerification(db, trader, createdAt, provider);

describe('POST /v1/account/accreditation/verifications', () => {
  test('nobody is accredited, by a third party or their own word, before their identity is verified', async () => {
    const client = await tradingClient(db, { ...RICH, kycStatus: 'pending' });
    const { attestation } = (
      await client.get<{ data: { attestation: { version: string } } }>('/v1/account/accreditation')
    ).body.data;
    const own = { version: attestation.version, certified: true };
    const answers = [await ask(client, 'net_worth'), await client.post('/v1/account/accreditation/attestations', own)];
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 403,
        body: { error: { code: 'FORBIDDEN', details: { kycStatus: 'pending' } } },
      });
    expect(await listed(client)).toEqual([]);
    expect((await client.get('/v1/account')).body).toMatchObject({ data: { accreditationType: null } });
  });

  test('a third party verifies the person, who may buy under 506(c) from then on', async () => {
    const client = await tradingClient(db, RICH);
    expect(await client.post('/v1/orders', limitOrder('club', 'BUY', 1, 10))).toMatchObject({ status: 400 });
    const { status, body } = await ask(client, 'net_worth');
    expect([status, body.data]).toMatchObject([200, { state: 'VERIFIED', reason: null, provider: 'simulated' }]);
    const ends = Date.parse(body.data.expiresAt ?? '');
    expect(Math.abs(ends - Date.now() - 90 * DAY_MS)).toBeLessThan(MINUTE_MS);
    await placed(client, limitOrder('club', 'BUY', 1, 10));
    expect(await client.get('/v1/account/accreditation')).toMatchObject({
      body: { data: { records: [{ id: body.data.id, kind: 'third_party', evidenceKind: 'net_worth' }] } },
    });
    const events = await db.select().from(domainEvents).where(eq(domainEvents.subject, client.accountId));
    expect(events.map(({ payload }) => JSON.parse(payload).actor)).toEqual(['provider:simulated']);
    await expectRightLedger();
  });

  test('an examiner reads what was asked for, and what came of it', async () => {
    const client = await tradingClient(db, { cash: 1_000_00 });
    await ask(client, 'income');
    const auditor = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['auditor'] }));
    const path = `/v1/operator/reports/compliance?user=${client.userId}&section=verification`;
    expect(await auditor.get(path)).toMatchObject({
      body: { data: [{ details: { state: 'REFUSED', reason: 'income_not_proven', provider: 'simulated' } }] },
    });
  });

  test('one that finds nothing proven refuses, and nothing changes', async () => {
    const client = await tradingClient(db, { cash: 1_000_00 });
    expect(await ask(client, 'income')).toMatchObject({
      status: 200,
      body: { data: { state: 'REFUSED', reason: 'income_not_proven', expiresAt: null } },
    });
    expect(await client.get('/v1/account')).toMatchObject({ body: { data: { accreditationStatus: 'none' } } });
    expect(await listed(client)).toMatchObject([{ state: 'REFUSED' }]);
  });

  test('a request that is sent again is one', async () => {
    const client = await tradingClient(db, RICH);
    const key = { 'idempotency-key': uuidv7() };
    const answers = [await ask(client, 'net_worth', key), await ask(client, 'net_worth', key)];
    expect(answers[1]?.body.data).toEqual(answers[0]?.body.data);
    expect(await listed(client)).toHaveLength(1);
  });

  test('one at a time, and ten within 30 days', async () => {
    const client = await tradingClient(db, { cash: 1_000_00 });
    const open = await waiting(client);
    expect(await ask(client, 'income')).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'open_request' } } },
    });
    await db
      .update(accreditationVerifications)
      .set({ state: 'REFUSED', applied: true })
      .where(eq(accreditationVerifications.id, open));
    for (let request = 2; request <= 10; request++) expect(await ask(client, 'income')).toMatchObject({ status: 200 });
    expect(await ask(client, 'income')).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'too_many' } } },
    });
  });

  test('nobody else sees it, and what it asks for must be evidence', async () => {
    const client = await tradingClient(db, RICH);
    await ask(client, 'net_worth');
    expect(await listed(await tradingClient(db))).toEqual([]);
    expect(await ask(client, 'a good word')).toMatchObject({ status: 400 });
  });

  test('a machine does not ask in the name of a person', async () => {
    const client = await tradingClient(db, RICH);
    const machine = await signedIn(client, { gty: 'client_credentials' });
    expect(await ask(machine, 'net_worth')).toMatchObject({ status: 403 });
    expect(await listed(client)).toEqual([]);
  });

  test.each([
    ['where nobody verifies, it says so', { VERIFICATION_PROVIDER: '' }],
    ['nothing simulated counts in production', { ENVIRONMENT: 'production' }],
  ] as const)('%s', async (_, vars) => {
    const { accountId: account, owner, userId } = await tradingClient(db);
    const action = { id: uuidv7(), actor: userId, requestId: 'a test' };
    const asked = await requestVerification(
      { ...env, ...vars } as Env,
      { account, owner, evidenceKind: 'income' },
      action,
    );
    expect(asked).toMatchObject({ ok: false, error: { code: 'SERVICE_UNAVAILABLE' } });
  });
});

describe('every five minutes', () => {
  test('the provider is asked again about what it has not answered', async () => {
    const client = await tradingClient(db, RICH);
    await waiting(client);
    await pollVerifications(env, Date.now());
    expect(await listed(client)).toMatchObject([{ state: 'REQUESTED' }]);
    await pollVerifications(env, Date.now() + 5 * MINUTE_MS);
    expect(await listed(client)).toMatchObject([{ state: 'VERIFIED' }]);
    expect(await client.get('/v1/account')).toMatchObject({ body: { data: { accreditationType: '506c' } } });
  });

  test('one whose step throws keeps back nobody behind, and the run says for how many it failed', async () => {
    const [one, other, behind] = [
      await tradingClient(db, RICH),
      await tradingClient(db, RICH),
      await tradingClient(db, RICH),
    ];
    const now = Date.now();
    const broken = [await waiting(one, now - 3), await waiting(other, now - 2)];
    await waiting(behind, now - 1);
    const failure = await pollVerifications(brokenFor(broken), now + 5 * MINUTE_MS).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: 'a verification was not carried on: 2 failed' });
    expect(await listed(behind)).toMatchObject([{ state: 'VERIFIED' }]);
    expect(await listed(one)).toMatchObject([{ state: 'REQUESTED' }]);
    await pollVerifications(env, now + 5 * MINUTE_MS);
    expect(await listed(one)).toMatchObject([{ state: 'VERIFIED' }]);
  });

  test('an end that cannot be carried out keeps back no other', async () => {
    const clients = [await tradingClient(db, RICH), await tradingClient(db, RICH), await tradingClient(db, RICH)];
    for (const client of clients) {
      const { body } = await ask(client, 'net_worth');
      const past = { expiresAt: Date.now() - 1 };
      await db.update(accreditationRecords).set(past).where(eq(accreditationRecords.id, body.data.id));
      await db.update(accreditationVerifications).set(past).where(eq(accreditationVerifications.id, body.data.id));
    }
    const broken = clients.slice(0, 2).map(({ accountId }) => accountId);
    const failure = await expireVerifications(brokenFor(broken)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: 'an expired verification was not applied: 2 failed' });
    const standing = async () => {
      const read = await Promise.all(clients.map((client) => client.get<{ data: object }>('/v1/account')));
      return read.map(({ body }) => (body.data as { accreditationStatus: string }).accreditationStatus);
    };
    expect(await standing()).toEqual(['completed', 'completed', 'expired']);
    await expireVerifications(env);
    expect(await standing()).toEqual(['expired', 'expired', 'expired']);
  });

  test('no provider is asked about a request that was made to another; it expires as any', async () => {
    const client = await tradingClient(db, RICH);
    const asked = Date.now();
    const id = await waiting(client, asked, 'http');
    await pollVerifications(env, asked + 5 * MINUTE_MS);
    const [row] = await db.select().from(accreditationVerifications).where(eq(accreditationVerifications.id, id));
    expect(row).toMatchObject({ state: 'REQUESTED', reference: null });
    await pollVerifications(env, asked + 30 * DAY_MS);
    expect(await listed(client)).toMatchObject([{ state: 'EXPIRED', reason: 'no_answer' }]);
  });

  test('a request without an answer for 30 days expires', async () => {
    const client = await tradingClient(db, RICH);
    await waiting(client, Date.now() - 30 * DAY_MS);
    await pollVerifications(env, Date.now());
    expect(await listed(client)).toMatchObject([{ state: 'EXPIRED', reason: 'no_answer' }]);
  });

  test('a verification that has expired ends the accreditation and cancels the open orders that need it', async () => {
    const client = await tradingClient(db, RICH);
    const { body } = await ask(client, 'net_worth');
    const open = await placed(client, limitOrder('club', 'BUY', 1, 10));
    const past = { expiresAt: Date.now() - 1 };
    await db.update(accreditationRecords).set(past).where(eq(accreditationRecords.id, body.data.id));
    await db.update(accreditationVerifications).set(past).where(eq(accreditationVerifications.id, body.data.id));
    expect(await orderOf(client, open)).toMatchObject({ status: 'PENDING' });
    await expireVerifications(env);
    expect(await orderOf(client, open)).toMatchObject({ status: 'CANCELLED' });
    expect(await listed(client)).toMatchObject([{ state: 'EXPIRED' }]);
  });
});

describe('POST /v1/webhooks/accreditation', () => {
  test('what the provider tells decides the request, once', async () => {
    const client = await tradingClient(db, { cash: 1_000_00 });
    const event = findingEvent(await waiting(client));
    expect(await tellFinding(event)).toMatchObject({ status: 200 });
    expect(await listed(client)).toMatchObject([{ state: 'VERIFIED' }]);
    await placed(client, limitOrder('club', 'BUY', 1, 10));
    expect(await tellFinding(event)).toMatchObject({ status: 200 });
    const records = await db
      .select()
      .from(accreditationRecords)
      .where(eq(accreditationRecords.account, client.accountId));
    expect(records).toMatchObject([
      { verifier: 'Quill & Partners LLP', evidence: 'their vault', actor: 'provider:simulated' },
    ]);
  });

  test('a later finding changes nothing that is decided', async () => {
    const client = await tradingClient(db);
    const id = await waiting(client);
    expect(await tellFinding(findingEvent(id, { status: 'refused', reason: 'papers_missing' }))).toMatchObject({
      status: 200,
    });
    expect(await tellFinding(findingEvent(id))).toMatchObject({ status: 200 });
    expect(await listed(client)).toMatchObject([{ state: 'REFUSED', reason: 'papers_missing' }]);
    expect(await client.get('/v1/account')).toMatchObject({ body: { data: { accreditationStatus: 'none' } } });
  });

  test('a verification that is too old by the rule is refused, whoever tells it', async () => {
    const client = await tradingClient(db);
    const event = findingEvent(await waiting(client), {
      verifiedAt: new Date(Date.now() - 100 * DAY_MS).toISOString(),
    });
    expect(await tellFinding(event)).toMatchObject({ status: 200 });
    expect(await listed(client)).toMatchObject([{ state: 'REFUSED', reason: 'too_old' }]);
  });

  test('one event in two ways is a conflict', async () => {
    const id = await waiting(await tradingClient(db));
    const event = findingEvent(id, { status: 'pending' });
    expect(await tellFinding(event)).toMatchObject({ status: 200 });
    expect(await tellFinding({ ...findingEvent(id), id: event.id })).toMatchObject({ status: 409 });
  });

  test('what is not signed as agreed is 401 and read by nobody', async () => {
    const client = await tradingClient(db);
    const event = findingEvent(await waiting(client));
    const wrong = `whsec_${btoa('another secret that is not in use')}`;
    expect(await tellFinding(event, { secret: wrong })).toMatchObject({ status: 401 });
    expect(await tellFinding(event, { at: Date.now() - 6 * MINUTE_MS })).toMatchObject({ status: 401 });
    expect(await tellFinding(event, { at: Date.now() + 6 * MINUTE_MS })).toMatchObject({ status: 401 });
    expect(await tellFinding(event, { sent: JSON.stringify({ ...event, extra: 1 }) })).toMatchObject({ status: 401 });
    expect(await listed(client)).toMatchObject([{ state: 'REQUESTED' }]);
  });

  test('a request that was never made is 404; what cannot be read, or names another event than its header, 400', async () => {
    const client = await tradingClient(db);
    const id = await waiting(client);
    expect(await tellFinding(findingEvent(uuidv7()))).toMatchObject({ status: 404 });
    expect(await tellFinding(findingEvent(id, { status: 'perhaps' }))).toMatchObject({ status: 400 });
    expect(await tellFinding({ ...findingEvent(id), type: 'another' } as never)).toMatchObject({ status: 400 });
    expect(await tellFinding(findingEvent(id), { id: 'event-of-another-id' })).toMatchObject({ status: 400 });
    expect(await listed(client)).toMatchObject([{ state: 'REQUESTED' }]);
  });

  test('what was found of another request of the provider does not decide this one', async () => {
    const client = await tradingClient(db);
    const id = await waiting(client);
    await noteAsked(db, id, Date.now(), 'theirs-1');
    expect(await tellFinding(findingEvent(id, { id: 'theirs-2' }))).toMatchObject({ status: 404 });
    expect(await listed(client)).toMatchObject([{ state: 'REQUESTED' }]);
    expect(await tellFinding(findingEvent(id))).toMatchObject({ status: 200 });
    expect(await listed(client)).toMatchObject([{ state: 'VERIFIED' }]);
  });

  test('what a provider tells of a request that was made to another is 404, and neither grants nor takes anything', async () => {
    const client = await tradingClient(db, RICH);
    const id = await waiting(client, Date.now(), 'http');
    expect(await tellFinding(findingEvent(id))).toMatchObject({ status: 404 });
    const [row] = await db.select().from(accreditationVerifications).where(eq(accreditationVerifications.id, id));
    expect(row).toMatchObject({ state: 'REQUESTED', reference: null });
    const { body } = await ask(await tradingClient(db, RICH), 'net_worth');
    const { id: granted } = body.data;
    const ofIt = eq(accreditationVerifications.id, granted);
    await db.update(accreditationVerifications).set({ provider: 'http' }).where(ofIt);
    const takenBack = { id: `simulated-${granted}`, status: 'refused', reason: 'papers_missing' };
    expect(await tellFinding(findingEvent(granted, takenBack))).toMatchObject({ status: 404 });
    await db.update(accreditationVerifications).set({ provider: 'simulated' }).where(ofIt);
    expect(await tellFinding(findingEvent(granted, takenBack))).toMatchObject({ status: 200 });
    expect(await db.select().from(accreditationVerifications).where(ofIt)).toMatchObject([{ state: 'REVOKED' }]);
  });

  test('events are forgotten after 30 days', async () => {
    const event = findingEvent(await waiting(await tradingClient(db)));
    await tellFinding(event);
    const kept = () => db.select().from(verificationEvents).where(eq(verificationEvents.id, event.id));
    await forgetFindings(env, Date.now() + 29 * DAY_MS);
    expect(await kept()).toHaveLength(1);
    await forgetFindings(env, Date.now() + 31 * DAY_MS);
    expect(await kept()).toEqual([]);
  });
});
