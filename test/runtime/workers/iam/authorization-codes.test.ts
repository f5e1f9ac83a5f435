import { env } from 'cloudflare:workers';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { decodeJwt } from 'jose';
import * as relyingParty from 'openid-client';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { ACTIVE_KEYS_MAX, findApiKey, listApiKeys } from '../../../../data/identity/api-keys.ts';
import { createOAuthClient } from '../../../../data/identity/oauth-clients.ts';
import { createTestKey } from '../../fixtures/api-key.ts';
import { Browser, type Page, pkce } from '../../fixtures/browser.ts';
import { call } from '../../fixtures/call.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createApp, tokenRequest } from '../../fixtures/sign-in.ts';
import { AgentClient, bearerOf as bearerOfTrader, MCP } from '../agent/agent-client.ts';

const AUTHORIZE = 'http://localhost/iam/api/login/oauth/authorize';
const REDIRECT = 'https://shop.northwind.com/cb?from=venue';
const OUT = 'https://shop.northwind.com/out?from=venue';
const SHOP = 'shop-app';
const OTHER = 'other-app';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
  await createPair(db, 'OAU');
  await createPair(db, 'OAV');
  for (const id of [SHOP, OTHER])
    await createOAuthClient(db, {
      id,
      owner: 'org-test',
      name: id === SHOP ? 'Shop <b>&</b> Co' : 'Other',
      secretHash: null,
      grants: ['authorization_code', 'password', 'refresh_token'],
      redirectUris: [REDIRECT],
      postLogoutRedirectUris: id === SHOP ? [OUT] : [],
      userId: null,
      createdAt: Date.now(),
    });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

function urlOf(challenge: string, change: Readonly<Record<string, string>> = {}): string {
  const query = {
    response_type: 'code',
    client_id: SHOP,
    redirect_uri: REDIRECT,
    scope: 'openid profile',
    state: 'state-1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...change,
  };
  return `${AUTHORIZE}?${new URLSearchParams(query)}`;
}

/** What the client is answered, at its own address. */
function answered({ status, location }: Page): Record<string, string> {
  const url = new URL(location ?? 'about:blank');
  if (status !== 303 || !url.href.startsWith('https://shop.northwind.com/cb?from=venue&'))
    throw new Error(`fixture: the client was not answered, ${status} ${location}`);
  return Object.fromEntries(url.searchParams);
}

interface Granted {
  readonly trader: Trader;
  readonly browser: Browser;
  readonly url: string;
  readonly code: string;
  readonly verifier: string;
}

/** Somebody signs in, allows the client, and the client has a code. */
async function granted(change: Readonly<Record<string, string>> = {}): Promise<Granted> {
  const trader = await createTrader(db);
  const browser = new Browser();
  const { verifier, challenge } = await pkce();
  const url = urlOf(challenge, change);
  const consent = await browser.signIn(url, trader.phone);
  const { code = '' } = answered(await browser.send(url, consent, { answer: 'allow' }));
  return { trader, browser, url, code, verifier };
}

function redeem({ code, verifier }: Pick<Granted, 'code' | 'verifier'>, change: Readonly<Record<string, string>> = {}) {
  return tokenRequest({
    grant_type: 'authorization_code',
    client_id: SHOP,
    redirect_uri: REDIRECT,
    code,
    code_verifier: verifier,
    ...change,
  });
}

function bearerOf({ body }: { readonly body: unknown }): { readonly authorization: string } {
  return { authorization: `Bearer ${(body as { access_token: string }).access_token}` };
}

const userinfo = (headers: Readonly<Record<string, string>>) => call('GET /iam/api/userinfo', { headers });

describe('signing in by a browser', () => {
  it('leads by phone, code and consent back to the client, with issuer and state; the code buys tokens once', async () => {
    const trader = await createTrader(db);
    const browser = new Browser();
    const { verifier, challenge } = await pkce();
    const url = urlOf(challenge, { nonce: 'n-1' });
    const before = Math.floor(Date.now() / 1_000);
    const consent = await browser.signIn(url, trader.phone);
    expect(consent.status).toBe(200);
    expect(consent.html).toContain('Shop &lt;b&gt;&amp;&lt;/b&gt; Co');
    expect(consent.html).toContain('shop.northwind.com');
    expect(consent.html).toContain('see your name');
    const answer = answered(await browser.send(url, consent, { answer: 'allow' }));
    expect(answer).toEqual({ from: 'venue', code: expect.any(String), state: 'state-1', iss: env.IAM_ISSUER });
    const bought = await redeem({ code: answer.code ?? '', verifier });
    expect(bought.status).toBe(200);
    const tokens = bought.body as { access_token: string; id_token: string };
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      sub: trader.userId,
      aud: env.IAM_AUDIENCE,
      client_id: SHOP,
    });
    const id = decodeJwt(tokens.id_token);
    expect(id).toMatchObject({ sub: trader.userId, aud: SHOP, nonce: 'n-1', name: `Trader ${trader.userId}` });
    expect(id.auth_time).toBeGreaterThanOrEqual(before);
    expect((await userinfo(bearerOf(bought))).status).toBe(200);
  });

  it('a second use of the code is refused, and ends what the first has bought', async () => {
    const grant = await granted({ scope: 'openid offline_access' });
    const first = await redeem(grant);
    expect(first.status).toBe(200);
    expect(await redeem(grant)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await userinfo(bearerOf(first))).status).toBe(401);
    const refresh_token = (first.body as { refresh_token: string }).refresh_token;
    const refreshed = await tokenRequest({ grant_type: 'refresh_token', client_id: SHOP, refresh_token });
    expect(refreshed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('of uses at the same time one at most buys, and nothing that it bought is left', async () => {
    const grant = await granted();
    const answers = await Promise.all([redeem(grant), redeem(grant), redeem(grant)]);
    const bought = answers.filter(({ status }) => status === 200);
    expect(bought.length).toBeLessThanOrEqual(1);
    for (const answer of bought) expect((await userinfo(bearerOf(answer))).status).toBe(401);
  });

  it.each([
    ['another verifier', { code_verifier: 'a'.repeat(43) }],
    ['no verifier of the right form', { code_verifier: 'short' }],
    ['another client', { client_id: OTHER }],
    ['another place of answer', { redirect_uri: 'https://shop.northwind.com/cb' }],
    ['a resource that it was not given for', { resource: MCP }],
  ])('a code buys nothing with %s, and is good for its own client still', async (_, change) => {
    const grant = await granted();
    const refused = await redeem(grant, change);
    expect(refused.status).toBe(400);
    expect(['invalid_grant', 'invalid_target']).toContain((refused.body as { error: string }).error);
    expect((await redeem(grant)).status).toBe(200);
  });

  it('a code is good for a minute', async () => {
    const grant = await granted();
    later(61_000);
    expect(await redeem(grant)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('a refresh keeps who may be told what, and goes on as long as the consent does', async () => {
    const grant = await granted({ scope: 'openid offline_access' });
    const refresh = ({ body }: { readonly body: unknown }) => {
      const { refresh_token } = body as { refresh_token: string };
      return tokenRequest({ grant_type: 'refresh_token', client_id: SHOP, refresh_token });
    };
    const again = await refresh(await redeem(grant));
    expect(again).toMatchObject({ status: 200, body: { scope: 'openid offline_access' } });
    expect(decodeJwt((again.body as { id_token: string }).id_token)).toMatchObject({ auth_time: expect.any(Number) });
    const { refresh_token } = again.body as { refresh_token: string };
    const elsewhere = {
      grant_type: 'refresh_token',
      client_id: SHOP,
      refresh_token,
      resource: 'https://x.northwind.com',
    };
    expect(await tokenRequest(elsewhere), 'spends nothing').toMatchObject({ body: { error: 'invalid_target' } });
    await env.DB.prepare('DELETE FROM consents WHERE user_id = ?').bind(grant.trader.userId).run();
    expect(await refresh(again)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await userinfo(bearerOf(again))).status).toBe(401);
  });

  it('what a person allows anew in place of more ends what went by that', async () => {
    const grant = await granted({ scope: 'openid profile offline_access' });
    const { body } = await redeem(grant);
    const narrower = `${grant.url.replace('openid+profile+offline_access', 'openid')}&prompt=consent`;
    const consent = await grant.browser.open(narrower);
    answered(await grant.browser.send(narrower, consent, { answer: 'allow' }));
    const { refresh_token } = body as { refresh_token: string };
    const refreshed = await tokenRequest({ grant_type: 'refresh_token', client_id: SHOP, refresh_token });
    expect(refreshed).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('keeps the latest codes that nobody has used, so that asking for many keeps no client’s out', async () => {
    const { browser, url, trader, code, verifier } = await granted();
    for (let asked = 0; asked < 21; asked++) answered(await browser.open(url));
    const left = await env.DB.prepare('SELECT count(*) AS n FROM authorizations WHERE user_id = ?').bind(trader.userId);
    expect(await left.first('n')).toBe(20);
    expect((await redeem({ code, verifier })).status, 'the oldest is gone').toBe(400);
    await env.DB.prepare(`UPDATE authorizations SET used_at = 1, client_id = 'busy-app' WHERE user_id = ?`)
      .bind(trader.userId)
      .run();
    expect(answered(await browser.open(url))).toMatchObject({ code: expect.any(String) });
  });

  it('what the person has allowed is not asked again, unless more is asked for or the client wants it', async () => {
    const { browser, url } = await granted();
    expect(answered(await browser.open(url))).toMatchObject({ code: expect.any(String) });
    expect((await browser.open(`${url}&prompt=consent`)).status).toBe(200);
    expect((await browser.open(url.replace('openid+profile', 'openid+phone'))).html).toContain('see your phone number');
    expect(answered(await browser.open(`${url}&prompt=none`))).toMatchObject({ code: expect.any(String) });
    expect(answered(await browser.open(`${url.replace('openid+profile', 'openid+phone')}&prompt=none`))).toMatchObject({
      error: 'consent_required',
    });
  });

  it('whoever does not allow it sends the client away without a code', async () => {
    const trader = await createTrader(db);
    const browser = new Browser();
    const url = urlOf((await pkce()).challenge);
    const consent = await browser.signIn(url, trader.phone);
    const answer = answered(await browser.send(url, consent, { answer: 'deny' }));
    expect(answer).toMatchObject({ error: 'access_denied', state: 'state-1', iss: env.IAM_ISSUER });
    expect(answer).not.toHaveProperty('code');
  });

  it('signs in again for prompt=login and beyond max_age, once', async () => {
    const { browser, url, trader } = await granted();
    expect((await browser.open(`${url}&prompt=login`)).html).toContain('name="phone"');
    later(120_000);
    expect(answered(await browser.open(`${url}&max_age=600`))).toMatchObject({ code: expect.any(String) });
    expect((await browser.open(`${url}&max_age=60`)).html).toContain('name="phone"');
    expect(answered(await browser.signIn(`${url}&prompt=login`, trader.phone))).toMatchObject({
      code: expect.any(String),
    });
  });
});

describe('whom the answer reaches', () => {
  it.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['a place that the client has not registered', { redirect_uri: 'https://evil.northwind.com/cb' }],
    ['its own place with another query', { redirect_uri: 'https://shop.northwind.com/cb?from=evil' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['a client without this grant', { client_id: 'test-app' }],
  ])('nobody but the person, where the request names %s', async (_, change) => {
    const page = await new Browser().open(urlOf((await pkce()).challenge, { ...change, prompt: 'none' }));
    expect(page.status).toBe(400);
    expect(page.location).toBeNull();
    expect(page.html).not.toContain('evil');
  });

  it.each([
    ['no challenge', { code_challenge: '' }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another kind of answer', { response_type: 'token' }, 'unsupported_response_type'],
    ['a resource that is not ours', { resource: 'https://evil.northwind.com/mcp' }, 'invalid_target'],
    ['nobody signed in, where no page may be shown', { prompt: 'none' }, 'login_required'],
  ])('the client is told of %s', async (_, change, error) => {
    const answer = answered(await new Browser().open(urlOf((await pkce()).challenge, change)));
    expect(answer).toMatchObject({ error, state: 'state-1', iss: env.IAM_ISSUER });
  });

  it('a redirect URI that is named twice is nobody’s', async () => {
    const page = await new Browser().open(
      `${urlOf((await pkce()).challenge)}&redirect_uri=https://evil.northwind.com/`,
    );
    expect([page.status, page.location]).toEqual([400, null]);
  });
});

describe('pages', () => {
  it('run our script alone, are framed by nobody, and keep their cookies from scripts and other sites', async () => {
    const page = await new Browser().open(urlOf((await pkce()).challenge), { 'accept-language': 'de-AT,en;q=0.5' });
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://shop.northwind.com");
    expect(policy).toMatch(/script-src 'sha256-[^' ]+';/);
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const cookie = page.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/);
    expect(page.html).toContain('<html lang="de">');
    expect(page.html).toContain('Telefonnummer');
    const style = /<style>([\s\S]*)<\/style>/.exec(page.html)?.[1] ?? '';
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style));
    expect(policy).toContain(`'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`);
  });

  it('answer known and unknown numbers alike, and say what is wrong beside the field', async () => {
    const trader = await createTrader(db);
    const url = urlOf((await pkce()).challenge);
    const pageFor = async (phone: string) => {
      const browser = new Browser();
      return browser.send(url, await browser.open(url), { phone });
    };
    const unknown = `+1${String(Date.now()).padEnd(12, '7').slice(-12)}`;
    const bare = ({ status, html }: Page, phone: string) =>
      `${status} ${html.replaceAll(phone, 'PHONE').replace(/name="form_token" value="[^"]+"/, '')}`;
    expect(bare(await pageFor(trader.phone), trader.phone)).toBe(bare(await pageFor(unknown), unknown));
    const wrong = await pageFor('12345');
    expect(wrong.status).toBe(400);
    expect(wrong.html).toContain('aria-invalid="true"');
    const browser = new Browser();
    const code = await browser.send(url, await browser.open(url), { phone: unknown });
    const refused = await browser.send(url, code, { code: '123456' });
    expect([refused.status, refused.location]).toEqual([400, null]);
    expect(refused.html).toContain('The code is wrong');
  });

  it.each([
    ['from another site', {}, { origin: 'https://evil.northwind.com' }],
    ['from nowhere', {}, { origin: 'null' }],
    ['without the token of the form', { form_token: '' }, {}],
    ['with another token', { form_token: 'a'.repeat(43) }, {}],
  ])('a consent that is sent %s allows nothing', async (_, written, headers) => {
    const trader = await createTrader(db);
    const browser = new Browser();
    const url = urlOf((await pkce()).challenge);
    const consent = await browser.signIn(url, trader.phone);
    const sent = await browser.send(url, consent, { answer: 'allow', ...written }, headers);
    expect([sent.status, sent.location]).toEqual([403, null]);
    expect((await browser.open(url)).status).toBe(200);
  });

  it('the form of one request answers no other, nor that of another browser', async () => {
    const [trader, other] = [await createTrader(db), await createTrader(db)];
    const [browser, another] = [new Browser(), new Browser()];
    const url = urlOf((await pkce()).challenge);
    const consent = await browser.signIn(url, trader.phone);
    const elsewhere = {
      ...consent,
      html: consent.html.replace(
        /action="\?[^"]+"/,
        `action="?${new URL(urlOf((await pkce()).challenge, { client_id: OTHER })).search.slice(1)}"`,
      ),
    };
    expect((await browser.send(url, elsewhere, { answer: 'allow' })).status).toBe(403);
    await another.signIn(url, other.phone);
    expect((await another.send(url, consent, { answer: 'allow' })).status).toBe(403);
  });
});

describe('the session of a browser', () => {
  const isSignedIn = async ({ browser, url }: Granted) => !(await browser.open(url)).html.includes('name="phone"');

  it('ends with the kill switch, and so does a code that was given before', async () => {
    const grant = await granted();
    expect(await isSignedIn(grant)).toBe(true);
    const headers = await bearerOfTrader(grant.trader);
    const ended = await call(`POST /iam/v1/users/${grant.trader.userId}/kill-switch`, { headers });
    expect(ended.status).toBe(200);
    expect(await isSignedIn(grant)).toBe(false);
    expect(await redeem(grant)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    later(60_000);
    expect((await grant.browser.signIn(grant.url, grant.trader.phone)).html).toContain('asks for access');
  });

  it('ends after two hours without use, and after twelve in any case', async () => {
    const grant = await granted();
    for (let hour = 1; hour < 12; hour++) {
      later(3_600_000);
      expect(await isSignedIn(grant)).toBe(true);
    }
    later(3_600_000);
    expect(await isSignedIn(grant)).toBe(false);
    const idle = await granted();
    later(2 * 3_600_000 + 1);
    expect(await isSignedIn(idle)).toBe(false);
  });

  it('ends with signing out, and is another one for each signing in', async () => {
    const trader = await createTrader(db);
    const browser = new Browser();
    const url = urlOf((await pkce()).challenge);
    browser.setCookie('exchange-session', 'a'.repeat(43));
    const consent = await browser.signIn(url, trader.phone);
    const session = browser.cookie('exchange-session') ?? '';
    expect(session).not.toBe('a'.repeat(43));
    expect((await browser.send(url, consent, { answer: 'other' })).status).toBe(303);
    browser.setCookie('exchange-session', session);
    expect((await browser.open(url)).html).toContain('name="phone"');
  });
});

describe('signing out through an application', () => {
  const LOGOUT = 'http://localhost/iam/api/login/oauth/logout';

  interface SignedIn extends Granted {
    readonly idToken: string;
    readonly refreshToken: string;
    readonly accessToken: string;
  }

  async function signedIn(): Promise<SignedIn> {
    const grant = await granted({ scope: 'openid offline_access' });
    const { id_token, refresh_token, access_token } = (await redeem(grant)).body as Record<string, string>;
    return { ...grant, idToken: id_token!, refreshToken: refresh_token!, accessToken: access_token! };
  }

  const outUrl = (asked: Readonly<Record<string, string>>) => `${LOGOUT}?${new URLSearchParams(asked)}`;
  const isSignedIn = async ({ browser, url }: Granted) => !(await browser.open(url)).html.includes('name="phone"');
  const refreshed = ({ refreshToken }: SignedIn) =>
    tokenRequest({ grant_type: 'refresh_token', client_id: SHOP, refresh_token: refreshToken });
  const asks = ({ status, location, html }: Page) =>
    status === 200 && location === null && html.includes('value="sign_out"');

  it('ends session and tokens at once by the hint of that session, sends back to the registered place, and asks whoever shows it again', async () => {
    const one = await signedIn();
    const url = outUrl({ id_token_hint: one.idToken, post_logout_redirect_uri: OUT, state: 's-1' });
    const page = await one.browser.open(url);
    expect([page.status, page.location]).toEqual([303, `${OUT}&state=s-1`]);
    expect(await isSignedIn(one)).toBe(false);
    expect(one.browser.cookie('exchange-session')).toBeUndefined();
    expect(await refreshed(one)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await userinfo({ authorization: `Bearer ${one.accessToken}` })).status).toBe(401);
    const entries = await env.DB.prepare(
      "SELECT client_id FROM sign_ins WHERE user_id = ? AND type = 'session_ended' AND reason = 'signed_out'",
    )
      .bind(one.trader.userId)
      .all();
    expect(entries.results).toEqual([{ client_id: SHOP }]);
    later(31_000);
    await one.browser.signIn(one.url, one.trader.phone);
    expect(asks(await one.browser.open(url)), 'another session').toBe(true);
    expect(await isSignedIn(one)).toBe(true);
  });

  it('takes a hint that is out of date, and leaves what other sessions and clients have', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    for (const minutes of [70, 70]) {
      later(minutes * 60_000);
      expect(await isSignedIn(one)).toBe(true);
      expect(await isSignedIn(other)).toBe(true);
    }
    const late = await one.browser.open(outUrl({ id_token_hint: one.idToken, client_id: SHOP }));
    expect([late.status, late.html.includes('You are signed out')]).toEqual([200, true]);
    expect(await isSignedIn(one)).toBe(false);
    expect(await isSignedIn(other)).toBe(true);
    expect((await refreshed(other)).status).toBe(200);
  });

  it.each([
    ['no hint', () => ({})],
    ['the client alone', () => ({ client_id: SHOP, post_logout_redirect_uri: OUT })],
    ['the hint of another person', (_: SignedIn, other: SignedIn) => ({ id_token_hint: other.idToken })],
    [
      'the hint of a key that is published no more',
      (_: SignedIn, __: SignedIn, gone: string) => ({ id_token_hint: gone }),
    ],
  ])('asks where a link has %s, and ends what the person says', async (_, asked) => {
    const [one, other] = [await signedIn(), await signedIn()];
    const [head = '', ...rest] = other.idToken.split('.');
    const unknown = btoa(atob(head).replace(/"kid":"[^"]+"/, '"kid":"gone"')).replaceAll('=', '');
    const fields = asked(one, other, [unknown, ...rest].join('.'));
    const url = outUrl(fields as Record<string, string>);
    const page = await one.browser.open(url, { 'accept-language': 'de' });
    expect(asks(page)).toBe(true);
    expect(page.html).toContain('Abmelden?');
    expect(await isSignedIn(one)).toBe(true);
    const stays = await one.browser.send(url, page, { answer: 'stay' });
    expect([stays.status, stays.location]).toEqual([200, null]);
    expect(await isSignedIn(one)).toBe(true);
    const forged = await one.browser.send(url, page, { answer: 'sign_out' }, { origin: 'https://evil.northwind.com' });
    expect([forged.status, await isSignedIn(one)]).toEqual([403, true]);
    const out = await one.browser.send(url, page, { answer: 'sign_out' });
    expect([out.status, out.location]).toEqual('client_id' in fields ? [303, OUT] : [200, null]);
    expect(await isSignedIn(one)).toBe(false);
    expect(await isSignedIn(other), 'nobody else').toBe(true);
    expect((await refreshed(other)).status).toBe(200);
  });

  it.each([
    [
      'a place that was not registered',
      () => ({ client_id: SHOP, post_logout_redirect_uri: 'https://evil.northwind.com/' }),
    ],
    [
      'the place of signing in',
      ({ idToken }: SignedIn) => ({ id_token_hint: idToken, post_logout_redirect_uri: REDIRECT }),
    ],
    [
      'the registered place with more',
      ({ idToken }: SignedIn) => ({ id_token_hint: idToken, post_logout_redirect_uri: `${OUT}&to=evil` }),
    ],
    [
      'the hint of another client than the one that is named',
      ({ idToken }: SignedIn) => ({ id_token_hint: idToken, client_id: OTHER }),
    ],
    ['an access token as its hint', ({ accessToken }: SignedIn) => ({ id_token_hint: accessToken })],
    ['a hint that was changed', ({ idToken }: SignedIn) => ({ id_token_hint: changed(idToken) })],
    ['a hint without a signature', ({ idToken }: SignedIn) => ({ id_token_hint: unsigned(idToken) })],
    [
      'a place twice',
      () => [
        ['client_id', SHOP],
        ['post_logout_redirect_uri', OUT],
        ['post_logout_redirect_uri', OUT],
      ],
    ],
  ])('ends nothing and leads nowhere with %s', async (_, asked) => {
    const one = await signedIn();
    const query = new URLSearchParams(asked(one) as Record<string, string>);
    const page = await one.browser.open(`${LOGOUT}?${query}`);
    expect([page.status, page.location]).toEqual([400, null]);
    expect(page.html).not.toContain('evil');
    expect(await isSignedIn(one)).toBe(true);
  });

  it('names no place of a client that is not proved, and shows the place first to who is not signed in', async () => {
    const browser = new Browser();
    const unnamed = await browser.open(outUrl({ post_logout_redirect_uri: 'https://evil.northwind.com/' }));
    expect([unnamed.status, unnamed.location, unnamed.html.includes('evil')]).toEqual([200, null, false]);
    const approved = await browser.open(outUrl({ client_id: SHOP, post_logout_redirect_uri: OUT }));
    expect([approved.status, approved.location], 'an operator has made it').toEqual([303, OUT]);
    const registered = await call('POST /iam/api/login/oauth/register', {
      json: {
        redirect_uris: ['https://own.northwind.com/cb'],
        post_logout_redirect_uris: ['https://own.northwind.com/out'],
      },
    });
    expect(registered).toMatchObject({
      status: 201,
      body: { post_logout_redirect_uris: ['https://own.northwind.com/out'] },
    });
    const { client_id = '' } = registered.body as { client_id?: string };
    const lure = outUrl({ client_id, post_logout_redirect_uri: 'https://own.northwind.com/out', state: 'a' });
    const shown = await browser.open(lure);
    expect([shown.status, shown.location]).toEqual([200, null]);
    expect(shown.html).toContain('<a href="https://own.northwind.com/out?state=a">Go to own.northwind.com</a>');
    const one = await signedIn();
    const asked = await one.browser.open(lure);
    expect(asks(asked)).toBe(true);
    expect(asked.html).toContain('Nobody has checked who this is');
    expect(asked.html).toContain('<dt>You will be sent to</dt><dd>own.northwind.com</dd>');
    expect(asked.headers.get('content-security-policy')).not.toContain('own.northwind.com');
    const out = await one.browser.send(lure, asked, { answer: 'sign_out' });
    expect([out.status, out.location], 'signed out, and sent nowhere').toEqual([200, null]);
    expect(out.html).toContain('<a href="https://own.northwind.com/out?state=a">Go to own.northwind.com</a>');
    expect(await isSignedIn(one)).toBe(false);
  });

  it('takes the request by POST, too, and judges it at its address, in the language that the application asks for', async () => {
    const one = await signedIn();
    const fields = { client_id: SHOP, ui_locales: 'fr de', id_token_hint: '' };
    const sent = await callWorker(LOGOUT, {
      method: 'POST',
      body: new URLSearchParams({ ...fields, other: 'x' }),
      headers: { origin: 'https://shop.northwind.com', 'cf-connecting-ip': freshAddress() },
      redirect: 'manual',
    });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `?client_id=${SHOP}&ui_locales=fr+de`]);
    const page = await one.browser.open(`${LOGOUT}${sent.headers.get('location')}`);
    expect(asks(page)).toBe(true);
    expect(page.html).toContain('Shop &lt;b&gt;&amp;&lt;/b&gt; Co fragt, ob');
  });

  function changed(token: string): string {
    const [head, body = '', signature] = token.split('.');
    const claims = { ...JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/'))), sub: 'somebody' };
    return [head, btoa(JSON.stringify(claims)).replaceAll('=', ''), signature].join('.');
  }

  function unsigned(token: string): string {
    const [, body] = token.split('.');
    return [btoa(JSON.stringify({ alg: 'none', typ: 'JWT', kid: 'a' })).replaceAll('=', ''), body, ''].join('.');
  }
});

it('an application without a server: its own pages read its tokens and claims, and pages of others nothing', async () => {
  const grant = await granted({ scope: 'openid profile' });
  const [own, evil] = ['https://shop.northwind.com', 'https://evil.northwind.com'];
  const readableBy = ({ headers }: { readonly headers: Headers }) => headers.get('access-control-allow-origin');
  const form = { grant_type: 'authorization_code', client_id: SHOP, redirect_uri: REDIRECT };
  const token = (origin: string, change: Readonly<Record<string, string>> = {}) =>
    call('POST /iam/api/login/oauth/access_token', {
      form: { ...form, code: grant.code, code_verifier: grant.verifier, ...change },
      headers: { origin },
    });
  const wrong = { code_verifier: 'a'.repeat(43) };
  expect(readableBy(await token(evil, wrong))).toBeNull();
  expect(readableBy(await token('null', wrong))).toBeNull();
  expect(readableBy(await token(own, { ...wrong, client_id: 'test-app' })), 'of another client').toBeNull();
  expect(readableBy(await token(own, { ...wrong, client_secret: 'x' })), 'with a secret').toBeNull();
  expect(readableBy(await token(own, wrong)), 'its own refusals, too').toBe(own);
  const bought = await token(own);
  expect([bought.status, readableBy(bought)]).toEqual([200, own]);
  expect(bought.headers.get('access-control-allow-credentials')).toBeNull();
  expect(bought.headers.get('vary')).toContain('origin');
  const claims = (origin: string) => userinfo({ ...bearerOf(bought), origin });
  expect(readableBy(await claims(own))).toBe(own);
  expect(readableBy(await claims(evil))).toBeNull();
  const revoke = (origin: string) =>
    call('POST /iam/api/login/oauth/revoke', { form: { client_id: SHOP, token: 'x' }, headers: { origin } });
  expect(readableBy(await revoke(own))).toBe(own);
  expect(readableBy(await revoke(evil))).toBeNull();
  const asked = { origin: own, 'access-control-request-method': 'GET' };
  const preflight = await call('OPTIONS /iam/api/userinfo', { headers: asked });
  expect([preflight.status, readableBy(preflight)]).toEqual([204, own]);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  const plain = await call('OPTIONS /iam/api/userinfo', { headers: { ...asked, origin: 'http://shop.northwind.com' } });
  expect([plain.status, readableBy(plain)]).toEqual([403, null]);
  expect(readableBy(await call('GET /iam/.well-known/jwks', { headers: { origin: evil } }))).toBe('*');
  const keys = await call('GET /iam/v1/keys', { headers: { ...(await bearerOfTrader(grant.trader)), origin: own } });
  expect(readableBy(keys), 'nothing else').toBeNull();
  const secret = (hash: string | null) =>
    env.DB.prepare('UPDATE oauth_clients SET secret_hash = ? WHERE id = ?').bind(hash, SHOP).run();
  await secret('a'.repeat(64));
  try {
    expect(readableBy(await claims(own)), 'a client with a secret').toBeNull();
    const basic = { origin: own, authorization: `Basic ${btoa(`${SHOP}:secret`)}` };
    const { client_id: _, ...rest } = form;
    const asksByBasic = await call('POST /iam/api/login/oauth/access_token', {
      form: { ...rest, ...wrong, code: grant.code },
      headers: basic,
    });
    expect([asksByBasic.status >= 400, readableBy(asksByBasic)]).toEqual([true, null]);
    expect(readableBy(await token(own, wrong))).toBeNull();
    expect(readableBy(await revoke(own))).toBeNull();
  } finally {
    await secret(null);
  }
});

interface Agent {
  readonly trader: Trader;
  readonly tokens: Record<string, string>;
  readonly clientId: string;
  readonly provider: OAuthClientProvider;
  readonly browser: Browser;
  readonly url: string;
}

/** The OAuth client of the MCP SDK, led by the address of the agent server alone. */
async function connectedAgent(limits: Readonly<Record<string, string>>, cash = 0): Promise<Agent> {
  const trader = await createTrader(db, { cash });
  const browser = new Browser();
  const address = freshAddress();
  const kept: { client?: unknown; tokens?: unknown; verifier?: string; url?: URL } = {};
  const provider = {
    redirectUrl: 'http://127.0.0.1:33418/callback',
    clientMetadata: {
      client_name: 'Desk agent',
      redirect_uris: ['http://127.0.0.1:33418/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'openid offline_access',
    },
    state: () => 'state-of-agent',
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url: URL) => {
      kept.url = url;
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? '',
  } as unknown as OAuthClientProvider;
  const fetchFn = (url: string | URL, init: RequestInit = {}) =>
    callWorker(new URL(url).href.replace(new URL(env.IAM_ISSUER).origin, 'http://localhost'), {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), 'cf-connecting-ip': address },
    });
  const terms = { serverUrl: MCP, scope: 'openid offline_access', fetchFn };
  expect(await auth(provider, terms)).toBe('REDIRECT');
  const url = (kept.url?.href ?? '').replace(new URL(env.IAM_ISSUER).origin, 'http://localhost');
  const consent = await browser.signIn(url, trader.phone);
  expect(consent.html).toContain('a program on this device (127.0.0.1:33418)');
  const allowed = await browser.send(url, consent, { answer: 'allow', ...limits });
  const back = new URL(allowed.location ?? 'about:blank').searchParams;
  expect([back.get('state'), back.get('iss')]).toEqual(['state-of-agent', env.IAM_ISSUER]);
  expect(await auth(provider, { ...terms, authorizationCode: back.get('code') ?? '' })).toBe('AUTHORIZED');
  const tokens = kept.tokens as Record<string, string>;
  return { trader, tokens, clientId: (kept.client as { client_id: string }).client_id, provider, browser, url };
}

describe('an agent', () => {
  it('is led from the address of the server to a token that opens the server alone, under a key of its own', async () => {
    const { trader, tokens } = await connectedAgent({
      may_trade: 'yes',
      symbols: 'OAU-USD',
      daily_notional: '1500.50',
    });
    const [key] = await listApiKeys(db, trader.userId);
    expect(key).toMatchObject({
      name: 'Agent: Desk agent',
      scopes: ['read', 'trade'],
      symbols: ['OAU-USD'],
      dailyNotionalMax: 150_050,
      dailyLossMax: null,
      status: 'active',
    });
    expect(decodeJwt(tokens.access_token ?? '')).toMatchObject({ aud: MCP, exchange_key: key?.id });
    const bearer = { authorization: `Bearer ${tokens.access_token}` };
    const agent = new AgentClient(bearer);
    expect((await agent.tool('get_portfolio')).error).toBeNull();
    for (const target of [
      'GET /iam/v1/keys',
      'GET /iam/api/userinfo',
      'GET /book/v1/account/balances',
      'POST /exchange/v1/auth/tenant-token',
      `POST /iam/v1/users/${trader.userId}/kill-switch`,
    ])
      expect([target, (await call(target, { headers: bearer })).status]).toEqual([target, 401]);
    const named = await call('GET /book/v1/account/balances', { headers: { ...bearer, 'x-api-key': key?.id ?? '' } });
    expect(named.status).toBe(401);
  });

  it('acts under no other key of the person, and under none once its own has ended', async () => {
    const { trader, tokens, clientId } = await connectedAgent({});
    const bearer = await bearerOfTrader(trader);
    const made = await call('POST /iam/v1/keys', { headers: bearer, json: { name: 'own', scopes: ['read', 'trade'] } });
    const own = (made.body as { data: { id: string } }).data.id;
    const agent = new AgentClient({ authorization: `Bearer ${tokens.access_token}` });
    expect((await agent.tool('get_portfolio')).error).toBeNull();
    const order = { symbol: 'OAU-USD', side: 'buy', type: 'limit', price: '1', quantity: '1' };
    expect((await agent.tool('place_order', order)).error).toMatchObject({ code: 'FORBIDDEN' });
    const under = await agent.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'x-api-key': own });
    expect(under.status).toBe(403);
    const { body } = await call('GET /iam/v1/consents', { headers: bearer });
    const [consent] = (body as { data: { id: string; clientId: string; keyId: string; resource: string }[] }).data;
    expect(consent).toMatchObject({ clientId, resource: MCP, keyId: expect.any(String) });
    expect((await call(`DELETE /iam/v1/consents/${consent?.id}`, { headers: bearer })).status).toBe(200);
    expect((await findApiKey(db, consent?.keyId ?? ''))?.status).toBe('revoked');
    expect((await findApiKey(db, own))?.status).toBe('active');
    expect((await agent.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(401);
    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token ?? '' };
    expect(await tokenRequest(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await call(`DELETE /iam/v1/consents/${consent?.id}`, { headers: bearer })).status).toBe(404);
  });

  it('keeps its key for the same limits, gets another for others, and trades with a limit alone', async () => {
    const { trader, browser, url, tokens, clientId } = await connectedAgent({ daily_loss: '10' });
    const again = await browser.open(url);
    expect(again.html).toContain('value="10"');
    const refused = await browser.send(url, again, {
      answer: 'allow',
      may_trade: 'yes',
      daily_loss: 'much',
      symbols: 'x',
    });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('whoever may trade has a limit');
    expect(refused.html).toContain('Enter an amount such as');
    const unknown = await browser.send(url, again, { answer: 'allow', symbols: 'NONE-USD' });
    expect([unknown.status, unknown.html.includes('no market of yours')]).toEqual([400, true]);
    const [first] = await listApiKeys(db, trader.userId);
    expect((await browser.send(url, again, { answer: 'allow', daily_loss: '10,00' })).status).toBe(303);
    expect((await listApiKeys(db, trader.userId)).map(({ id }) => id)).toEqual([first?.id]);
    expect((await browser.send(url, again, { answer: 'allow', daily_loss: '20' })).status).toBe(303);
    const keys = await listApiKeys(db, trader.userId);
    expect(keys.map(({ status, dailyLossMax }) => [status, dailyLossMax])).toEqual([
      ['active', 2_000],
      ['revoked', 1_000],
    ]);
    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token ?? '' };
    expect(await tokenRequest(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });
});

describe('the limits of an agent by asset, and its last day', () => {
  const DAY_MS = 86_400_000;
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const endOf = (text: string) => Date.parse(`${text}T00:00:00Z`) + DAY_MS;
  const trading = { may_trade: 'yes', daily_notional: '1500' };
  const buy = (quantity: string) => ({ symbol: 'OAU-USD', side: 'buy', type: 'limit', price: '1', quantity });

  it('are those of its key, and the exchange holds every order to them; the page of what was allowed shows them', async () => {
    const agent = await connectedAgent(
      { ...trading, asset_1: 'oau', position_1: '5', asset_2: 'OAV Inc.', order_2: '3', until: day(7) },
      100_000,
    );
    const { trader, browser, tokens } = agent;
    const [key] = await listApiKeys(db, trader.userId);
    expect(key).toMatchObject({
      positionLimits: { oau: 5 },
      orderSizeLimits: { oav: 3 },
      expiresAt: endOf(day(7)),
    });
    const client = new AgentClient({ authorization: `Bearer ${tokens.access_token}` });
    expect((await client.tool('place_order', buy('6'))).error).toMatchObject({
      code: 'RISK_LIMIT_EXCEEDED',
      details: { limit: 'position' },
    });
    const other = { ...buy('4'), symbol: 'OAV-USD' };
    expect((await client.tool('place_order', other)).error).toMatchObject({
      code: 'RISK_LIMIT_EXCEEDED',
      details: { limit: 'order_size' },
    });
    expect((await client.tool('place_order', buy('5'))).error).toBeNull();
    expect((await client.tool('place_order', { ...other, quantity: '3' })).error).toBeNull();
    const shown = await browser.open('http://localhost/iam/security');
    const lastDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(day(7)));
    expect(shown.html).toContain(`OAU: up to 5 held; OAV: up to 3 an order; until ${lastDay}`);
    const german = await browser.open('http://localhost/iam/security', { 'accept-language': 'de' });
    expect(german.html).toContain('OAU: Bestand bis 5; OAV: Auftrag bis 3');
    const again = await browser.open(agent.url);
    expect(again.html).toContain('<details open>');
    for (const value of ['OAU', '5', 'OAV', '3', day(7)]) expect(again.html).toContain(`value="${value}"`);
    const { body } = await call('GET /iam/v1/sign-ins', { headers: await bearerOfTrader(trader) });
    expect((body as { data: object[] }).data).toContainEqual(
      expect.objectContaining({
        type: 'client_allowed',
        clientId: agent.clientId,
        keyId: key?.id,
        reason: 'openid offline_access',
      }),
    );
  });

  it('are changed by another key, and stay for the same; nothing opens by it once its last day is over', async () => {
    const { trader, browser, url, tokens } = await connectedAgent({ asset_1: 'OAU', position_1: '5', until: day(2) });
    const allow = async (limits: Readonly<Record<string, string>>) =>
      browser.send(url, await browser.open(url), { answer: 'allow', ...limits });
    const active = async () =>
      (await listApiKeys(db, trader.userId)).filter(({ status }) => status === 'active').map((key) => key.id);
    const first = await active();
    expect((await allow({ asset_3: 'OAU', position_3: '5.0', until: day(2) })).status).toBe(303);
    expect(await active()).toEqual(first);
    for (const limits of [
      { asset_1: 'OAU', position_1: '6', until: day(2) },
      { asset_1: 'OAU', position_1: '6', order_1: '2', until: day(2) },
      { asset_1: 'OAU', position_1: '6', order_1: '2', until: day(1) },
    ]) {
      const before = await active();
      expect((await allow(limits)).status).toBe(303);
      expect(await active()).not.toEqual(before);
      expect(await active()).toHaveLength(1);
    }
    expect(tokens.access_token).toBeDefined();
    later(2 * DAY_MS);
    const dead = new AgentClient({ authorization: `Bearer ${tokens.access_token}` });
    expect((await dead.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(401);
  });

  it('are said to be wrong beside the row, and nothing is lost of what was written', async () => {
    const { trader, browser, url } = await connectedAgent({});
    const [kept] = await listApiKeys(db, trader.userId);
    const page = await browser.open(url);
    expect(page.html).toContain('<details>');
    for (const [written, said] of [
      [{ asset_2: 'NOBODY', position_2: '1' }, 'no asset of yours'],
      [{ asset_2: 'USD', position_2: '1' }, 'no asset of yours'],
      [{ asset_2: 'OAU', position_2: '0.5' }, 'not so many decimals'],
      [{ asset_2: 'OAU', order_2: '1234567890123456' }, 'Enter a number such as'],
      [{ asset_2: 'OAU', order_2: '1e3' }, 'Enter a number such as'],
      [{ asset_2: 'OAU', order_2: '-1' }, 'Enter a number such as'],
      [{ asset_2: 'OAU' }, 'State one of the two limits'],
      [{ order_2: '1' }, 'Name the asset'],
      [{ asset_1: 'OAU', order_1: '1', asset_2: 'oau', order_2: '1' }, 'named this asset already'],
      [{ until: '2031-02-30' }, 'Enter a day such as'],
      [{ until: 'tomorrow' }, 'Enter a day such as'],
      [{ until: day(-1) }, 'This day is over'],
    ] as const) {
      const answer = await browser.send(url, page, { answer: 'allow', ...written });
      expect([written, answer.status, answer.html.includes(said)]).toEqual([written, 400, true]);
      for (const text of Object.values(written)) expect(answer.html).toContain(`value="${text}"`);
    }
    expect(await listApiKeys(db, trader.userId)).toEqual([kept]);
  });

  it('keep the key that there is where no other can be made', async () => {
    const { trader, browser, url } = await connectedAgent({ daily_loss: '10' });
    const [kept] = await listApiKeys(db, trader.userId);
    for (let i = 1; i < ACTIVE_KEYS_MAX; i++) await createTestKey(trader, { createdAt: Date.now() - 2 * DAY_MS });
    const full = await browser.send(url, await browser.open(url), { answer: 'allow', daily_loss: '20' });
    expect([full.status, full.html.includes('as many API keys')]).toEqual([400, true]);
    expect(await findApiKey(db, kept?.id ?? '')).toMatchObject({ status: 'active', dailyLossMax: 1_000 });
  });
});

describe('clients that no operator has made', () => {
  const METADATA = { client_name: 'Own', redirect_uris: ['https://own.northwind.com/cb'] };
  const register = (json: unknown, address = freshAddress()) =>
    call('POST /iam/api/login/oauth/register', { json, address });

  it('register themselves, ten a day from an address, and open what a person is alone', async () => {
    const address = freshAddress();
    const made = await register(METADATA, address);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ...METADATA, token_endpoint_auth_method: 'none' });
    for (let i = 1; i < 10; i++) expect((await register(METADATA, address)).status).toBe(201);
    expect(await register(METADATA, address)).toMatchObject({
      status: 400,
      body: { error: 'temporarily_unavailable' },
    });
    expect(await register({ redirect_uris: ['http://evil.northwind.com/cb'] })).toMatchObject({
      status: 400,
      body: { error: 'invalid_redirect_uri' },
    });
    const clientId = (made.body as { client_id: string }).client_id;
    const trader = await createTrader(db);
    const browser = new Browser();
    const { verifier, challenge } = await pkce();
    const redirect_uri = 'https://own.northwind.com/cb';
    const url = urlOf(challenge, { client_id: clientId, redirect_uri });
    // It sends nobody anywhere before they have said anything.
    for (const wrong of [url.replace('response_type=code', 'response_type=x'), `${url}&prompt=none`])
      expect(await browser.open(wrong)).toMatchObject({ status: 400, location: null });
    const consent = await browser.signIn(url, trader.phone);
    expect(await browser.open(`${url}&prompt=none`)).toMatchObject({ status: 400, location: null });
    expect(consent.html).toContain('Nobody has checked who this is');
    const { location } = await browser.send(url, consent, { answer: 'allow' });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const bought = await redeem({ code, verifier }, { client_id: clientId, redirect_uri });
    expect(decodeJwt((bought.body as { access_token: string }).access_token).aud).toBe(
      `${env.IAM_ISSUER}/api/userinfo`,
    );
    expect(await userinfo(bearerOf(bought))).toMatchObject({ status: 200, body: { sub: trader.userId } });
    expect((await call('GET /iam/v1/keys', { headers: bearerOf(bought) })).status).toBe(401);
    expect((await call('GET /book/v1/account/balances', { headers: bearerOf(bought) })).status).toBe(401);
  });

  it('state themselves in a document, which is fetched once somebody is signed in, from the public internet alone', async () => {
    const address = 'https://a-93-184-216-34.northwind.com/client.json';
    const inside = 'https://a-10-0-0-1.northwind.com/client.json';
    const asked: string[] = [];
    const outside = globalThis.fetch;
    vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
      const url = input instanceof Request ? input.url : String(input);
      if (!url.includes('northwind.com/client.json')) return outside(input, init);
      asked.push(url);
      return Promise.resolve(Response.json({ ...METADATA, client_id: url, client_name: 'By document' }));
    });
    const trader = await createTrader(db);
    const browser = new Browser();
    const redirect_uri = 'https://own.northwind.com/cb';
    const url = urlOf((await pkce()).challenge, { client_id: address, redirect_uri });
    expect((await browser.open(url)).html).toContain('name="phone"');
    expect(asked).toEqual([]);
    const consent = await browser.signIn(url, trader.phone);
    expect(consent.html).toContain('By document');
    expect(consent.html).toContain('<dd>a-93-184-216-34.northwind.com</dd>');
    expect(asked).toEqual([address]);
    const evil = await browser.open(
      urlOf((await pkce()).challenge, { client_id: address, redirect_uri: 'https://evil.northwind.com/cb' }),
    );
    expect([evil.status, evil.location]).toEqual([400, null]);
    const refused = await browser.open(urlOf((await pkce()).challenge, { client_id: inside, redirect_uri }));
    expect([refused.status, refused.location]).toEqual([400, null]);
    expect(asked).toEqual([address]);
  });
});

it('both documents of the provider name the endpoint, and what it holds clients to', async () => {
  const bodies = await Promise.all(
    [
      'GET /iam/.well-known/openid-configuration',
      'GET /iam/.well-known/oauth-authorization-server',
      'GET /.well-known/oauth-authorization-server/iam',
    ].map(async (target) => (await call(target)).body),
  );
  expect(bodies[0]).toMatchObject({
    authorization_endpoint: `${env.IAM_ISSUER}/api/login/oauth/authorize`,
    end_session_endpoint: `${env.IAM_ISSUER}/api/login/oauth/logout`,
    registration_endpoint: `${env.IAM_ISSUER}/api/login/oauth/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    acr_values_supported: ['1fa', 'mfa', 'phr'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
  expect(bodies[1]).toEqual(bodies[0]);
  expect(bodies[2]).toEqual(bodies[0]);
});

it('a certified library of relying parties signs in, refreshes, asks who it is, and revokes', async () => {
  const trader = await createTrader(db);
  const address = freshAddress();
  const redirect_uri = 'https://relying.northwind.com/cb';
  await createOAuthClient(db, {
    id: 'relying-party',
    owner: 'org-test',
    name: 'Relying party',
    secretHash: null,
    grants: ['authorization_code', 'refresh_token'],
    redirectUris: [redirect_uri],
    userId: null,
    createdAt: Date.now(),
  });
  const config = await relyingParty.discovery(
    new URL(env.IAM_ISSUER),
    'relying-party',
    undefined,
    relyingParty.None(),
    {
      execute: [relyingParty.allowInsecureRequests],
      [relyingParty.customFetch]: (url, { body, headers, method }) =>
        callWorker(url, { method, headers: { ...headers, 'cf-connecting-ip': address }, body: body ?? null }),
    },
  );
  const verifier = relyingParty.randomPKCECodeVerifier();
  const [state, nonce] = [relyingParty.randomState(), relyingParty.randomNonce()];
  const { href } = relyingParty.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'openid profile offline_access',
    code_challenge: await relyingParty.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  const browser = new Browser();
  const { location } = await browser.send(href, await browser.signIn(href, trader.phone), { answer: 'allow' });
  // It checks issuer, state, nonce, and the signature, audience and times of the id token.
  const tokens = await relyingParty.authorizationCodeGrant(config, new URL(location ?? ''), {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  expect(tokens.claims()?.sub).toBe(trader.userId);
  const refreshed = await relyingParty.refreshTokenGrant(config, tokens.refresh_token ?? '');
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
  const asked = await relyingParty.fetchUserInfo(config, refreshed.access_token, trader.userId);
  expect(asked.name).toBe(`Trader ${trader.userId}`);
  await relyingParty.tokenRevocation(config, refreshed.refresh_token ?? '');
  await expect(relyingParty.refreshTokenGrant(config, refreshed.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  });
});
