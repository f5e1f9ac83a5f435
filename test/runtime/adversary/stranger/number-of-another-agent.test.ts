import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkRegistrations } from '../../../../application/partner/registration/check-registrations.ts';
import { decidePartner } from '../../../../application/partner/registration/decide-partner.ts';
import { releaseNumber } from '../../../../application/partner/registration/release-number.ts';
import type { Database } from '../../../../data/database.ts';
import { partnerOrganizations } from '../../../../data/schema/partner.ts';
import { webhookEndpoints } from '../../../../data/schema/webhooks.ts';
import { receivingEndpoints } from '../../../../data/webhooks/subscriptions.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { type Client, type ErrorBody, signedIn } from '../../fixtures/exchange-client.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let operator: Client;
let other: Client;

beforeAll(async () => {
  db = await migrate();
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
  other = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

beforeEach(async () => {
  await db.delete(webhookEndpoints);
  await db.delete(partnerOrganizations);
});

interface Organization {
  readonly organization_id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly client_id: string;
  readonly client_secret: string;
}

/** Numbers that end in 997 are found, and nothing proves who applies. */
async function apply(number: string, name = 'Harbor Transfer'): Promise<Organization> {
  const contact = { name, contact_email: 'ops@harbor.example' };
  const json = { role: 'transfer_agent', ...contact, sec_registration_number: number };
  return (await call('POST /iam/v1/organizations', { json, address: freshAddress() })).body as Organization;
}

async function headersOf({ client_id, client_secret }: Organization): Promise<Record<string, string>> {
  const form = { grant_type: 'client_credentials', client_id, client_secret, scope: 'openid' };
  const { body } = await call('POST /iam/api/login/oauth/access_token', { form });
  return { authorization: `Bearer ${(body as { access_token: string }).access_token}` };
}

const mine = async (of: Organization) =>
  (await call('GET /iam/v1/organizations/me', { headers: await headersOf(of) })).body as Organization;
const calls = async (of: Organization) =>
  (await call('GET /partner/v1/transfers', { headers: await headersOf(of) })).status;
const decide = (id: string, verb: string, body: object = {}, headers: Record<string, string> = {}) =>
  operator.post<ErrorBody>(
    `/v1/operator/partners/${id}/${verb}`,
    { reason: 'letter of the registrant', ...body },
    headers,
  );
const rowOf = async (id: string) =>
  (await db.select().from(partnerOrganizations).where(eq(partnerOrganizations.organization, id)))[0]!;
const trailOf = async (subject: string) => {
  const { body } = await operator.get<{ data: { type: string; details: object }[] }>(
    `/v1/operator/audit-trail?subject=${subject}`,
  );
  return body.data.map(({ type, details }) => ({ type, details }));
};

test('one whose step throws keeps back no other, and the job says that it has failed', async () => {
  const applied = [await apply('84-20997'), await apply('84-21997'), await apply('84-22997')];
  const [broken, ...others] = applied.map(({ organization_id: id }) => id);
  await env.DB.exec(
    `CREATE TRIGGER broken BEFORE UPDATE ON partner_organizations WHEN OLD.organization = '${broken}' BEGIN SELECT RAISE(ABORT, 'broken'); END`,
  );
  const later = Date.now() + 31 * DAY_MS;
  await expect(checkRegistrations(env, later)).rejects.toThrow('a registration did not get on');
  await env.DB.exec('DROP TRIGGER broken');
  const states = async (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await rowOf(id)).state));
  const lapsed = (await states(others))[0];
  expect(await states(others)).toEqual([lapsed, lapsed]);
  expect(lapsed).not.toBe('applied');
  expect(await states([broken ?? ''])).toEqual(['applied']);
  await checkRegistrations(env, later);
  expect(await states([broken ?? ''])).toEqual([lapsed]);
});

describe('M-22: whoever applies under a public number', () => {
  test('waits for an operator where the verifier has found the number alone', async () => {
    const applied = await apply('84-10997');
    expect(applied).toMatchObject({ state: 'applied' });
    expect(await calls(applied)).toBe(403);
    await checkRegistrations(env, Date.now() + DAY_MS);
    expect(await calls(applied)).toBe(403);
    expect((await decide(applied.organization_id, 'approve')).status).toBe(200);
    expect(await calls(applied)).toBe(200);
  });

  test('stays active where a later check finds the number alone', async () => {
    const { organization_id: id } = await apply('84-11997');
    await decide(id, 'approve');
    const later = Date.now() + 336 * DAY_MS;
    await checkRegistrations(env, later);
    expect(await rowOf(id)).toMatchObject({ state: 'active', verificationExpiresAt: later + 365 * DAY_MS });
  });

  test('keeps the registrant out neither while it waits nor by waiting first', async () => {
    const impostor = await apply('84-12997', 'Harbor Transfer of Nowhere');
    const registrant = await apply('84-12997');
    expect((await decide(registrant.organization_id, 'approve')).status).toBe(200);
    expect(await decide(impostor.organization_id, 'approve')).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'number_taken', agent: registrant.organization_id } } },
    });
    expect(await calls(impostor)).toBe(403);
  });

  test('is approved by two operators where the venue asks for two, and once', async () => {
    const { organization_id: id } = await apply('84-13997');
    await asksForTwo(true);
    const asked = await decide(id, 'approve');
    expect(asked).toMatchObject({ status: 409, body: { error: { details: { reason: 'approval_required' } } } });
    expect((await rowOf(id)).state).toBe('applied');
    expect((await decide(id, 'approve', {}, await approvalOf(asked.body))).status).toBe(200);
    await asksForTwo(false);
    expect((await rowOf(id)).state).toBe('active');
  });
});

describe('M-22: a number that the wrong agent has', () => {
  test('is released by an operator: both are told why, it is in the trail, and the registrant goes on', async () => {
    const wrong = await apply('84-20001', 'Harbor Transfer of Nowhere');
    const registrant = await apply('84-20001');
    expect([wrong.state, registrant.state, registrant.reason]).toEqual(['active', 'refused', 'number_taken']);
    expect(await calls(wrong)).toBe(200);
    const [of, to] = [wrong.organization_id, registrant.organization_id];
    const released = await decide(of, 'release-number', { claimant: to });
    expect(released).toMatchObject({
      status: 200,
      body: { data: { state: 'refused', verifiedAt: null, verificationExpiresAt: null } },
    });
    expect(await mine(wrong)).toMatchObject({
      state: 'refused',
      reason: 'number_released: letter of the registrant',
    });
    expect(await mine(registrant)).toMatchObject({ state: 'active', reason: null });
    const details = { reason: 'letter of the registrant' };
    expect(await trailOf(of)).toEqual([{ type: 'operator.partner_number_released', details }]);
    expect(await trailOf(to)).toEqual([{ type: 'operator.partner_number_given', details: { ...details, from: of } }]);
  });

  test('tells the registrant that it was released for it while its own registration is checked', async () => {
    const [wrong, registrant] = [await apply('84-21001'), await apply('84-21001')];
    await db
      .update(partnerOrganizations)
      .set({ secRegistrationNumber: '84-21997' })
      .where(eq(partnerOrganizations.secRegistrationNumber, '84-21001'));
    await decide(wrong.organization_id, 'release-number', { claimant: registrant.organization_id });
    expect(await rowOf(registrant.organization_id)).toMatchObject({
      state: 'applied',
      reason: 'number_released: letter of the registrant',
      checkId: null,
    });
    expect((await decide(registrant.organization_id, 'approve')).status).toBe(200);
  });

  test('comes back to whoever has lost it by a check of an operator alone, and not where another has it', async () => {
    const wrong = await apply('84-22001');
    const id = wrong.organization_id;
    await decide(id, 'release-number');
    expect((await decide(id, 'reinstate')).status).toBe(409);
    expect((await apply('84-22001')).state).toBe('active');
    expect(await decide(id, 'recheck')).toMatchObject({ body: { data: { state: 'refused', reason: 'number_taken' } } });
  });

  test('is released once, and the registrant is checked also where the first run ended before that', async () => {
    const [wrong, registrant] = [await apply('84-23001'), await apply('84-23001')];
    const [id, claimant] = [wrong.organization_id, registrant.organization_id];
    const action = { id: uuidv7(), actor: 'an operator', requestId: 'r' };
    const reason = 'letter of the registrant';
    await decidePartner(env, { id, decision: 'release-number', reason }, action);
    expect((await rowOf(claimant)).state).toBe('refused');
    for (let n = 0; n < 2; n++)
      expect(await releaseNumber(env, { id, claimant, reason }, action)).toMatchObject({ value: { state: 'refused' } });
    expect((await rowOf(claimant)).state).toBe('active');
    expect((await trailOf(id)).length + (await trailOf(claimant)).length).toBe(2);
    expect((await decide(id, 'release-number', { claimant })).status).toBe(409);
  });

  test('is given to nobody who has not been refused under it', async () => {
    const [wrong, stranger] = [await apply('84-24001'), await apply('84-24999')];
    const waiting = await apply('84-24998');
    for (const claimant of [stranger.organization_id, waiting.organization_id, wrong.organization_id])
      expect(await decide(wrong.organization_id, 'release-number', { claimant })).toMatchObject({
        status: 409,
        body: { error: { details: { reason: 'another_number' } } },
      });
    expect((await decide(wrong.organization_id, 'release-number', { claimant: uuidv7() })).status).toBe(404);
    expect((await rowOf(wrong.organization_id)).state).toBe('active');
  });

  test('is released by two operators where the venue asks for two', async () => {
    const { organization_id: id } = await apply('84-25001');
    await asksForTwo(true);
    const asked = await decide(id, 'release-number');
    expect(asked).toMatchObject({ status: 409, body: { error: { details: { reason: 'approval_required' } } } });
    expect((await rowOf(id)).state).toBe('active');
    expect((await decide(id, 'release-number', {}, await approvalOf(asked.body))).status).toBe(200);
    await asksForTwo(false);
    expect((await rowOf(id)).state).toBe('refused');
  });

  test('takes its webhooks with it: nothing is told to who has lost the number', async () => {
    const { organization_id: organization } = await apply('84-26001');
    const id = uuidv7();
    const terms = { url: 'https://hooks.harbor.example/', events: ['transfer.initiated'] as const, secret: 'sealed' };
    await db.insert(webhookEndpoints).values({ id, organization, ...terms, createdAt: 0 });
    const told = async () => (await receivingEndpoints(db, [organization], Date.now())).map((one) => one.id);
    expect(await told()).toEqual([id]);
    await decide(organization, 'release-number');
    expect(await told()).toEqual([]);
  });
});

async function asksForTwo(required: boolean): Promise<void> {
  const body = { required, reason: 'two pairs of eyes' };
  const answer = await operator.put<ErrorBody>('/v1/operator/approvals', body);
  if (required) expect(answer.status).toBe(200);
  else expect((await operator.put('/v1/operator/approvals', body, await approvalOf(answer.body))).status).toBe(200);
}

/** The header of an approval that the other operator has given. */
async function approvalOf({ error }: ErrorBody): Promise<Record<string, string>> {
  const id = String(error.details.approval);
  expect((await other.post(`/v1/operator/approvals/${id}/approve`, { reason: 'seen' })).status).toBe(200);
  return { 'x-operator-approval': id };
}
