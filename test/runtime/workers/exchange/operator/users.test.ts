import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { editUser, setUserActive } from '../../../../../application/operator/change-user.ts';
import type { Database } from '../../../../../data/database.ts';
import { listDevOutbox } from '../../../../../data/identity/dev-outbox.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { createTestKey } from '../../../fixtures/api-key.ts';
import { call } from '../../../fixtures/call.ts';
import { createPair } from '../../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { expectRightLedger } from '../../../fixtures/expect-right-ledger.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { APP, createApp, receiveCode, signIn, tokenRequest } from '../../../fixtures/sign-in.ts';

let db: Database;
let venueOperator: Trader;
let operator: Client;

beforeAll(async () => {
  db = await migrate();
  await createApp();
  await createPair(db, 'ACME');
  venueOperator = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
  operator = await signedIn(venueOperator);
});

const reason = 'left the firm';

const turn = (user: Trader, verb: 'deactivate' | 'reactivate', headers?: Record<string, string>) =>
  operator.post(`/v1/operator/users/${user.userId}/${verb}`, { reason }, headers);

interface Listed {
  readonly data: { readonly userId: string; readonly accountId: string | null }[];
}

describe('deactivation', () => {
  test('ends tokens, keys and open orders, and nobody signs in as them until they are reactivated', async () => {
    const user = await createTrader(db, { cash: 1_000_00 });
    const session = await signIn(user.phone);
    const key = await createTestKey(user);
    const order = { symbol: 'ACME-USD', side: 'buy', type: 'limit', price: 1, size: 2, time_in_force: 'GTC' };
    const placed = await call('POST /book/v1/orders', { headers: key.headers, json: order });
    const { order_id } = placed.body as { order_id: string };
    expect(await turn(user, 'deactivate')).toMatchObject({
      status: 200,
      body: {
        data: {
          user: { userId: user.userId, deactivatedAt: expect.stringMatching(/Z$/) },
          revokedKeyIds: [key.id],
          cancelledOrderIds: [order_id],
        },
      },
    });
    expect((await call('GET /exchange/v1/account', { headers: session.tenant })).status).toBe(401);
    expect((await call('GET /book/v1/account/balances', { headers: key.headers })).status).toBe(401);
    const refresh = { grant_type: 'refresh_token', client_id: APP, refresh_token: session.refreshToken };
    expect((await tokenRequest(refresh)).status).toBe(400);
    // Tokens that somebody gets all the same do not hold.
    expect((await (await signedIn(user)).get('/v1/account')).status).toBe(401);
    expect(await turn(user, 'reactivate')).toMatchObject({
      status: 200,
      body: { data: { user: { deactivatedAt: null } } },
    });
    // Of the second in which tokens were ended, all have.
    await vi.waitFor(async () => expect((await (await signedIn(user)).get('/v1/account')).status).toBe(200), {
      interval: 300,
    });
    expect((await call('GET /book/v1/account/balances', { headers: key.headers })).status).toBe(401);
    await expectRightLedger();
  });

  test('sends no code to their phone', async () => {
    const user = await createTrader(db);
    await turn(user, 'deactivate');
    const { phone } = user;
    expect((await call('POST /iam/api/login/oauth/send-code', { form: { phone, client_id: APP } })).status).toBe(200);
    // What is asked for later has come.
    await receiveCode((await createTrader(db)).phone);
    expect((await listDevOutbox(db)).map((message) => message.phone)).not.toContain(phone);
  });

  test('repeated under one Idempotency-Key is one action, which ends nothing after a reactivation', async () => {
    const user = await createTrader(db);
    const key = { 'idempotency-key': uuidv7() };
    expect((await turn(user, 'deactivate', key)).status).toBe(200);
    await turn(user, 'reactivate');
    expect(await turn(user, 'deactivate', key)).toMatchObject({ body: { data: { user: { deactivatedAt: null } } } });
    const trail = await operator.get(`/v1/operator/audit-trail?subject=${user.userId}`);
    expect(trail.body).toMatchObject({
      data: [
        { type: 'operator.user_reactivated', details: { reason } },
        { type: 'operator.user_deactivated', before: { deactivatedAt: null }, actor: venueOperator.userId },
      ],
    });
  });

  const ended = (actor: Trader, user: Trader) =>
    setUserActive(
      env,
      { id: user.userId, active: false, reason },
      { id: uuidv7(), actor: actor.userId, requestId: 'at-once' },
    );
  const stripped = (actor: Trader, user: Trader) =>
    editUser(
      env,
      { id: user.userId, edit: { roles: ['trader'] }, reason },
      { id: uuidv7(), actor: actor.userId, requestId: 'at-once' },
    );
  const venueOperatorOf = () => createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });

  test('of two operators by each other at the same moment takes place once', async () => {
    const [one, other] = [await venueOperatorOf(), await venueOperatorOf()];
    const outcomes = await Promise.all([ended(one, other), ended(other, one)]);
    expect(outcomes.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
  });

  test('leaves an active operator of the venue, and so does a change of roles', async () => {
    const [last, machine] = [await venueOperatorOf(), await createTrader(db)];
    const others = sql`owner = ${VENUE_OWNER} AND id <> ${last.userId} AND deactivated_at IS NULL`;
    await db.run(sql`UPDATE users SET deactivated_at = 1 WHERE ${others}`);
    try {
      for (const end of [ended, stripped])
        expect(await end(machine, last)).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
      await venueOperatorOf();
      expect(await stripped(machine, last)).toMatchObject({ ok: true });
    } finally {
      await db.run(sql`UPDATE users SET deactivated_at = NULL WHERE deactivated_at = 1`);
    }
  });

  test('of oneself is refused', async () => {
    expect((await turn(venueOperator, 'deactivate')).status).toBe(409);
  });
});

describe('PATCH /v1/operator/users/{id}', () => {
  const edit = (user: Trader, change: Record<string, unknown>) =>
    operator.patch(`/v1/operator/users/${user.userId}`, { ...change, reason });

  test.each([
    'trader',
    'operator',
    'access_manager',
    'auditor',
    'transfer_agent',
    'cross_lister',
    'event_admin',
    'event_operator',
    'event_viewer',
    'event_camera',
  ])('gives the role %s', async (role) => {
    const user = await createTrader(db);
    expect(await edit(user, { roles: [role] })).toMatchObject({ status: 200, body: { data: { roles: [role] } } });
  });

  test('keeps a role that is named twice once', async () => {
    const user = await createTrader(db);
    const roles = ['trader', 'operator', 'trader'];
    expect(await edit(user, { roles })).toMatchObject({ body: { data: { roles: ['trader', 'operator'] } } });
  });

  test('made from roles that another operator has changed meanwhile is a CONFLICT, and repeated it is answered as before', async () => {
    const user = await createTrader(db, { roles: ['trader', 'operator'] });
    const edited = { roles: ['trader', 'operator', 'auditor'], rolesBefore: ['operator', 'trader'], reason };
    const send = (key: string) =>
      operator.patch(`/v1/operator/users/${user.userId}`, edited, { 'Idempotency-Key': key });
    const key = uuidv7();
    expect((await send(key)).status).toBe(200);
    expect((await send(key)).status).toBe(200);
    await edit(user, { roles: ['trader'] });
    expect(await send(uuidv7())).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect(await operator.get(`/v1/operator/users/${user.userId}`)).toMatchObject({
      body: { data: { roles: ['trader'] } },
    });
  });

  test('a role holds at once, and is gone at once', async () => {
    const user = await createTrader(db, { owner: VENUE_OWNER });
    const theirs = await signedIn(user);
    expect((await theirs.get('/v1/operator/books')).status).toBe(403);
    await edit(user, { roles: ['operator'] });
    expect((await theirs.get('/v1/operator/books')).status).toBe(200);
    await edit(user, { roles: ['trader'] });
    expect((await theirs.get('/v1/operator/books')).status).toBe(403);
  });

  test('another phone number is where the codes go; one that is taken is a CONFLICT', async () => {
    const [user, other] = [await createTrader(db), await createTrader(db)];
    expect((await edit(user, { phone: other.phone })).status).toBe(409);
    expect((await edit(user, { phone: '+15550177001' })).status).toBe(200);
    expect((await signIn('+15550177001')).accessToken).toMatch(/^ey/);
    const { body } = await operator.get(`/v1/operator/audit-trail?subject=${user.userId}`);
    expect(body).toMatchObject({ data: [{ before: { phone: user.phone }, after: { phone: '+15550177001' } }] });
  });

  test('refuses one’s own roles, an unknown role, no role, and an unknown field', async () => {
    const user = await createTrader(db);
    expect((await edit(venueOperator, { roles: ['trader'] })).status).toBe(409);
    for (const change of [{ roles: ['king'] }, { roles: [] }, { owner: 'venue' }])
      expect((await edit(user, change)).status).toBe(400);
    expect((await operator.patch('/v1/operator/users/nobody', { name: 'X', reason })).status).toBe(404);
  });
});

describe('GET /v1/operator/users', () => {
  const ids = async (query: string, as = operator) =>
    (await as.get<Listed>(`/v1/operator/users?${query}`)).body.data.map(({ userId }) => userId);

  test('finds users by role, organization and whether they are active, page by page', async () => {
    const owner = `org-${uuidv7().slice(-6)}`;
    const users: Trader[] = [];
    for (const roles of [['trader'], ['trader'], ['transfer_agent']] as const)
      users.push(await createTrader(db, { owner, roles }));
    const [first, second, agent] = users.map(({ userId }) => userId);
    expect(await ids(`owner=${owner}`)).toEqual([first, second, agent]);
    expect(await ids(`owner=${owner}&role=transfer_agent`)).toEqual([agent]);
    expect((await operator.get(`/v1/operator/users?search=${second}`)).status).toBe(400);
    await turn(users[0] as Trader, 'deactivate');
    expect(await ids(`owner=${owner}&active=true`)).toEqual([second, agent]);
    expect(await ids(`owner=${owner}&active=false`)).toEqual([first]);
    const page = await operator.get<Listed>(`/v1/operator/users?owner=${owner}&limit=2`);
    expect(page.headers.get('link')).toContain(`cursor=${second}`);
    expect(page.body.data[0]?.accountId).toBe(users[0]?.accountId);
    expect(await ids(`owner=${owner}&limit=2&cursor=${second}`)).toEqual([agent]);
  });

  test('M-23: are searched by words in a body, by the same rules, so that names and numbers stand in no address', async () => {
    const owner = `org-${uuidv7().slice(-6)}`;
    const users = [await createTrader(db, { owner }), await createTrader(db, { owner })];
    const [first, second] = users.map(({ userId }) => userId);
    const found = async (body: object, query = '', as = operator) =>
      (await as.post<Listed>(`/v1/operator/users/search${query}`, body)).body.data.map(({ userId }) => userId);
    expect(await found({ search: users[1]?.phone })).toEqual([second]);
    expect(await found({ search: `TRADER ${second}` })).toEqual([second]);
    expect(await found({ search: 'trader', owner })).toEqual([first, second]);
    expect(await found({ search: 'trader', owner }, `?limit=1&cursor=${first}`)).toEqual([second]);
    expect(await found({ search: '', owner, active: false })).toEqual([]);
    expect(await found({ search: '', owner, role: 'operator' })).toEqual([]);
    const apart = await createTrader(db, { owner: `${owner}-b`, roles: ['operator'] });
    expect(await found({ search: 'trader', owner }, '', await signedIn(apart))).toEqual([apart.userId]);
    expect((await operator.post('/v1/operator/users/search', { words: 'x' })).status).toBe(400);
  });

  test('shows an operator of another organization that organization’s users alone, who changes none', async () => {
    const theirs = await createTrader(db, { owner: 'org-apart', roles: ['operator'] });
    const client = await signedIn(theirs);
    expect(await ids(`owner=${VENUE_OWNER}`, client)).toEqual([theirs.userId]);
    const colleague = await createTrader(db, { owner: 'org-apart' });
    const path = `/v1/operator/users/${colleague.userId}`;
    expect((await client.patch(path, { roles: ['operator'], reason })).status).toBe(403);
    expect((await client.post(`${path}/deactivate`, { reason })).status).toBe(403);
  });
});
