import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { pollVerifications } from '../../../../application/accreditation/request-verification.ts';
import { applyEnds, applyRecords, endAccreditation } from '../../../../application/operator/accreditation.ts';
import { applyFacts } from '../../../../application/operator/apply-facts.ts';
import { endAccreditationOf } from '../../../../data/accounts/accreditation-ends.ts';
import { listAccreditationRecords } from '../../../../data/accounts/accreditation-records.ts';
import { findVerification } from '../../../../data/accounts/accreditation-verifications.ts';
import {
  grantVerification,
  shortenVerification,
  takeBackVerification,
} from '../../../../data/accounts/decide-verification.ts';
import type { Database } from '../../../../data/database.ts';
import { domainEvents } from '../../../../data/schema/audit.ts';
import { accreditationOf } from '../../../../domain/accreditation/accreditation-record.ts';
import { ATTESTATION } from '../../../../domain/accreditation/attestation-text.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { limitOrder, placed } from '../../fixtures/placing.ts';
import { orderOf, type TradingClient, tradingClient } from '../../fixtures/trading-client.ts';
import { findingEvent, tellFinding, waitingVerification } from '../../fixtures/verification-provider.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const RICH = { cash: 1_000_00, netWorth: 2_000_000_00 };
const PATH = '/v1/account/accreditation/verifications';
const REVIEWS = '/v1/operator/accreditation-verifications';

let db: Database;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'CLUB', { asset: { accreditationType: '506c', regulation: 'reg_d_506c' } });
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

interface View {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly expiresAt: string;
}

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const ask = (client: Client, headers?: Record<string, string>) =>
  client.post<{ data: View }>(PATH, { evidenceKind: 'net_worth' }, headers);
const listed = async (client: Client) => (await client.get<{ data: View[] }>(PATH)).body.data;
const requestOf = async (id: string) => {
  const request = await findVerification(db, id);
  if (request === null) throw new Error('it was asked for');
  return request;
};
const recordsOf = ({ accountId }: Trader) => listAccreditationRecords(db, accountId);
const attest = (client: Client) =>
  client.post('/v1/account/accreditation/attestations', { version: ATTESTATION.version, certified: true });
const end = ({ accountId }: Trader, reason = 'the papers were forged') =>
  operator.post(`/v1/operator/accounts/${accountId}/accreditation/end`, { reason });
const standingOf = async (client: Client) => {
  const { body } = await client.get<{ data: Record<string, unknown> }>('/v1/account');
  return [body.data.accreditationStatus, body.data.accreditationType];
};
const eventsOf = async ({ accountId }: Trader) => {
  const rows = await db.select().from(domainEvents).where(eq(domainEvents.subject, accountId));
  return rows
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ type, payload }) => ({ type, ...(JSON.parse(payload) as { actor: string; details: object }) }));
};

/** Somebody whom their provider has verified by its callback. */
async function verified(): Promise<{ readonly client: TradingClient; readonly id: string }> {
  const client = await tradingClient(db, { cash: 1_000_00 });
  const id = await waitingVerification(db, client);
  expect(await tellFinding(findingEvent(id))).toMatchObject({ status: 200 });
  expect(await standingOf(client)).toEqual(['completed', '506c']);
  return { client, id };
}

describe('a finding after the first', () => {
  test('that takes the verification back ends the accreditation and what is open by it, with its history', async () => {
    const { client, id } = await verified();
    const open = await placed(client, limitOrder('club', 'BUY', 1, 10));
    const event = findingEvent(id, { status: 'refused', reason: 'the letter was forged' });
    expect(await tellFinding(event)).toMatchObject({ status: 200 });
    expect(await listed(client)).toMatchObject([
      { id, state: 'REVOKED', reason: 'the letter was forged', endedAt: expect.any(String) },
    ]);
    expect(await standingOf(client)).toEqual(['none', null]);
    expect(await orderOf(client, open)).toMatchObject({ status: 'CANCELLED' });
    expect(await client.post('/v1/orders', limitOrder('club', 'BUY', 1, 10))).toMatchObject({
      body: { error: { code: 'ACCREDITATION_REQUIRED' } },
    });
    expect(await tellFinding(event)).toMatchObject({ status: 200 });
    expect(await recordsOf(client)).toMatchObject([
      { id, expiresAt: expect.any(Number), endedBy: 'provider:simulated', endedReason: 'the letter was forged' },
    ]);
    expect(await eventsOf(client)).toMatchObject([
      { type: 'operator.account_facts', actor: 'provider:simulated' },
      {
        type: 'operator.account_facts',
        actor: 'provider:simulated',
        details: { reason: 'the letter was forged' },
        before: { accreditationType: '506c' },
        after: { accreditationType: null },
      },
    ]);
    await expectRightLedger();
  });

  test('that ends earlier shortens the accreditation; one that is over by then ends it', async () => {
    const { client, id } = await verified();
    const open = await placed(client, limitOrder('club', 'BUY', 1, 10));
    const sooner = inDays(10);
    expect(await tellFinding(findingEvent(id, { expiresAt: sooner }))).toMatchObject({ status: 200 });
    expect(await listed(client)).toMatchObject([{ state: 'VERIFIED', expiresAt: sooner }]);
    expect(await recordsOf(client)).toMatchObject([
      { verification: id, expiresAt: Date.parse(sooner), endedAt: null, evidence: 'their vault' },
      { id, endedBy: 'provider:simulated', endedReason: 'shortened' },
    ]);
    expect(await orderOf(client, open)).toMatchObject({ status: 'PENDING' });
    expect(await eventsOf(client)).toHaveLength(2);

    const past = new Date(Date.now() - 1).toISOString();
    expect(await tellFinding(findingEvent(id, { expiresAt: past }))).toMatchObject({ status: 200 });
    expect(await listed(client)).toMatchObject([{ state: 'EXPIRED' }]);
    expect(await standingOf(client)).toEqual(['expired', '506c']);
    expect(await orderOf(client, open)).toMatchObject({ status: 'CANCELLED' });
    await expectRightLedger();
  });

  test('that is longer, open again, or of what has ended changes nothing', async () => {
    const { client, id } = await verified();
    const sooner = inDays(10);
    await tellFinding(findingEvent(id, { expiresAt: sooner }));
    for (const terms of [{ expiresAt: inDays(40) }, {}, { status: 'pending' }])
      expect(await tellFinding(findingEvent(id, terms))).toMatchObject({ status: 200 });
    expect(await listed(client)).toMatchObject([{ state: 'VERIFIED', expiresAt: sooner }]);
    expect(await recordsOf(client)).toHaveLength(2);
    await tellFinding(findingEvent(id, { status: 'refused', reason: 'no' }));
    expect(await tellFinding(findingEvent(id))).toMatchObject({ status: 200 });
    expect(await listed(client)).toMatchObject([{ state: 'REVOKED' }]);
    expect(await standingOf(client)).toEqual(['none', null]);
  });

  test('of another of the provider’s verifications is not heard', async () => {
    const { client, id } = await verified();
    expect(await tellFinding(findingEvent(id, { id: 'theirs-2', status: 'refused' }))).toMatchObject({ status: 404 });
    expect(await standingOf(client)).toEqual(['completed', '506c']);
  });

  test('leaves other accreditation of the person alone', async () => {
    const { client, id } = await verified();
    await attest(client);
    await tellFinding(findingEvent(id, { status: 'refused', reason: 'no' }));
    expect(await standingOf(client)).toEqual(['completed', '506b']);
  });

  test('that a crash has cut short is made good by the next run', async () => {
    const { client, id } = await verified();
    const open = await placed(client, limitOrder('club', 'BUY', 1, 10));
    await takeBackVerification(db, await requestOf(id), 'no', Date.now());
    expect(await orderOf(client, open)).toMatchObject({ status: 'PENDING' });
    await pollVerifications(env, Date.now() + 5 * MINUTE_MS);
    expect(await standingOf(client)).toEqual(['none', null]);
    expect(await orderOf(client, open)).toMatchObject({ status: 'CANCELLED' });
    expect(await requestOf(id)).toMatchObject({ state: 'REVOKED', applied: true });
  });
});

describe('two findings that contradict each other at the same moment', () => {
  test.each([1, 2, 3])('leave none accredited where one of them says no (%i)', async () => {
    const client = await tradingClient(db, { cash: 1_000_00 });
    const id = await waitingVerification(db, client);
    const events = [findingEvent(id), findingEvent(id, { status: 'refused', reason: 'no' }), findingEvent(id)];
    const answers = await Promise.all(events.map((event) => tellFinding(event)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [request] = await listed(client);
    expect(['REFUSED', 'REVOKED']).toContain(request?.state);
    expect((await recordsOf(client)).filter(({ endedAt }) => endedAt === null)).toEqual([]);
    expect(await standingOf(client)).toEqual(['none', null]);
  });

  test('leave the earlier end, whichever is written first', async () => {
    const client = await tradingClient(db);
    const [sooner, later] = [inDays(10), inDays(40)];
    const id = await waitingVerification(db, client);
    await Promise.all([later, sooner, later].map((expiresAt) => tellFinding(findingEvent(id, { expiresAt }))));
    expect(await listed(client)).toMatchObject([{ state: 'VERIFIED', expiresAt: sooner }]);
    const open = (await recordsOf(client)).filter(({ endedAt }) => endedAt === null);
    expect(open).toMatchObject([{ expiresAt: Date.parse(sooner) }]);
  });

  test('each statement asks for the state that it finds', async () => {
    const client = await tradingClient(db);
    const request = await requestOf(await waitingVerification(db, client));
    const now = Date.now();
    const terms = { verifier: 'a firm', evidence: 'a vault', verifiedAt: now, expiresAt: now + 10 * DAY_MS };
    await takeBackVerification(db, request, 'no', now);
    await grantVerification(db, request, terms, now);
    await shortenVerification(db, request, terms, now);
    expect(await requestOf(request.id)).toMatchObject({ state: 'REFUSED', expiresAt: null });
    expect(await recordsOf(client)).toEqual([]);
  });

  test('facts that were worked out from records of before are worked out anew', async () => {
    const client = await tradingClient(db);
    await attest(client);
    const action = () => ({ id: uuidv7(), actor: 'somebody', requestId: 'a test' });
    const { accountId } = client;
    // As a crash leaves it: the record is there, and the facts are those of before.
    await applyFacts(env, accountId, { accreditationStatus: 'none', accreditationType: null }, action());
    let readings = 0;
    const factsOfRecords = async () => {
      const facts = accreditationOf(await recordsOf(client), Date.now());
      readings += 1;
      if (readings === 1) await endAccreditation(env, accountId, 'no', action());
      return facts;
    };
    expect(await applyFacts(env, accountId, factsOfRecords, action())).toMatchObject({ ok: true });
    expect(readings).toBe(2);
    expect(await standingOf(client)).toEqual(['none', null]);
  });
});

describe('after an operator has ended an accreditation', () => {
  test('its request is REVOKED, and neither another one nor their own word brings it back', async () => {
    const client = await tradingClient(db, RICH);
    await ask(client);
    expect(await standingOf(client)).toEqual(['completed', '506c']);
    expect(await end(client)).toMatchObject({ status: 200 });
    expect(await listed(client)).toMatchObject([{ state: 'REVOKED', reason: 'the papers were forged' }]);

    const { body } = await ask(client);
    expect(body.data).toMatchObject({ state: 'IN_REVIEW', reason: null, expiresAt: null });
    expect(await tellFinding(findingEvent(body.data.id))).toMatchObject({ status: 200 });
    await pollVerifications(env, Date.now() + 5 * MINUTE_MS);
    expect((await listed(client))[0]).toMatchObject({ id: body.data.id, state: 'IN_REVIEW' });
    expect(await ask(client)).toMatchObject({ status: 409, body: { error: { details: { reason: 'open_request' } } } });
    expect(await attest(client)).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', details: { reason: 'ended_by_operator' } } },
    });
    expect(await client.get('/v1/account/accreditation')).toMatchObject({
      body: { data: { endedByOperator: { at: expect.any(String), reason: 'the papers were forged' } } },
    });
    expect(await standingOf(client)).toEqual(['none', null]);
    expect((await eventsOf(client)).at(-1)).toMatchObject({ details: { reason: 'the papers were forged' } });
  });

  test('an operator allows a request, which goes to its provider then, as later ones do', async () => {
    const client = await tradingClient(db, RICH);
    await end(client);
    const { id } = (await ask(client)).body.data;
    const waiting = await operator.get<{ data: View[] }>(`${REVIEWS}?state=IN_REVIEW&accountId=${client.accountId}`);
    expect(waiting.body.data).toMatchObject([{ id, accountId: client.accountId, requestedBy: client.userId }]);
    const key = { 'idempotency-key': uuidv7() };
    const reason = { reason: 'the papers are in order now' };
    for (let sent = 0; sent < 2; sent++)
      expect(await operator.post(`${REVIEWS}/${id}/allow`, reason, key)).toMatchObject({
        status: 200,
        body: { data: { id, state: 'VERIFIED', allowedAt: expect.any(String) } },
      });
    expect(await standingOf(client)).toEqual(['completed', '506c']);
    expect(await client.get('/v1/account/accreditation')).toMatchObject({ body: { data: { endedByOperator: null } } });
    expect(await attest(client)).toMatchObject({ status: 200 });
    expect((await ask(client)).body.data).toMatchObject({ state: 'VERIFIED' });
    const decisions = (await eventsOf(client)).filter(({ type }) => type === 'operator.verification_allowed');
    expect(decisions).toMatchObject([
      {
        actor: expect.any(String),
        details: { verification: id, ...reason },
        before: { state: 'IN_REVIEW' },
        after: { state: 'REQUESTED' },
      },
    ]);
  });

  test('an operator refuses a request, and the next one waits again', async () => {
    const client = await tradingClient(db, RICH);
    await end(client);
    const { id } = (await ask(client)).body.data;
    const reason = { reason: 'nothing new' };
    expect(await operator.post(`${REVIEWS}/${id}/refuse`, reason)).toMatchObject({
      status: 200,
      body: { data: { state: 'REFUSED', reason: 'nothing new' } },
    });
    expect(await operator.post(`${REVIEWS}/${id}/allow`, reason)).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { state: 'REFUSED' } } },
    });
    expect(await operator.post(`${REVIEWS}/${uuidv7()}/allow`, reason)).toMatchObject({ status: 404 });
    expect((await ask(client)).body.data).toMatchObject({ state: 'IN_REVIEW' });
    expect(await standingOf(client)).toEqual(['none', null]);
  });

  test('what was asked for before waits, too, and an answer at that moment grants nothing', async () => {
    const client = await tradingClient(db, { cash: 1_000_00 });
    const id = await waitingVerification(db, client);
    const [ended] = await Promise.all([end(client), tellFinding(findingEvent(id))]);
    expect(ended).toMatchObject({ status: 200 });
    expect(['IN_REVIEW', 'REVOKED']).toContain((await listed(client))[0]?.state);
    expect(await standingOf(client)).toEqual(['none', null]);

    const other = await tradingClient(db, RICH);
    const open = await waitingVerification(db, other);
    await end(other);
    expect(await listed(other)).toMatchObject([{ id: open, state: 'IN_REVIEW' }]);
    expect(await tellFinding(findingEvent(open, { status: 'refused', reason: 'no' }))).toMatchObject({ status: 200 });
    expect(await listed(other)).toMatchObject([{ id: open, state: 'REFUSED', reason: 'no' }]);
  });

  test('the provider has 30 days from the moment at which it may be asked', async () => {
    const client = await tradingClient(db);
    const id = await waitingVerification(db, client, Date.now() - 31 * DAY_MS);
    await end(client);
    await pollVerifications(env, Date.now() + 90 * DAY_MS);
    expect(await listed(client)).toMatchObject([{ state: 'IN_REVIEW' }]);
    expect(await operator.post(`${REVIEWS}/${id}/allow`, { reason: 'looked at' })).toMatchObject({ status: 200 });
    expect(await requestOf(id)).toMatchObject({ state: 'REFUSED', reason: 'net_worth_not_proven' });
  });

  test('an operator’s own verification makes the person accredited, and lifts nothing', async () => {
    const client = await tradingClient(db, RICH);
    await end(client);
    const terms = { verifier: 'a firm', evidence: 'a vault', verifiedAt: inDays(-1), expiresAt: inDays(80) };
    expect(await operator.post(`/v1/operator/accounts/${client.accountId}/verifications`, terms)).toMatchObject({
      status: 200,
    });
    expect(await standingOf(client)).toEqual(['completed', '506c']);
    expect((await ask(client)).body.data).toMatchObject({ state: 'IN_REVIEW' });
  });

  test('an end that a crash has cut short is made good by the next run, once', async () => {
    const { client, id } = await verified();
    const open = await placed(client, limitOrder('club', 'BUY', 1, 10));
    const action = uuidv7();
    const ending = { id: action, account: client.accountId, reason: 'forged', actor: 'an operator' };
    await endAccreditationOf(db, { ...ending, createdAt: Date.now() });
    expect(await standingOf(client)).toEqual(['completed', '506c']);
    await applyEnds(env, Date.now());
    expect(await orderOf(client, open)).toMatchObject({ status: 'PENDING' });
    for (let run = 0; run < 2; run++) await applyEnds(env, Date.now() + 2 * MINUTE_MS);
    expect(await standingOf(client)).toEqual(['none', null]);
    expect(await orderOf(client, open)).toMatchObject({ status: 'CANCELLED' });
    expect(await listed(client)).toMatchObject([{ id, state: 'REVOKED' }]);
    expect(await eventsOf(client)).toHaveLength(2);
    // The same action once more ends nothing that came after it.
    await operator.post(`${REVIEWS}/${(await ask(client)).body.data.id}/allow`, { reason: 'looked at' });
    await attest(client);
    await endAccreditationOf(db, { ...ending, createdAt: Date.now() });
    expect((await recordsOf(client))[0]).toMatchObject({ kind: 'self_attestation', endedAt: null });
    await expectRightLedger();
  });

  test('an end whose run was cut short after its facts cancels nothing of who is accredited again since', async () => {
    const { client } = await verified();
    const id = uuidv7();
    const ending = { id, account: client.accountId, reason: 'forged', actor: 'an operator' };
    await endAccreditationOf(db, { ...ending, createdAt: Date.now() });
    const { actor, reason } = ending;
    expect(await applyRecords(env, client.accountId, { id, actor, requestId: id, reason })).toMatchObject({ ok: true });
    expect(await standingOf(client)).toEqual(['none', null]);
    const terms = { verifier: 'a firm', evidence: 'a vault', verifiedAt: inDays(-1), expiresAt: inDays(80) };
    await operator.post(`/v1/operator/accounts/${client.accountId}/verifications`, terms);
    const open = await placed(client, limitOrder('club', 'BUY', 1, 10));
    await applyEnds(env, Date.now() + 2 * MINUTE_MS);
    expect(await orderOf(client, open)).toMatchObject({ status: 'PENDING' });
    expect(await standingOf(client)).toEqual(['completed', '506c']);
  });

  test('an organization’s operator sees the requests of its own people, and decides none', async () => {
    const client = await tradingClient(db);
    await end(client);
    const { id } = (await ask(client)).body.data;
    const [own, other] = [
      await signedIn(await createTrader(db, { owner: client.owner, roles: ['operator'] })),
      await signedIn(await createTrader(db, { owner: `other-${uuidv7()}`, roles: ['operator'] })),
    ];
    const shown = async (reader: Client) =>
      (await reader.get<{ data: View[] }>(`${REVIEWS}?accountId=${client.accountId}`)).body.data.map((view) => view.id);
    expect([await shown(own), await shown(other)]).toEqual([[id], []]);
    expect(await own.post(`${REVIEWS}/${id}/allow`, { reason: 'ours' })).toMatchObject({ status: 403 });
  });
});
