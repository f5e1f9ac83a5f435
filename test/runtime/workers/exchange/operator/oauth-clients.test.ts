import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../../domain/identity/venue.ts';
import { call } from '../../../fixtures/call.ts';
import { callWorker } from '../../../fixtures/call-worker.ts';
import { createTrader, type Trader } from '../../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../../fixtures/exchange-client.ts';
import { freshAddress } from '../../../fixtures/fresh-address.ts';
import { migrate } from '../../../fixtures/migrate.ts';
import { receiveCode, tokenRequest } from '../../../fixtures/sign-in.ts';

let db: Database;
let operator: Client;
let user: Trader;

beforeAll(async () => {
  db = await migrate();
  operator = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
  user = await createTrader(db, { service: true });
});

interface WithSecret {
  readonly data: { readonly id: string; readonly secret: string };
}

const make = (body: Record<string, unknown>) =>
  operator.post<WithSecret>('/v1/operator/oauth-clients', { owner: user.owner, name: 'A client', ...body });

const machine = (id: string) => make({ id, kind: 'machine', userId: user.userId });

const credentials = (id: string, secret: string) =>
  tokenRequest({ grant_type: 'client_credentials', client_id: id, client_secret: secret });

async function accessToken(id: string, secret: string): Promise<string> {
  const { status, body } = await credentials(id, secret);
  expect(status).toBe(200);
  return (body as { access_token: string }).access_token;
}

const isLetIn = async (token: string) =>
  (await call('GET /iam/v1/keys', { headers: { authorization: `Bearer ${token}` } })).status;

const because = { reason: 'leaked' };

test.each(['application', 'machine'])(
  'M-24: no %s is named as the audience of access tokens, which its ID tokens would have',
  async (kind) => {
    const of = kind === 'machine' ? { userId: user.userId } : {};
    expect(await make({ id: env.IAM_AUDIENCE, kind, ...of })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { field: 'id' } } },
    });
  },
);

describe('a machine client', () => {
  test('shows its secret once, when it is made, and gets tokens of the user that it speaks for', async () => {
    const { status, body } = await machine('once');
    expect([status, body.data.secret]).toEqual([200, expect.stringMatching(/^[\w-]{43}$/)]);
    expect(await isLetIn(await accessToken('once', body.data.secret))).toBe(200);
    const listed = await operator.get<{ data: object[] }>('/v1/operator/oauth-clients');
    expect(listed.body.data).toContainEqual(
      expect.objectContaining({ id: 'once', kind: 'machine', userId: user.userId, revokedAt: null }),
    );
    expect(JSON.stringify(listed.body)).not.toContain(body.data.secret);
    expect((await machine('once')).status).toBe(409);
  });

  test('gets another secret, which ends the last one', async () => {
    const first = (await machine('rotated')).body.data.secret;
    const rotated = await operator.post<WithSecret>('/v1/operator/oauth-clients/rotated/rotate', because);
    expect(rotated.status).toBe(200);
    expect((await credentials('rotated', first)).status).toBe(401);
    expect(await isLetIn(await accessToken('rotated', rotated.body.data.secret))).toBe(200);
  });

  test('that is revoked gets no token, and those that it got have ended', async () => {
    const { secret } = (await machine('revoked')).body.data;
    const token = await accessToken('revoked', secret);
    expect(await isLetIn(token)).toBe(200);
    const revoked = await operator.post('/v1/operator/oauth-clients/revoked/revoke', because);
    expect(revoked).toMatchObject({ status: 200, body: { data: { revokedAt: expect.stringMatching(/Z$/) } } });
    expect(await isLetIn(token)).toBe(401);
    expect((await credentials('revoked', secret)).status).toBe(401);
    expect((await operator.post('/v1/operator/oauth-clients/revoked/rotate', because)).status).toBe(409);
  });
});

test('an application that is revoked lets nobody sign in or stay signed in', async () => {
  expect((await make({ id: 'app', kind: 'application' })).body.data.secret).toBeNull();
  const person = await createTrader(db);
  const client = { client_id: 'app' };
  const signedInThere = await tokenRequest({
    ...client,
    grant_type: 'password',
    username: person.phone,
    password: await receiveCode(person.phone, 'app'),
    scope: 'openid offline_access',
  });
  expect(signedInThere.status).toBe(200);
  const { refresh_token } = signedInThere.body as { refresh_token: string };
  await operator.post('/v1/operator/oauth-clients/app/revoke', because);
  const refreshed = await tokenRequest({ ...client, grant_type: 'refresh_token', refresh_token });
  expect(refreshed.status).toBe(401);
});

test('an application is answered where an operator has stated, and nowhere else; a machine never', async () => {
  const redirectUris = ['https://shop.northwind.com/cb'];
  expect((await make({ id: 'shop', kind: 'application', redirectUris })).body).toMatchObject({
    data: { redirectUris },
  });
  const authorize = async (uri: string) => {
    const asked = new URLSearchParams({ client_id: 'shop', redirect_uri: uri, state: 's' });
    const url = `http://localhost/iam/api/login/oauth/authorize?${asked}`;
    const headers = { 'cf-connecting-ip': freshAddress() };
    const answer = await callWorker(url, { redirect: 'manual', headers });
    await answer.body?.cancel();
    return answer.headers.get('location')?.split('?')[0] ?? null;
  };
  expect(await authorize('https://shop.northwind.com/cb')).toBe('https://shop.northwind.com/cb');
  const moved = { ...because, redirectUris: ['https://new.northwind.com/cb'] };
  expect(await operator.put('/v1/operator/oauth-clients/shop/redirect-uris', moved)).toMatchObject({
    status: 200,
    body: { data: { redirectUris: moved.redirectUris } },
  });
  expect(await authorize('https://shop.northwind.com/cb')).toBeNull();
  expect(await authorize('https://new.northwind.com/cb')).toBe('https://new.northwind.com/cb');
  const postLogoutRedirectUris = ['https://new.northwind.com/out'];
  const stated = { data: { redirectUris: moved.redirectUris, postLogoutRedirectUris } };
  const leaving = { ...moved, postLogoutRedirectUris };
  expect((await operator.put('/v1/operator/oauth-clients/shop/redirect-uris', leaving)).body).toMatchObject(stated);
  const again = await operator.put('/v1/operator/oauth-clients/shop/redirect-uris', moved);
  expect(again.body, 'left out, it stays').toMatchObject(stated);
  const nowhere = { ...because, redirectUris: [] };
  expect((await operator.put('/v1/operator/oauth-clients/shop/redirect-uris', nowhere)).status).toBe(200);
  expect(await authorize('https://new.northwind.com/cb')).toBeNull();
  const plain = { ...because, redirectUris: ['http://shop.northwind.com/cb'] };
  expect((await operator.put('/v1/operator/oauth-clients/shop/redirect-uris', plain)).status).toBe(400);
  expect((await operator.put('/v1/operator/oauth-clients/nobody/redirect-uris', moved)).status).toBe(404);
  await machine('answered');
  expect((await operator.put('/v1/operator/oauth-clients/answered/redirect-uris', moved)).status).toBe(409);
  expect((await make({ id: 'x', kind: 'machine', userId: user.userId, redirectUris })).status).toBe(400);
  expect((await make({ id: 'x', kind: 'machine', userId: user.userId, postLogoutRedirectUris })).status).toBe(400);
});

test('refuses a machine without a user, an application with one, and a user of another organization', async () => {
  const stranger = await createTrader(db, { owner: 'org-other' });
  expect((await make({ id: 'x', kind: 'machine' })).status).toBe(400);
  expect((await make({ id: 'x', kind: 'application', userId: user.userId })).status).toBe(400);
  expect((await make({ id: 'x', kind: 'machine', userId: stranger.userId })).status).toBe(404);
  expect((await make({ id: 'x', kind: 'application', surprise: 1 })).status).toBe(400);
});

test('each of these is in the audit trail with the reason, and no secret is', async () => {
  const { secret } = (await machine('trailed')).body.data;
  await operator.post('/v1/operator/oauth-clients/trailed/rotate', because);
  await operator.post('/v1/operator/oauth-clients/trailed/revoke', because);
  const trail = await operator.get<{ data: { type: string; details: unknown }[] }>(
    '/v1/operator/audit-trail?subject=trailed',
  );
  expect(trail.body.data.map(({ type, details }) => [type, details])).toEqual([
    ['operator.oauth_client_revoked', because],
    ['operator.oauth_client_rotated', because],
    ['operator.oauth_client_created', {}],
  ]);
  expect(JSON.stringify(trail.body)).not.toContain(secret);
});

test('what is done to a client is in the audit trail of its organization, and of no other', async () => {
  await machine('concerning');
  const trailOf = async (owner: string) => {
    const auditor = await signedIn(await createTrader(db, { owner, roles: ['auditor'] }));
    return (await auditor.get('/v1/operator/audit-trail?subject=concerning')).body;
  };
  expect(await trailOf(user.owner)).toMatchObject({ data: [{ type: 'operator.oauth_client_created' }] });
  expect(await trailOf('org-of-others')).toMatchObject({ data: [] });
});

test('an operator of another organization sees its own clients and makes none', async () => {
  const theirs = await signedIn(await createTrader(db, { owner: 'org-other', roles: ['operator'] }));
  expect(await theirs.get('/v1/operator/oauth-clients')).toMatchObject({ status: 200, body: { data: [] } });
  const body = { id: 'mine', owner: 'org-other', name: 'Mine', kind: 'application' };
  expect((await theirs.post('/v1/operator/oauth-clients', body)).status).toBe(403);
  expect((await theirs.post('/v1/operator/oauth-clients/once/rotate', because)).status).toBe(403);
  expect((await theirs.post('/v1/operator/oauth-clients/once/revoke', because)).status).toBe(403);
});
