import { env } from 'cloudflare:workers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
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
    expect(Object.keys(body as object).sort()).toEqual(['email', 'name', 'owner', 'phone_number', 'sub']);
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
});
