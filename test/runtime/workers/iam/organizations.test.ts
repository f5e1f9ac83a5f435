import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkRegistrations } from '../../../../application/partner/registration/check-registrations.ts';
import type { Database } from '../../../../data/database.ts';
import { partnerOrganizations } from '../../../../data/schema/partner.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../fixtures/exchange-client.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
});

beforeEach(async () => {
  await db.delete(partnerOrganizations);
});

interface Applied {
  readonly organization_id: string;
  readonly state: string;
  readonly client_id: string;
  readonly client_secret: string;
}

const LISTER = {
  role: 'cross_lister',
  name: 'Northwind ATS',
  contact_email: 'desk@northwind.example',
  crd_number: '123456',
};
const agentWith = (sec_registration_number: string) => ({
  role: 'transfer_agent',
  name: 'Harbor Transfer',
  contact_email: 'ops@harbor.example',
  sec_registration_number,
});

async function apply(json: object, address = freshAddress()) {
  const { status, body } = await call('POST /iam/v1/organizations', { json, address });
  return { status, body: body as Applied };
}

/** As the organization signs in and calls (P-AUT-02, P-AUT-03). */
async function signInAs({ client_id, client_secret }: Applied): Promise<Record<string, string>> {
  const form = { grant_type: 'client_credentials', client_id, client_secret, scope: 'openid' };
  const { body } = await call('POST /iam/api/login/oauth/access_token', { form });
  return { authorization: `Bearer ${(body as { access_token: string }).access_token}` };
}

const decide = (id: string, verb: string) =>
  operator.post(`/v1/operator/partners/${id}/${verb}`, { reason: 'looked at' });
const mine = async (headers: Record<string, string>) => (await call('GET /iam/v1/organizations/me', { headers })).body;

describe('an organization that applies', () => {
  test('as a cross-lister has tokens at once, and calls once an operator has approved it', async () => {
    const applied = await apply(LISTER);
    expect(applied).toMatchObject({
      status: 201,
      body: { state: 'applied', name: 'Northwind ATS', crd_number: '123456' },
    });
    const headers = await signInAs(applied.body);
    expect(await mine(headers)).toMatchObject({ state: 'applied', role: 'cross_lister' });
    expect(await call('GET /partner/v1/securities', { headers })).toMatchObject({
      status: 403,
      body: { error: { details: { state: 'applied' } } },
    });
    const id = applied.body.organization_id;
    expect(await decide(id, 'approve')).toMatchObject({ status: 200, body: { data: { id, state: 'active' } } });
    expect((await call('GET /partner/v1/securities', { headers })).status).toBe(200);
    expect(await operator.get(`/v1/operator/audit-trail?subject=${id}`)).toMatchObject({
      body: {
        data: [{ type: 'operator.partner_approved', before: { state: 'applied' }, details: { reason: 'looked at' } }],
      },
    });
  });

  test('as a transfer agent is active by its verified registration, and by no operator before that', async () => {
    const verified = await apply(agentWith('84-01234'));
    expect(verified).toMatchObject({ status: 201, body: { state: 'active', sec_registration_number: '84-01234' } });
    expect((await call('GET /partner/v1/securities', { headers: await signInAs(verified.body) })).status).toBe(200);
    const refused = await apply(agentWith('84-00999'));
    expect(refused.body).toMatchObject({ state: 'refused', reason: 'number_not_registered' });
    const waiting = await apply(agentWith('84-00998'));
    expect(waiting.body).toMatchObject({ state: 'applied' });
    expect(await decide(waiting.body.organization_id, 'approve')).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'registration_being_checked' } } },
    });
  });

  test('under the number of an active transfer agent is refused', async () => {
    expect((await apply(agentWith('85-22222'))).body.state).toBe('active');
    expect((await apply(agentWith('85-22222'))).body).toMatchObject({ state: 'refused', reason: 'number_taken' });
  });

  test.each([
    ['a cross-lister without its CRD number', { ...LISTER, crd_number: undefined }],
    ['a transfer agent’s number of another form', agentWith('84-1')],
    ['a cross-lister with a transfer agent’s number', { ...LISTER, sec_registration_number: '84-01234' }],
    ['another role', { ...LISTER, role: 'operator' }],
    ['no address to write to', { ...LISTER, contact_email: 'desk' }],
  ])('is refused as malformed: %s', async (_, json) => {
    expect((await apply(json)).status).toBe(400);
  });

  test('may do so five times a day from one address, and again the next day', async () => {
    const address = freshAddress();
    for (let n = 0; n < 5; n++) expect((await apply(LISTER, address)).status).toBe(201);
    expect((await apply(LISTER, address)).status).toBe(429);
    expect((await apply(LISTER)).status).toBe(201);
    // whoever is refused is told by which bound, what a local system does, and when the address may apply again.
    await db.update(partnerOrganizations).set({ createdAt: Date.now() - DAY_MS + 3_600_000 });
    const refused = await call('POST /iam/v1/organizations', { json: LISTER, address });
    expect(refused).toMatchObject({
      status: 429,
      body: {
        error: {
          code: 'RATE_LIMIT_EXCEEDED',
          message: expect.stringContaining('npm run reset'),
          details: { reason: 'address', limit: 5, hours: 24 },
        },
      },
    });
    const wait = Number(refused.headers.get('retry-after'));
    expect([wait > 3_000, wait <= 3_600]).toEqual([true, true]);
    await db.update(partnerOrganizations).set({ createdAt: Date.now() - DAY_MS - 1 });
    expect((await apply(LISTER, address)).status).toBe(201);
  });

  test('waits while a thousand others of its role wait', async () => {
    const { body } = await apply(LISTER);
    const [row] = await db
      .select()
      .from(partnerOrganizations)
      .where(eq(partnerOrganizations.organization, body.organization_id));
    const { organization: _, ...terms } = row!;
    for (let n = 0; n < 999; n += 111) {
      const ids = Array.from({ length: 111 }, (_one, at) => `waiting-${n + at}`);
      await db.run(
        sql`INSERT OR IGNORE INTO organizations (id, name, created_at) SELECT value, value, 0 FROM json_each(${JSON.stringify(ids)})`,
      );
      await db.run(sql`
        INSERT INTO partner_organizations (organization, role, firm_name, contact_email, state, created_at, updated_at)
        SELECT value, ${terms.role}, ${terms.firmName}, ${terms.contactEmail}, 'applied', 0, 0 FROM json_each(${JSON.stringify(ids)})`);
    }
    const refused = await call('POST /iam/v1/organizations', { json: LISTER, address: '198.51.100.77' });
    expect(refused).toMatchObject({ status: 429, body: { error: { details: { reason: 'role' } } } });
    expect(refused.headers.get('retry-after')).toBe('86400');
    expect((await apply(agentWith('84-66666'))).body.state).toBe('active');
    await decide(body.organization_id, 'approve');
    expect((await apply(LISTER)).status).toBe(201);
  });
});

describe('the registration of a transfer agent', () => {
  const rowOf = async (id: string) =>
    (await db.select().from(partnerOrganizations).where(eq(partnerOrganizations.organization, id)))[0]!;

  test('that is not found at once is asked about until it is', async () => {
    const { body } = await apply(agentWith('84-11998'));
    const id = body.organization_id;
    await checkRegistrations(env, Date.now() + 5 * 60_000);
    expect((await rowOf(id)).state).toBe('applied');
    const clock = Date.now;
    try {
      Date.now = () => clock() + 3_600_000;
      await checkRegistrations(env);
    } finally {
      Date.now = clock;
    }
    expect(await rowOf(id)).toMatchObject({ state: 'active', checkId: null, verificationProvider: 'simulated' });
  });

  test('over HTTP is asked for once under its check, then asked about, and a verifier that fails is asked again', async () => {
    const { body } = await apply(agentWith('84-12998'));
    const id = body.organization_id;
    const { checkId } = await rowOf(id);
    const asked: Request[] = [];
    const answers = [
      new Response('no', { status: 500 }),
      Response.json({ id: 'r/1', status: 'pending' }),
      Response.json({ status: 'verified' }),
      Response.json({ id: 'r/1', status: 'verified', speaksFor: true }),
    ];
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      expect(init.redirect).toBe('manual');
      asked.push(new Request(url, init));
      return answers[asked.length - 1];
    });
    const settings = {
      REGISTRATION_VERIFIER_URL: 'https://verifier.example/v1',
      REGISTRATION_VERIFIER_TOKEN: 'a token',
    };
    const http = { ...env, REGISTRATION_VERIFIER: 'http', ...settings } as unknown as Env;
    try {
      for (let runs = 1; runs <= 3; runs++) {
        expect((await rowOf(id)).state).toBe('applied');
        await checkRegistrations(http, Date.now() + runs * 5 * 60_000);
      }
    } finally {
      vi.unstubAllGlobals();
    }
    expect(await rowOf(id)).toMatchObject({ state: 'active', verificationProvider: 'http' });
    const base = 'https://verifier.example/v1/registrations';
    expect(asked.map(({ method, url, headers }) => [method, url, headers.get('authorization')])).toEqual([
      ['POST', base, 'Bearer a token'],
      ['POST', base, 'Bearer a token'],
      ['GET', `${base}/r%2F1`, 'Bearer a token'],
      ['GET', `${base}/r%2F1`, 'Bearer a token'],
    ]);
    for (const order of asked.slice(0, 2)) {
      expect(order.headers.get('idempotency-key')).toBe(checkId);
      expect(await order.json()).toEqual({
        externalId: checkId,
        secRegistrationNumber: '84-12998',
        firmName: 'Harbor Transfer',
        contactEmail: 'ops@harbor.example',
      });
    }
  });

  test('is checked again before a year has passed, and goes on', async () => {
    const { body } = await apply(agentWith('84-33333'));
    const { verificationExpiresAt } = await rowOf(body.organization_id);
    const later = Date.now() + 336 * DAY_MS;
    await checkRegistrations(env, later);
    expect(await rowOf(body.organization_id)).toMatchObject({
      state: 'active',
      verificationExpiresAt: later + 365 * DAY_MS,
    });
    expect(verificationExpiresAt).toBeLessThan(later + 30 * DAY_MS);
  });

  test('that is not found right again suspends it; checked by an operator’s request it is active again', async () => {
    const { body } = await apply(agentWith('84-44444'));
    const id = body.organization_id;
    await db
      .update(partnerOrganizations)
      .set({ secRegistrationNumber: '84-44999' })
      .where(eq(partnerOrganizations.organization, id));
    await checkRegistrations(env, Date.now() + 336 * DAY_MS);
    expect(await rowOf(id)).toMatchObject({ state: 'suspended', reason: 'number_not_registered' });
    expect(await decide(id, 'reinstate')).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'registration_not_in_force' } } },
    });
    await db
      .update(partnerOrganizations)
      .set({ secRegistrationNumber: '84-44444' })
      .where(eq(partnerOrganizations.organization, id));
    expect(await decide(id, 'recheck')).toMatchObject({
      status: 200,
      body: { data: { state: 'active', reason: null } },
    });
  });

  test('that is another agent’s by now suspends it, and leaves the other', async () => {
    const [{ body: second }, { body: first }] = [
      await apply(agentWith('84-66661')),
      await apply(agentWith('84-66662')),
    ];
    const of = ({ organization_id }: Applied) => eq(partnerOrganizations.organization, organization_id);
    await db.update(partnerOrganizations).set({ secRegistrationNumber: '84-66662' }).where(of(second));
    await db
      .update(partnerOrganizations)
      .set({ verificationExpiresAt: Date.now() + 800 * DAY_MS })
      .where(of(first));
    await checkRegistrations(env, Date.now() + 336 * DAY_MS);
    expect(await rowOf(second.organization_id)).toMatchObject({ state: 'suspended', reason: 'number_taken' });
    expect(await rowOf(first.organization_id)).toMatchObject({ state: 'active' });
  });

  test('that another verifier was asked about is asked for anew, without that one’s own id', async () => {
    const { body } = await apply(agentWith('84-77998'));
    const theirs = { verificationProvider: 'another', verificationReference: 'theirs' };
    await db.update(partnerOrganizations).set(theirs);
    const none = { ...env, REGISTRATION_VERIFIER: '' } as unknown as Env;
    await checkRegistrations(none, Date.now() + 5 * 60_000);
    expect(await rowOf(body.organization_id)).toMatchObject(theirs);
    await checkRegistrations(env, Date.now() + 10 * 60_000);
    const { verificationProvider, verificationReference, state } = await rowOf(body.organization_id);
    expect([verificationProvider, state]).toEqual(['simulated', 'applied']);
    expect(verificationReference).not.toBeNull();
    expect(verificationReference).not.toBe('theirs');
  });

  test('that ended suspends it, whatever its verifier has not said', async () => {
    const { body } = await apply(agentWith('84-55555'));
    await checkRegistrations(env, Date.now() + 366 * DAY_MS);
    expect(await rowOf(body.organization_id)).toMatchObject({ state: 'suspended', reason: 'registration_ended' });
  });
});

describe('operators', () => {
  test('refuse, suspend and reinstate; an application that nobody decides lapses after 30 days', async () => {
    const [one, two, three] = await Promise.all([apply(LISTER), apply(LISTER), apply(LISTER)]);
    const [first, second, third] = [one, two, three].map(({ body }) => body.organization_id) as [
      string,
      string,
      string,
    ];
    expect(await decide(first, 'refuse')).toMatchObject({ body: { data: { state: 'refused', reason: 'looked at' } } });
    await decide(second, 'approve');
    expect(await decide(second, 'suspend')).toMatchObject({
      body: { data: { state: 'suspended', reason: 'looked at' } },
    });
    expect(await decide(second, 'reinstate')).toMatchObject({ body: { data: { state: 'active', reason: null } } });
    expect((await decide(second, 'reinstate')).status).toBe(409);
    await checkRegistrations(env, Date.now() + 30 * DAY_MS);
    const states = async (query: string) =>
      (await operator.get<{ data: { id: string }[] }>(`/v1/operator/partners?${query}`)).body.data.map(({ id }) => id);
    expect(await states('state=active&role=cross_lister')).toEqual([second]);
    expect((await states('state=refused')).toSorted()).toEqual([first, third].toSorted());
  });
});
