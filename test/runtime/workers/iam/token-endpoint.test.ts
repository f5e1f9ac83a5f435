import { env } from 'cloudflare:workers';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, importJWK, type JWK, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../application/identity/sha256-hex.ts';
import { confirmMailAddress } from '../../../../application/mail/confirm-mail-address.ts';
import type { Database } from '../../../../data/database.ts';
import { createOAuthClient } from '../../../../data/identity/oauth-clients.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { APP, createApp, receiveCode, signIn, tokenRequest } from '../../fixtures/sign-in.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
});

async function passwordForm(trader: Trader, scope = 'openid profile email phone') {
  return {
    grant_type: 'password',
    client_id: APP,
    username: trader.phone,
    password: await receiveCode(trader.phone),
    scope,
  };
}

describe('the password grant with a one-time code', () => {
  it('answers exactly access_token, token_type Bearer, expires_in 7200, scope and id_token', async () => {
    const trader = await createTrader(db);
    const { status, body, headers } = await tokenRequest(await passwordForm(trader));
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 7200,
      scope: 'openid profile email phone',
      id_token: expect.any(String),
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('accepts a scope joined by plus signs that form encoding kept', async () => {
    const trader = await createTrader(db);
    const { body } = await tokenRequest(await passwordForm(trader, 'openid+profile+email+phone'));
    expect(body).toMatchObject({ scope: 'openid profile email phone' });
  });

  it('signs ES256 with the owner claim, the issuer and a lifetime of 7200 s, verifiable by the published JWKS', async () => {
    const trader = await createTrader(db, { owner: 'org-claims' });
    const { body } = await tokenRequest(await passwordForm(trader));
    const tokens = body as { access_token: string; id_token: string };
    const { keys } = (await call('GET /iam/.well-known/jwks')).body as { keys: JWK[] };
    const { kid } = decodeProtectedHeader(tokens.access_token);
    const key = await importJWK(keys.find((candidate) => candidate.kid === kid)!, 'ES256');
    const access = await jwtVerify(tokens.access_token, key, { issuer: env.IAM_ISSUER, audience: env.IAM_AUDIENCE });
    expect(access.payload).toMatchObject({ sub: trader.userId, owner: 'org-claims' });
    expect(access.payload.exp! - access.payload.iat!).toBe(7200);
    const id = await jwtVerify(tokens.id_token, key, { issuer: env.IAM_ISSUER, audience: APP });
    expect(id.payload).toMatchObject({ sub: trader.userId, email: trader.email, phone_number: trader.phone });
    expect(id.payload.email_verified, 'stated by an operator').toBe(false);
    expect(keys.every((candidate) => candidate.d === undefined)).toBe(true);
  });

  it('says of a mail address that its person has proved to read it, and names that one', async () => {
    const trader = await createTrader(db);
    await confirmMailAddress(env, { userId: trader.userId, address: 'proved@example.com', language: 'en' });
    const { body } = await tokenRequest(await passwordForm(trader));
    const tokens = body as { access_token: string; id_token: string };
    const proved = { email: 'proved@example.com', email_verified: true };
    expect(decodeJwt(tokens.id_token)).toMatchObject(proved);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect((await call('GET /iam/api/userinfo', { headers })).body).toMatchObject(proved);
  });

  it('takes a number in any spelling, and the one that a user has from before there was one form', async () => {
    const trader = await createTrader(db);
    const phone = `+490171${String(Date.now()).slice(-7)}`;
    await env.DB.prepare('UPDATE users SET phone = ? WHERE id = ?').bind(phone, trader.userId).run();
    const password = await receiveCode(phone);
    const form = { grant_type: 'password', client_id: APP, password, scope: 'openid' };
    const { body } = await tokenRequest({ ...form, username: phone.replace('+490171', '0049 (0)171 ') });
    expect(decodeJwt((body as { access_token: string }).access_token).sub).toBe(trader.userId);
  });

  it('issues nothing for a code used before', async () => {
    const trader = await createTrader(db);
    const form = await passwordForm(trader);
    const answers = await Promise.all([tokenRequest(form), tokenRequest(form), tokenRequest(form)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400]);
    expect(await tokenRequest(form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });
});

describe('the client credentials grant', () => {
  async function machine(userId: string | null, owner = 'org-test') {
    const id = `machine-${crypto.randomUUID()}`;
    await createOAuthClient(db, {
      id,
      owner,
      name: 'Machine',
      secretHash: await sha256Hex('machine-secret'),
      grants: ['client_credentials'],
      userId,
      createdAt: Date.now(),
    });
    return id;
  }

  it('answers a Bearer token of 7200 s for the user the client is bound to', async () => {
    const trader = await createTrader(db);
    const client_id = await machine(trader.userId);
    const form = { grant_type: 'client_credentials', client_id, client_secret: 'machine-secret', scope: 'openid' };
    const { status, body } = await tokenRequest(form);
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 7200, scope: 'openid' });
    const claims = decodeJwt((body as { access_token: string }).access_token);
    expect(claims).toMatchObject({ sub: trader.userId, owner: 'org-test' });
  });

  it('speaks for the client itself where it is bound to nobody', async () => {
    const client_id = await machine(null, 'org-partner');
    const form = { grant_type: 'client_credentials', client_id, client_secret: 'machine-secret', scope: 'openid' };
    const { body } = await tokenRequest(form);
    const bearer = { authorization: `Bearer ${(body as { access_token: string }).access_token}` };
    expect(await call('GET /iam/api/userinfo', { headers: bearer })).toMatchObject({
      status: 200,
      body: { sub: client_id, owner: 'org-partner' },
    });
  });

  it('gives no refresh token: the secret itself is good for the next one', async () => {
    const client_id = await machine((await createTrader(db)).userId);
    const form = { grant_type: 'client_credentials', client_id, client_secret: 'machine-secret' };
    expect(await tokenRequest({ ...form, scope: 'openid offline_access' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
  });

  it('is for clients that have the grant and a secret', async () => {
    const terms = { owner: 'org-test', name: 'Client', userId: null, createdAt: Date.now() };
    const secretHash = await sha256Hex('machine-secret');
    await createOAuthClient(db, { ...terms, id: 'no-grant', secretHash, grants: ['password'] });
    await createOAuthClient(db, { ...terms, id: 'no-secret', secretHash: null, grants: ['client_credentials'] });
    const grant_type = 'client_credentials';
    for (const form of [
      { grant_type, client_id: 'no-grant', client_secret: 'machine-secret' },
      { grant_type, client_id: 'no-secret' },
    ])
      expect(await tokenRequest(form)).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
  });

  it('takes the client by HTTP Basic too', async () => {
    const id = await machine(null);
    const authorization = `Basic ${btoa(`${id}:machine-secret`)}`;
    expect((await tokenRequest({ grant_type: 'client_credentials' }, { authorization })).status).toBe(200);
    const twice = { grant_type: 'client_credentials', client_id: id, client_secret: 'machine-secret' };
    expect(await tokenRequest(twice, { authorization })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  it('answers 401 invalid_client with a challenge for a wrong secret or an unknown client', async () => {
    const client_id = await machine(null);
    for (const id of [client_id, 'nobody']) {
      const answer = await tokenRequest({ grant_type: 'client_credentials', client_id: id, client_secret: 'wrong' });
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      expect(answer.headers.get('www-authenticate')).toBe('Basic');
    }
  });
});

describe('errors of the token endpoint (RFC 6749, 5.2)', () => {
  it.each([
    [{ grant_type: 'implicit', client_id: APP }, 'unsupported_grant_type'],
    [{ client_id: APP }, 'invalid_request'],
    [{ grant_type: 'password', client_id: APP }, 'invalid_request'],
    [{ grant_type: 'password', username: '+15550100', password: '000000' }, 'invalid_request'],
    [{ grant_type: 'client_credentials', client_id: APP }, 'unauthorized_client'],
    [{ grant_type: 'password', client_id: APP, username: '+15550100', password: '0', scope: 'root' }, 'invalid_scope'],
    [{ grant_type: 'password', client_id: APP, username: '+15550100', password: '000000' }, 'invalid_grant'],
    [{ grant_type: 'refresh_token', client_id: APP, refresh_token: 'unknown' }, 'invalid_grant'],
  ])('%j is %s', async (form, error) => {
    const answer = await tokenRequest(form as Record<string, string>);
    expect(answer).toMatchObject({ status: 400, body: { error, error_description: expect.any(String) } });
    expect(answer.headers.get('x-ratelimit-limit')).toBe('100');
  });
});

describe('refresh tokens', () => {
  const refresh = (refresh_token: string) =>
    tokenRequest({ grant_type: 'refresh_token', client_id: APP, refresh_token });

  it('are issued for offline_access and rotate on use', async () => {
    const trader = await createTrader(db);
    const first = await signIn(trader.phone);
    const { status, body } = await refresh(first.refreshToken);
    expect(status).toBe(200);
    const second = body as { access_token: string; refresh_token: string };
    expect(second.refresh_token).not.toBe(first.refreshToken);
    const bearer = { authorization: `Bearer ${second.access_token}` };
    expect(await call('GET /iam/api/userinfo', { headers: bearer })).toMatchObject({ body: { sub: trader.userId } });
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  it('end their whole grant, access tokens included, when one is used twice', async () => {
    const trader = await createTrader(db);
    const first = await signIn(trader.phone);
    const second = (await refresh(first.refreshToken)).body as { access_token: string; refresh_token: string };
    expect(await refresh(first.refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await refresh(second.refresh_token)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    for (const token of [first.accessToken, second.access_token]) {
      const headers = { authorization: `Bearer ${token}` };
      expect((await call('GET /iam/api/userinfo', { headers })).status).toBe(401);
    }
  });

  it('serve no longer than they are in date, and end no grant when they are late', async () => {
    const trader = await createTrader(db);
    const { refreshToken, bearer } = await signIn(trader.phone);
    await env.DB.prepare('UPDATE refresh_tokens SET expires_at = ?1 WHERE user_id = ?2')
      .bind(Date.now() - 1, trader.userId)
      .run();
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await call('GET /iam/api/userinfo', { headers: bearer })).status).toBe(200);
  });

  it('are in date for 30 days', async () => {
    const trader = await createTrader(db);
    const from = Date.now();
    await signIn(trader.phone);
    const row = await env.DB.prepare('SELECT expires_at FROM refresh_tokens WHERE user_id = ?1')
      .bind(trader.userId)
      .first<{ expires_at: number }>();
    expect(row?.expires_at).toBeGreaterThanOrEqual(from + 30 * 86_400_000);
    expect(row?.expires_at).toBeLessThanOrEqual(Date.now() + 30 * 86_400_000);
  });

  it('belong to the client that got them', async () => {
    const trader = await createTrader(db);
    const { refreshToken } = await signIn(trader.phone);
    await createOAuthClient(db, {
      id: 'other-app',
      owner: 'org-test',
      name: 'Other',
      secretHash: null,
      grants: ['refresh_token'],
      userId: null,
      createdAt: Date.now(),
    });
    const stolen = { grant_type: 'refresh_token', client_id: 'other-app', refresh_token: refreshToken };
    expect(await tokenRequest(stolen)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await refresh(refreshToken)).status).toBe(200);
  });
});

describe('the revocation endpoint (RFC 7009)', () => {
  const revoke = (form: Record<string, string>) => call('POST /iam/api/login/oauth/revoke', { form });

  it('refuses a revoked access token at once, and that one alone', async () => {
    const trader = await createTrader(db);
    const session = await signIn(trader.phone);
    const userinfo = () => call('GET /iam/api/userinfo', { headers: session.bearer });
    expect((await userinfo()).status).toBe(200);
    expect((await revoke({ token: session.accessToken, client_id: APP })).status).toBe(200);
    expect((await userinfo()).status).toBe(401);
    const refreshed = await tokenRequest({
      grant_type: 'refresh_token',
      client_id: APP,
      refresh_token: session.refreshToken,
    });
    expect(refreshed.status).toBe(200);
  });

  it('ends the grant of a revoked refresh token, access tokens included', async () => {
    const trader = await createTrader(db);
    const session = await signIn(trader.phone);
    expect((await call('GET /iam/api/userinfo', { headers: session.bearer })).status).toBe(200);
    await revoke({ token: session.refreshToken, client_id: APP });
    expect((await call('GET /iam/api/userinfo', { headers: session.bearer })).status).toBe(401);
  });

  it('leaves tokens of another client as they are', async () => {
    await createOAuthClient(db, {
      id: 'meddler',
      owner: 'org-other',
      name: 'Meddler',
      secretHash: null,
      grants: ['password'],
      userId: null,
      createdAt: Date.now(),
    });
    const session = await signIn((await createTrader(db)).phone);
    for (const token of [session.accessToken, session.refreshToken])
      expect((await revoke({ token, client_id: 'meddler' })).status).toBe(200);
    expect((await call('GET /iam/api/userinfo', { headers: session.bearer })).status).toBe(200);
    const form = { grant_type: 'refresh_token', client_id: APP, refresh_token: session.refreshToken };
    expect((await tokenRequest(form)).status).toBe(200);
  });

  it('answers 200 for what it does not know', async () => {
    expect((await revoke({ token: 'unknown', client_id: APP })).status).toBe(200);
    expect(await revoke({ token: 'unknown', client_id: 'nobody' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
  });
});

describe('discovery', () => {
  it('names the endpoints under the issuer, and they answer', async () => {
    const { body } = await call('GET /iam/.well-known/openid-configuration');
    const metadata = body as Record<string, string>;
    expect(metadata.issuer).toBe(env.IAM_ISSUER);
    expect((await call(`GET ${metadata.jwks_uri}`)).status).toBe(200);
    expect((await call(`POST ${metadata.token_endpoint}`, { form: {} })).status).toBe(400);
    expect((await call(`GET ${metadata.userinfo_endpoint}`)).status).toBe(401);
    expect(createRemoteJWKSet(new URL(metadata.jwks_uri!))).toBeDefined();
  });
});
