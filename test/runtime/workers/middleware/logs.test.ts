import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeBug } from '../../../../application/log/describe-bug.ts';
import { createTestKey, sign } from '../../fixtures/api-key.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { APP, createApp, receiveCode, signIn, tokenRequest } from '../../fixtures/sign-in.ts';

let trader: Trader;
const lines: string[] = [];

beforeAll(async () => {
  const db = await migrate();
  await createApp();
  trader = await createTrader(db);
});

beforeEach(() => {
  lines.length = 0;
  for (const level of ['log', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, level).mockImplementation((...said: unknown[]) => void lines.push(said.map(String).join(' ')));
  }
});

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the log', () => {
  it('has one JSON line per request: id, profile, owner, route pattern, status, duration', async () => {
    const { bearer } = await signIn(trader.phone);
    lines.length = 0;
    await call('DELETE /iam/v1/keys/some-id', { headers: { ...bearer, 'x-request-id': 'request-0001' } });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'info',
        event: 'request',
        request_id: 'request-0001',
        profile: 'iam',
        method: 'DELETE',
        route: '/v1/keys/{id}',
        status: 404,
        duration_ms: expect.any(Number),
        owner: 'org-test',
        user: trader.userId,
        key: null,
      },
    ]);
  });

  it('says why a credential was refused, to the operator alone', async () => {
    const answer = await call('GET /iam/api/userinfo', { headers: { authorization: 'Bearer a.b.c' } });
    expect(JSON.parse(lines[0]!)).toMatchObject({ status: 401, refusal: 'ERR_JWS_INVALID' });
    expect(JSON.stringify(answer.body)).not.toContain('JWS');
  });

  it('never holds a token, a secret, a signature or a one-time code, whatever is sent where', async () => {
    const person = await createTrader(await migrate());
    const code = await receiveCode(person.phone);
    const wrong = await tokenRequest({
      grant_type: 'password',
      client_id: APP,
      username: person.phone,
      password: code === '000000' ? '000001' : '000000',
    });
    expect(wrong.status).toBe(400);
    const tokens = (
      await tokenRequest({
        grant_type: 'password',
        client_id: APP,
        username: person.phone,
        password: code,
        scope: 'openid offline_access',
      })
    ).body as Record<string, string>;
    const bearer = { authorization: `Bearer ${tokens.access_token}` };
    const tenant = (await call('POST /exchange/v1/auth/tenant-token', { headers: bearer })).body as { token: string };
    await call('GET /exchange/v1/account', { headers: { ...bearer, 'tenant-authorization': tenant.token } });
    const key = await createTestKey(person);
    await call('GET /book/v1/account/balances', { headers: key.headers });
    const signed = await sign(key, { method: 'GET', path: '/book/v1/account/balances' });
    await call('GET /book/v1/account/balances', { headers: signed });
    const made = (await call('POST /iam/v1/keys', { headers: bearer, json: { name: 'k', scopes: ['read'] } })).body as {
      data: { id: string; secret: string };
    };
    await call(`GET /exchange/v1/${tokens.access_token}?token=${tokens.access_token}&secret=${key.secret}`, {
      headers: bearer,
    });
    await call(`POST /iam/v1/keys/${made.data.id}/rotate`, { headers: bearer });
    await tokenRequest({ grant_type: 'refresh_token', client_id: APP, refresh_token: tokens.refresh_token! });
    await call('POST /iam/api/login/oauth/revoke', { form: { token: tokens.access_token!, client_id: APP } });
    await call('GET /iam/api/userinfo', { headers: bearer });

    const log = lines.join('\n');
    expect(lines.length).toBeGreaterThan(12);
    // Within an id its digits may stand by chance.
    expect(log.match(/(?<![\da-f])\d{6}(?![\da-f])/g) ?? []).not.toContain(code);
    const secrets = {
      access: tokens.access_token,
      id: tokens.id_token,
      refresh: tokens.refresh_token,
      tenant: tenant.token,
      keySecret: key.secret,
      signature: signed['x-api-signature'],
      madeSecret: made.data.secret,
    };
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret, name).toBeTypeOf('string');
      expect(log, name).not.toContain(secret);
    }
    expect(log).not.toContain(person.phone);
  });

  it('tells of a bug without the parameters of the query that failed', () => {
    const cause = new Error('D1_ERROR: no such table: users');
    const error = new Error('Failed query: select 1\nparams: +15550100,ciphertext', { cause });
    error.stack = `Error: ${error.message}\n    at somewhere (file.ts:1:1)`;
    expect(describeBug(error)).toEqual({ error: 'Error', message: cause.message, at: ['at somewhere (file.ts:1:1)'] });
    expect(JSON.stringify(describeBug(new Error(error.message)))).not.toContain('+15550100');
  });
});
