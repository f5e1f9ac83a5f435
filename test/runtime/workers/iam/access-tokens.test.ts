import { env } from 'cloudflare:workers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { verifyCredential } from '../../../../application/identity/verify-credential.ts';
import type { Database } from '../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { verifyAccessToken } from '../../../../durable-objects/credentials/access-token.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { tokenSignedByAnother, tokenUnderHs256, tokenWith } from '../../fixtures/forged-token.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { APP, createApp, receiveCode, signIn, tokenRequest } from '../../fixtures/sign-in.ts';

let db: Database;
let trader: Trader;

beforeAll(async () => {
  db = await migrate();
  await createApp();
  trader = await createTrader(db);
});

/** Time goes forward only, as what an isolate has read ages by it. */
let now = Date.now();

function advance(ms: number): void {
  now = Math.max(now, Date.now()) + ms;
  vi.useFakeTimers({ toFake: ['Date'], now });
}

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function statusWith(token: string): Promise<number> {
  return (await call('GET /iam/api/userinfo', { headers: { authorization: `Bearer ${token}` } })).status;
}

describe('an access token', () => {
  const terms = () => ({ subject: trader.userId, owner: trader.owner });

  it('is accepted with signature, issuer, audience and expiry in order', async () => {
    expect(await statusWith(await tokenWith(terms()))).toBe(200);
  });

  it.each([
    ['is expired', () => tokenWith({ ...terms(), expiresIn: -1 })],
    ['has another issuer', () => tokenWith({ ...terms(), issuer: 'https://elsewhere.example' })],
    ['has another audience', () => tokenWith({ ...terms(), audience: 'tenant' })],
    ['names no owner', () => tokenWith({ ...terms(), owner: null })],
    ['names another owner than its subject has', () => tokenWith({ ...terms(), owner: 'org-other' })],
    ['is signed by another key', () => tokenSignedByAnother(terms())],
    ['M-24: is an ID token', () => tokenWith({ ...terms(), typ: 'JWT' })],
    ['M-24: says no type', () => tokenWith({ ...terms(), typ: null })],
    ['M-24: is of another type', () => tokenWith({ ...terms(), typ: 'logout+jwt' })],
    ['is signed under HS256', () => tokenUnderHs256(terms())],
    [
      'is unsigned',
      async () => {
        const [, payload] = (await tokenWith(terms())).split('.');
        return `${btoa('{"alg":"none"}').replaceAll('=', '')}.${payload}.AAAA`;
      },
    ],
    [
      'was changed',
      async () => {
        const [header, , signature] = (await tokenWith(terms())).split('.');
        const payload = (await tokenWith({ ...terms(), subject: 'someone-else' })).split('.')[1];
        return `${header}.${payload}.${signature}`;
      },
    ],
  ])('that %s is refused', async (_, make) => {
    expect(await statusWith(await make())).toBe(401);
  });

  it('is refused when it is the id_token', async () => {
    const form = {
      grant_type: 'password',
      client_id: APP,
      username: trader.phone,
      password: await receiveCode(trader.phone),
    };
    const { body } = await tokenRequest({ ...form, scope: 'openid' });
    const { access_token, id_token } = body as Record<string, string>;
    expect(await statusWith(access_token!)).toBe(200);
    expect(await statusWith(id_token!)).toBe(401);
  });

  it('that was accepted before is refused from its expiry on', async () => {
    const token = await tokenWith({ ...terms(), expiresIn: 60 });
    expect(await statusWith(token)).toBe(200);
    advance(61_000);
    expect(await statusWith(token)).toBe(401);
  });
});

describe('userinfo', () => {
  it('opens what the scope of the token opens', async () => {
    const { bearer } = await signIn((await createTrader(db)).phone);
    const { body } = await call('GET /iam/api/userinfo', { headers: bearer });
    expect(Object.keys(body as object).sort()).toEqual([
      'email',
      'email_verified',
      'name',
      'owner',
      'phone_number',
      'sub',
    ]);
    const narrow = await tokenWith({ subject: trader.userId });
    const { body: bare } = await call('GET /iam/api/userinfo', { headers: { authorization: `Bearer ${narrow}` } });
    expect(bare).toEqual({ sub: trader.userId, owner: trader.owner });
  });
});

describe('signing keys', () => {
  const published = async () =>
    ((await call('GET /iam/.well-known/jwks')).body as { keys: { kid: string }[] }).keys.map((key) => key.kid);

  it('stand in the database encrypted', async () => {
    await tokenWith({});
    const { results } = await env.DB.prepare('SELECT * FROM signing_keys').all();
    expect(results.length).toBeGreaterThan(0);
    expect(JSON.stringify(results)).not.toContain('\\"d\\"');
  });

  it('rotate: the next one is published before it signs, and tokens of the last one still verify', async () => {
    const operator = await createTrader(db, { roles: ['operator'], owner: VENUE_OWNER });
    const { bearer } = await signIn(operator.phone);
    const before = await published();
    const { status, body } = await call('POST /iam/v1/signing-keys/rotate', { headers: bearer });
    expect(status).toBe(200);
    const { kid, retired } = (body as { data: { kid: string; retired: string[] } }).data;
    expect(retired).toEqual([]);
    expect(await published()).toEqual([...before, kid]);

    const signedBy = async () => JSON.parse(atob((await tokenWith({ subject: trader.userId })).split('.')[0]!)).kid;
    expect(await signedBy()).toBe(before[0]);
    const old = await tokenWith({ subject: trader.userId, expiresIn: 7_200 });
    advance(11 * 60_000);
    expect(await signedBy()).toBe(kid);
    expect(await statusWith(old)).toBe(200);
    expect(await statusWith(await tokenWith({ subject: trader.userId }))).toBe(200);
  });

  it('that leaked retire at once, and their tokens end', async () => {
    const operator = await createTrader(db, { roles: ['operator'], owner: VENUE_OWNER });
    const { bearer } = await signIn(operator.phone);
    const leaked = await tokenWith({ subject: trader.userId, expiresIn: 7_200 });
    expect(await statusWith(leaked)).toBe(200);
    const { body } = await call('POST /iam/v1/signing-keys/rotate?retire=at_once', { headers: bearer });
    expect(await published()).toEqual([(body as { data: { kid: string } }).data.kid]);
    advance(61_000);
    expect(await statusWith(leaked)).toBe(401);
    expect(await statusWith(await tokenWith({ subject: trader.userId }))).toBe(200);
  });

  it('are rotated by an operator of the venue alone', async () => {
    const operator = await createTrader(db, { roles: ['operator'] });
    const { bearer } = await signIn(operator.phone);
    expect((await call('POST /iam/v1/signing-keys/rotate', { headers: bearer })).status).toBe(403);
  });
});

it.each([{ subject: 'a\ud800' }, { owner: 'a\ud800' }])('a token of %j names nobody', async (terms) => {
  expect(await verifyAccessToken(await tokenWith(terms), env)).toEqual({ ok: false, error: 'claims' });
});

describe('the tenant claim', () => {
  it('C-02: names the tenant; without one, the organization is its own', async () => {
    const tenantOf = async (tenant?: unknown) => {
      const verified = await verifyAccessToken(await tokenWith({ tenant }), env);
      return verified.ok ? verified.value.tenant : verified.error;
    };
    expect(await tenantOf('east')).toBe('east');
    for (const none of [undefined, null, '']) expect(await tenantOf(none)).toBe('org-test');
    // Whoever has a claim that is no name is not of the organization's own tenant for that.
    for (const bad of [17, true, ['east'], { id: 'east' }, '\ud800', 'x'.repeat(257)])
      expect(await tenantOf(bad), JSON.stringify(bad)).toBe('claims');
  });
});

describe('another identity provider', () => {
  it('takes the place of the embedded one by issuer and JWKS address', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'theirs', alg: 'RS256', use: 'sig' };
    vi.stubGlobal('fetch', async (url: string) => {
      expect(String(url)).toBe('https://idp.example/jwks');
      return Response.json({ keys: [jwk] });
    });
    const theirs = {
      ...env,
      IAM_ISSUER: 'https://idp.example',
      IAM_JWKS_URL: 'https://idp.example/jwks',
      IAM_AUDIENCE: 'their-audience',
      IAM_ALGORITHMS: 'ES256,RS256',
    };
    const signed = (header: { typ?: string }, claims: Record<string, string> = {}) =>
      new SignJWT({ owner: 'org-test', ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'theirs', ...header })
        .setIssuer('https://idp.example')
        .setAudience('their-audience')
        .setSubject('their-user')
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey);
    // RFC 9068, and what providers issue that were there before it.
    for (const header of [{}, { typ: 'JWT' }, { typ: 'at+jwt' }, { typ: 'application/at+jwt' }])
      expect(await verifyAccessToken(await signed(header), theirs)).toMatchObject({
        ok: true,
        value: { subject: 'their-user', owner: 'org-test' },
      });
    expect(await verifyAccessToken(await signed({ typ: 'logout+jwt' }), theirs)).toEqual({ ok: false, error: 'typ' });
    for (const claim of ['nonce', 'at_hash', 'c_hash'])
      expect(await verifyAccessToken(await signed({ typ: 'JWT' }, { [claim]: 'x' }), theirs)).toEqual({
        ok: false,
        error: 'typ',
      });
    expect(await verifyAccessToken(await tokenWith({}), theirs)).toMatchObject({ ok: false });
  });

  it('I-15: is trusted no further and no longer than ours', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: 'theirs', alg: 'RS256', use: 'sig' };
    let answer: () => Response | Promise<Response> = () => Response.json({ keys: [jwk] });
    vi.stubGlobal('fetch', async () => answer());
    const theirs = {
      ...env,
      IAM_ISSUER: 'https://idp2.example',
      IAM_JWKS_URL: 'https://idp2.example/jwks',
      IAM_AUDIENCE: 'their-audience',
      IAM_ALGORITHMS: 'RS256',
    };
    const start = Date.now();
    const now = Math.floor(start / 1_000);
    const signed = (claims: Record<string, unknown>) =>
      new SignJWT({ owner: 'org-test', iat: now, exp: now + 600, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'theirs' })
        .setIssuer('https://idp2.example')
        .setAudience('their-audience')
        .setSubject('their-user')
        .sign(privateKey);
    const verified = async (claims: Record<string, unknown>) => verifyAccessToken(await signed(claims), theirs);
    expect(await verified({ exp: now + 10 * 365 * 86_400 })).toMatchObject({
      ok: true,
      value: { expiresAt: now + 7_200 },
    });
    expect(await verified({ iat: now + 86_400, exp: now + 90_000 })).toEqual({ ok: false, error: 'term' });
    expect(await verified({ iat: now - 7_200, exp: now + 7_200 })).toEqual({ ok: false, error: 'term' });
    // One's own revocation is nobody else's.
    const nameless = await verified({ client_id: 'their-client' });
    const another = await verified({ client_id: 'their-client', exp: now + 601 });
    if (!nameless.ok || !another.ok) throw new Error('refused');
    expect(nameless.value.revocationIds[0]).toMatch(/^token:[0-9a-f]{64}$/);
    expect(nameless.value.revocationIds[0]).not.toBe(another.value.revocationIds[0]);
    expect(await verified({ jti: 'own' })).toMatchObject({ ok: true, value: { revocationIds: ['own'] } });
    // A key that is withdrawn is out within a minute; keys that cannot be read say nothing of a token.
    vi.useFakeTimers({ toFake: ['Date'], now: start + 61_000 });
    answer = () => new Response('', { status: 503 });
    expect(await verified({ jti: 'away' })).toEqual({ ok: false, error: 'keys_unavailable' });
    answer = () => Promise.reject(new TypeError('connection refused'));
    expect(await verified({ jti: 'away' })).toEqual({ ok: false, error: 'keys_unavailable' });
    answer = () => Response.json({ keys: [] });
    expect(await verified({ jti: 'away' })).toMatchObject({ ok: false, error: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  it('I-15: is 503 for its callers while its keys cannot be read', async () => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 503 }));
    const theirs = { ...env, IAM_ISSUER: 'https://idp3.example', IAM_JWKS_URL: 'https://idp3.example/jwks' };
    const accessToken = await tokenWith({});
    const answer = await verifyCredential(theirs, {
      credential: { type: 'bearer', accessToken, tenantToken: null, keyId: null },
      clientAddress: '192.0.2.77',
      takesKey: false,
      terms: async () => ({
        ok: true,
        value: { draw: { bucket: 'private', cost: 1, clientAddress: '192.0.2.77' }, signed: null },
      }),
    });
    expect(answer).toEqual({ type: 'unavailable' });
  });
});
