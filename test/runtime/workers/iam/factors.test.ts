import { env } from 'cloudflare:workers';
import { decodeJwt } from 'jose';
import { TOTP } from 'otpauth';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginRecovery, completeDueRecoveries } from '../../../../application/identity/factors/recover-factors.ts';
import { sha256Hex } from '../../../../application/identity/sha256-hex.ts';
import { confirmMailAddress } from '../../../../application/mail/confirm-mail-address.ts';
import type { Database } from '../../../../data/database.ts';
import { createOAuthClient } from '../../../../data/identity/oauth-clients.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { createTestKey } from '../../fixtures/api-key.ts';
import { Authenticator, type Lie } from '../../fixtures/authenticator.ts';
import { Browser, codeSentSince, lastSentTo, type Page, pkce } from '../../fixtures/browser.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createApp, receiveCode, signIn, tokenRequest } from '../../fixtures/sign-in.ts';

const SECURITY = 'http://localhost/iam/security';
const ORIGIN = new URL(env.IAM_ISSUER).origin;
const REDIRECT = 'https://shop.northwind.com/cb';
const SHOP = 'shop-of-factors';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
  await createOAuthClient(db, {
    id: SHOP,
    owner: 'org-test',
    name: 'Shop',
    secretHash: null,
    grants: ['authorization_code', 'refresh_token'],
    redirectUris: [REDIRECT],
    userId: null,
    createdAt: Date.now(),
  });
});

beforeEach(() => {
  pass(MINUTE);
  (env as { STEP_UP_MINUTES: string }).STEP_UP_MINUTES = '10';
});

afterEach(() => {
  vi.useRealTimers();
  (env as { STEP_UP_MINUTES: string }).STEP_UP_MINUTES = '0';
});

let now = Date.now();

/** From now on it is later; codes may be sent again. */
function pass(ms: number): void {
  now = Math.max(now, Date.now()) + ms;
  vi.useFakeTimers({ toFake: ['Date'], now });
}

/** Sends phone and code. @returns the answer to the code */
async function byCode(browser: Browser, url: string, phone: string): Promise<Page> {
  const first = await browser.open(url);
  const before = await lastSentTo(phone);
  const second = await browser.send(url, first, { step: 'phone', phone });
  return browser.send(url, second, { step: 'code', code: await codeSentSince(phone, before) });
}

interface Person {
  readonly trader: Trader;
  readonly browser: Browser;
}

/** Somebody who is signed in by a code, at the page of their factors. */
async function atPage(known?: Trader): Promise<Person> {
  const trader = known ?? (await createTrader(db));
  const browser = new Browser();
  expect((await byCode(browser, SECURITY, trader.phone)).status).toBe(303);
  return { trader, browser };
}

async function enrol({ browser }: Person, lie: Lie = {}): Promise<{ key: Authenticator; page: Page }> {
  const key = new Authenticator(ORIGIN);
  const page = await browser.open(SECURITY);
  const credential = await key.create(page.html, lie);
  return { key, page: await browser.send(SECURITY, page, { step: 'passkey_add', credential, name: 'Laptop' }) };
}

/** Another browser shows a passkey. */
async function show(key: Authenticator, lie: Lie = {}, browser = new Browser(), url = SECURITY): Promise<Page> {
  const page = await browser.open(url);
  return browser.send(url, page, { step: 'passkey', credential: await key.get(page.html, lie) });
}

async function enrolTotp({ browser }: Person): Promise<string> {
  const page = await browser.open(SECURITY);
  await browser.send(SECURITY, page, { step: 'totp_begin' });
  const shown = await browser.open(SECURITY);
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(shown.html)?.[1]?.replaceAll(' ', '') ?? '';
  expect(shown.html).toContain('<svg');
  const wrong = await browser.send(SECURITY, shown, { step: 'totp_confirm', code: '000000' });
  expect(wrong.status).toBe(400);
  const done = await browser.send(SECURITY, shown, { step: 'totp_confirm', code: codeOf(secret) });
  expect(done.location).toBe('?done=totp_added');
  return secret;
}

function codeOf(secret: string, at = Date.now()): string {
  return new TOTP({ secret }).generate({ timestamp: at });
}

/** By the grant by code. */
async function tokensByCode(phone: string) {
  const form = { grant_type: 'password', client_id: 'test-app', username: phone, scope: 'openid offline_access' };
  const answer = await tokenRequest({ ...form, password: await receiveCode(phone) });
  return { ...answer, body: answer.body as Record<string, string> };
}

/** Asks for the recovery of a user as two operators: the second approves, the first repeats it. */
async function asker(userId: string) {
  const operators = await Promise.all(
    [1, 2].map(async () => signIn((await createTrader(db, { owner: 'venue', roles: ['operator'] })).phone)),
  );
  const send = (which: number, path: string, json: object, more = {}) =>
    call(`POST /exchange/v1/operator/${path}`, {
      headers: { ...operators[which]?.tenant, 'idempotency-key': crypto.randomUUID(), ...more },
      json,
    });
  const path = `users/${userId}/factor-recovery`;
  const ask = async (terms: object = {}) => {
    const body = { reason: 'lost everything', ...terms };
    const asked = (await send(0, path, body)).body as { error: { details: { approval: string } } };
    const { approval } = asked.error.details;
    await send(1, `approvals/${approval}/approve`, { reason: 'called back' });
    return send(0, path, body, { 'x-operator-approval': approval });
  };
  const alone = () => send(0, path, { reason: 'lost everything' });
  return Object.assign(ask, { alone, stop: () => send(1, `${path}/stop`, { reason: 'they called' }) });
}

function waitsFor(userId: string) {
  return env.DB.prepare("SELECT 1 FROM factor_recoveries WHERE user_id = ? AND state = 'waiting'").bind(userId).first();
}

async function tokensOf(browser: Browser, key: Authenticator): Promise<Record<string, string>> {
  const { verifier, challenge } = await pkce();
  const query = {
    response_type: 'code',
    client_id: SHOP,
    redirect_uri: REDIRECT,
    scope: 'openid offline_access',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  const url = `http://localhost/iam/api/login/oauth/authorize?${new URLSearchParams(query)}`;
  const signedIn = await show(key, {}, browser, url);
  const consent = await browser.open(new URL(signedIn.location ?? '', url).href);
  const answer = await browser.send(url, consent, { answer: 'allow' });
  const code = new URL(answer.location ?? '').searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id: SHOP, redirect_uri: REDIRECT };
  return (await tokenRequest({ ...form, code, code_verifier: verifier })).body as Record<string, string>;
}

describe('passkeys', () => {
  it('are added at the page of their person, and sign them in; tokens say so, and a refresh makes nothing younger', async () => {
    const person = await atPage();
    const { key, page } = await enrol(person);
    expect(page.location).toBe('?done=passkey_added');
    expect((await person.browser.open(SECURITY)).html).toContain('Laptop');
    const tokens = await tokensOf(new Browser(), key);
    const claims = decodeJwt(tokens.access_token ?? '');
    expect(claims).toMatchObject({ sub: person.trader.userId, acr: 'phr', amr: ['pop', 'user', 'mfa'] });
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ acr: 'phr', auth_time: claims.auth_time });
    pass(11 * MINUTE);
    const refresh = { grant_type: 'refresh_token', client_id: SHOP, refresh_token: tokens.refresh_token ?? '' };
    const later = (await tokenRequest(refresh)).body as Record<string, string>;
    expect(decodeJwt(later.access_token ?? '')).toMatchObject({ auth_time: claims.auth_time, acr: 'phr' });
  });

  it.each<[string, Lie]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['nobody verified', { verifiesUser: false }],
    ['a challenge of nobody', { challenge: 'A'.repeat(24) }],
  ])('of %s are neither added nor believed', async (_, lie) => {
    const person = await atPage();
    expect((await enrol(person, lie)).page.status).toBe(400);
    const { key } = await enrol(person);
    expect(await show(key, lie)).toMatchObject({ status: 400, location: null });
    expect((await show(key)).status).toBe(303);
  });

  it('answer a challenge once, in the browser that it was given to, within five minutes', async () => {
    const { key } = await enrol(await atPage());
    const browser = new Browser();
    const page = await browser.open(SECURITY);
    const credential = await key.get(page.html);
    const other = new Browser();
    const theirs = await other.open(SECURITY);
    expect((await other.send(SECURITY, theirs, { step: 'passkey', credential })).status).toBe(400);
    const cookie = browser.cookie('exchange-form') ?? '';
    expect((await browser.send(SECURITY, page, { step: 'passkey', credential })).status).toBe(303);
    browser.setCookie('exchange-form', cookie);
    const again = await key.get(page.html);
    expect((await browser.send(SECURITY, page, { step: 'passkey', credential: again })).status).toBe(400);
    const late = new Browser();
    const shown = await late.open(SECURITY);
    pass(5 * MINUTE);
    expect((await late.send(SECURITY, shown, { step: 'passkey', credential: await key.get(shown.html) })).status).toBe(
      400,
    );
  });

  it('whose count goes back are copies; those of the dismissed open nothing', async () => {
    const person = await atPage();
    const { key } = await enrol(person);
    expect((await show(key, { counter: 7 })).status).toBe(303);
    expect((await show(key, { counter: 7 })).status).toBe(400);
    expect((await show(key, { counter: 6 })).status).toBe(400);
    expect((await show(key, { counter: 8 })).status).toBe(303);
    await env.DB.prepare('UPDATE users SET deactivated_at = 1 WHERE id = ?').bind(person.trader.userId).run();
    expect((await show(key, { counter: 9 })).status).toBe(400);
  });

  it('are changed by a fresh factor alone, each within ten; removing is for their person', async () => {
    const person = await atPage();
    for (let count = 0; count < 10; count++) expect((await enrol(person)).page.status).toBe(303);
    const full = await enrol(person);
    expect(full.page.status).toBe(400);
    const { results } = await env.DB.prepare('SELECT id FROM passkeys WHERE user_id = ?')
      .bind(person.trader.userId)
      .all<{ id: string }>();
    expect(results).toHaveLength(10);
    const id = results[0]?.id ?? '';
    const stranger = await atPage();
    const theirs = await stranger.browser.open(SECURITY);
    expect((await stranger.browser.send(SECURITY, theirs, { step: 'passkey_remove', id })).status).toBe(400);
    const page = await person.browser.open(SECURITY);
    pass(11 * MINUTE);
    const stale = await person.browser.send(SECURITY, page, { step: 'passkey_remove', id });
    expect(stale).toMatchObject({ status: 200, location: null });
    expect(stale.html).toContain('sign in once more');
    expect(await env.DB.prepare('SELECT 1 FROM passkeys WHERE id = ?').bind(id).first()).not.toBeNull();
  });
});

describe('a second step', () => {
  it('by app: a code by SMS alone does not get in; each step of the app is used once', async () => {
    const person = await atPage();
    const secret = await enrolTotp(person);
    pass(2 * MINUTE);
    const browser = new Browser();
    const second = await byCode(browser, SECURITY, person.trader.phone);
    expect(second).toMatchObject({ status: 200, location: null });
    expect(browser.cookie('exchange-session')).toBeUndefined();
    const code = codeOf(secret);
    const wrong = code === '111111' ? '222222' : '111111';
    expect((await browser.send(SECURITY, second, { step: 'second', code: wrong })).status).toBe(400);
    expect((await browser.send(SECURITY, second, { step: 'second', code })).status).toBe(303);
    expect((await browser.open(SECURITY)).html).toContain('by phone and app');
    pass(20);
    pass(31_000);
    const another = new Browser();
    const next = await byCode(another, SECURITY, person.trader.phone);
    expect((await another.send(SECURITY, next, { step: 'second', code })).status, 'used').toBe(400);
    const other = new Browser();
    const opened = await other.open(SECURITY);
    const proof = /name="proof" value="([^"]+)"/.exec(next.html)?.[1] ?? '';
    const stolen = await other.send(SECURITY, opened, { step: 'second', proof, code: codeOf(secret) });
    expect(stolen.status, 'of another browser').toBe(403);
    const late = { step: 'second', code: codeOf(secret, Date.now() + 5 * MINUTE) };
    pass(5 * MINUTE);
    expect((await another.send(SECURITY, next, late)).status, 'out of date').toBe(403);
  });

  it('is guessed at five times from an address; two codes are good beyond what strangers have used up', async () => {
    const person = await atPage();
    const secret = await enrolTotp(person);
    pass(2 * MINUTE);
    const browser = new Browser();
    const second = await byCode(browser, SECURITY, person.trader.phone);
    const code = codeOf(secret);
    const wrong = code === '111111' ? '222222' : '111111';
    for (let tries = 0; tries < 5; tries++) await browser.send(SECURITY, second, { step: 'second', code: wrong });
    expect((await browser.send(SECURITY, second, { step: 'second', code })).status).toBe(400);
    await env.DB.prepare("UPDATE one_time_code_addresses SET tries = 20 WHERE subject = 'site'").run();
    await env.DB.prepare('UPDATE totp_factors SET wrong_codes = 100 WHERE user_id = ?')
      .bind(person.trader.userId)
      .run();
    pass(MINUTE);
    const another = new Browser();
    const next = await byCode(another, SECURITY, person.trader.phone);
    expect((await another.send(SECURITY, next, { step: 'second', code: codeOf(secret) })).status).toBe(400);
    const two = `${codeOf(secret, Date.now() - 30_000)} ${codeOf(secret)}`;
    expect((await another.send(SECURITY, next, { step: 'second', code: two })).status).toBe(303);
  });

  it('by a recovery code, each once; what is stored tells none', async () => {
    const person = await atPage();
    await enrolTotp(person);
    const page = await person.browser.open(SECURITY);
    const made = await person.browser.send(SECURITY, page, { step: 'recovery_make' });
    const codes = [...made.html.matchAll(/<li>([0-9A-Z-]{16})<\/li>/g)].map(([, code = '']) => code);
    expect(new Set(codes).size).toBe(10);
    const { results } = await env.DB.prepare('SELECT hash FROM recovery_codes WHERE user_id = ?')
      .bind(person.trader.userId)
      .all();
    for (const code of codes) expect(JSON.stringify(results)).not.toContain(code.replaceAll('-', ''));
    for (const [index, status] of [303, 400].entries()) {
      pass(MINUTE + index);
      const browser = new Browser();
      const second = await byCode(browser, SECURITY, person.trader.phone);
      const tried = await browser.send(SECURITY, second, { step: 'second', code: codes[0]?.toLowerCase() ?? '' });
      expect(tried.status).toBe(status);
    }
  });
});

describe('step-up', () => {
  const key = { name: 'bot', scopes: ['read'] };
  const make = (headers: Readonly<Record<string, string>>) => call('POST /iam/v1/keys', { headers, json: key });

  it('a token of the grant by code is fresh for ten minutes; refreshing does not make it so again', async () => {
    const { phone } = await createTrader(db);
    const { bearer, refreshToken } = await signIn(phone);
    expect((await make(bearer)).status).toBe(201);
    pass(11 * MINUTE);
    const refused = await make(bearer);
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'STEP_UP_REQUIRED', details: { reason: 'fresh_factor', maxAge: 600 } } },
    });
    expect(refused.headers.get('www-authenticate')).toMatch(
      /^Bearer error="insufficient_user_authentication".*max_age=600/,
    );
    const { body } = await tokenRequest({
      grant_type: 'refresh_token',
      client_id: 'test-app',
      refresh_token: refreshToken,
    });
    const { access_token: token } = body as { access_token: string };
    expect((await make({ authorization: `Bearer ${token}` })).status).toBe(403);
    expect((await call('GET /iam/v1/keys', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  });

  it('who has a second factor shows it: a token of one is not enough', async () => {
    const trader = await createTrader(db);
    const before = await signIn(trader.phone);
    expect(decodeJwt(before.accessToken)).toMatchObject({ acr: '1fa', amr: ['sms'] });
    expect((await make(before.bearer)).status).toBe(201);
    pass(MINUTE);
    await enrolTotp(await atPage(trader));
    expect((await make(before.bearer)).status, 'by SMS alone, before the factor').toBe(401);
    pass(2 * MINUTE);
    const { body } = await tokensByCode(trader.phone);
    expect(body).toMatchObject({ scope: 'openid' });
    expect(body).not.toHaveProperty('refresh_token');
    for (const minutes of ['10', '0']) {
      (env as { STEP_UP_MINUTES: string }).STEP_UP_MINUTES = minutes;
      const refused = await make({ authorization: `Bearer ${body.access_token}` });
      expect(refused).toMatchObject({ status: 403, body: { error: { details: { reason: 'second_factor' } } } });
      expect(refused.headers.get('www-authenticate')).toContain('acr_values="mfa phr"');
    }
  });
});

describe('the first factor', () => {
  it('ends every other session by a code alone, and is told by phone; the browser that added it has shown it', async () => {
    const person = await atPage();
    pass(2 * MINUTE);
    const thief = await atPage(person.trader);
    await enrol(person);
    expect((await lastSentTo(person.trader.phone))?.text).toContain('A passkey or an authenticator app was set up');
    expect((await thief.browser.open(SECURITY)).html).toContain('Phone number');
    expect((await enrol(person)).page.status, 'at once').toBe(303);
  });

  it('keeps a session by a code alone, that stands beside it, from changing anything', async () => {
    const person = await atPage();
    await enrol(person);
    await env.DB.prepare("UPDATE browser_sessions SET method = 'code' WHERE user_id = ?")
      .bind(person.trader.userId)
      .run();
    const page = await person.browser.open(SECURITY);
    const made = await person.browser.send(SECURITY, page, { step: 'recovery_make' });
    expect(made.html).toContain('sign in once more');
  });

  it('is changed within ten minutes, also where no call asks for an age', async () => {
    (env as { STEP_UP_MINUTES: string }).STEP_UP_MINUTES = '0';
    const person = await atPage();
    await enrol(person);
    const page = await person.browser.open(SECURITY);
    pass(11 * MINUTE);
    const made = await person.browser.send(SECURITY, page, { step: 'recovery_make' });
    expect(made.html).toContain('sign in once more');
  });

  it('of an app is seen and confirmed by the browser alone that has begun it, within ten minutes', async () => {
    const thief = await atPage();
    const begun = await thief.browser.open(SECURITY);
    await thief.browser.send(SECURITY, begun, { step: 'totp_begin' });
    pass(2 * MINUTE);
    const person = await atPage(thief.trader);
    const page = await person.browser.open(SECURITY);
    expect(page.html).not.toContain('<svg');
    const secret = await enrolTotp(person);
    expect((await thief.browser.open(SECURITY)).html).not.toContain(secret.slice(0, 4));
    const late = await atPage();
    await late.browser.send(SECURITY, await late.browser.open(SECURITY), { step: 'totp_begin' });
    expect((await late.browser.open(SECURITY)).html).toContain('<svg');
    await env.DB.prepare('UPDATE totp_factors SET created_at = created_at - 600000 WHERE user_id = ?')
      .bind(late.trader.userId)
      .run();
    expect((await late.browser.open(SECURITY)).html).not.toContain('<svg');
  });
});

describe('removing a factor', () => {
  it('ends every other session of its person, with its tokens', async () => {
    const person = await atPage();
    const { key } = await enrol(person);
    const stolen = new Browser();
    const tokens = await tokensOf(stolen, key);
    const bearer = { authorization: `Bearer ${tokens.access_token}` };
    expect((await call('GET /iam/v1/keys', { headers: bearer })).status).toBe(200);
    const page = await person.browser.open(SECURITY);
    const row = await env.DB.prepare('SELECT id FROM passkeys WHERE user_id = ?')
      .bind(person.trader.userId)
      .first<{ id: string }>();
    const removed = await person.browser.send(SECURITY, page, { step: 'passkey_remove', id: row?.id ?? '' });
    expect(removed.location).toBe('?done=passkey_removed');
    expect((await call('GET /iam/v1/keys', { headers: bearer })).status).toBe(401);
    expect((await stolen.open(SECURITY)).html).toContain('Phone number');
    expect((await person.browser.open(SECURITY)).html).toContain('You have none yet');
  });
});

describe('a recovery by an operator', () => {
  it('waits a day, is stopped by a factor and by no code alone, and then removes all of it', async () => {
    const person = await atPage();
    const { key } = await enrol(person);
    const { userId } = person.trader;
    const ask = await asker(userId);
    expect((await ask()).status).toBe(200);
    expect((await lastSentTo(person.trader.phone))?.text).toContain('The venue was asked to remove');
    expect((await ask()).status, 'one waits').toBe(409);
    const stateOf = async () =>
      (
        await env.DB.prepare('SELECT state FROM factor_recoveries WHERE user_id = ? ORDER BY rowid DESC')
          .bind(userId)
          .first<{ state: string }>()
      )?.state;
    await completeDueRecoveries(env, Date.now() + DAY - 2 * MINUTE);
    expect(await stateOf()).toBe('waiting');
    pass(MINUTE);
    expect((await byCode(new Browser(), SECURITY, person.trader.phone)).status).toBe(200);
    expect(await stateOf(), 'a code alone').toBe('waiting');
    const again = await show(key);
    expect(again.status).toBe(303);
    expect(await stateOf()).toBe('stopped');
    await completeDueRecoveries(env, Date.now() + 2 * DAY);
    expect(await env.DB.prepare('SELECT 1 FROM passkeys WHERE user_id = ?').bind(userId).first()).not.toBeNull();
    expect((await ask()).status).toBe(200);
    const due = Date.now() + DAY;
    await completeDueRecoveries(env, due);
    expect(await stateOf()).toBe('done');
    expect(await env.DB.prepare('SELECT 1 FROM passkeys WHERE user_id = ?').bind(userId).first()).toBeNull();
    expect((await person.browser.open(SECURITY)).html).toContain('Phone number');
    expect((await show(key)).status).toBe(400);
    const { results } = await env.DB.prepare("SELECT type FROM sign_ins WHERE user_id = ? AND type LIKE 'recovery%'")
      .bind(userId)
      .all<{ type: string }>();
    expect(results.map(({ type }) => type).toSorted()).toEqual(['recovery_done', 'recovery_stopped']);
  });

  it('stands and is answered where neither its mail nor its message goes out', async () => {
    const { trader, ...person } = await atPage();
    await enrol({ trader, ...person });
    await confirmMailAddress(env, { userId: trader.userId, address: trader.email, language: 'en' });
    const { userId: actor } = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
    const away = {
      ...env,
      MAIL: { sendBatch: () => Promise.reject(new Error('away')) } as unknown as Env['MAIL'],
      OTP_GATEWAY_URL: 'http://127.0.0.1:1/' as typeof env.OTP_GATEWAY_URL,
    };
    const asked = { userId: trader.userId, reason: 'lost', compromised: false };
    const begun = await beginRecovery(away, asked, { id: uuidv7(), actor, requestId: 'a test' });
    expect(begun).toMatchObject({ ok: true, value: { userId: trader.userId } });
    expect(await waitsFor(trader.userId)).not.toBeNull();
  });

  it('keeps back nobody else where no stated key opens the mail address of its person', async () => {
    const closed = await atPage();
    const other = await atPage();
    for (const person of [closed, other]) {
      await enrol(person);
      const { userId, email } = person.trader;
      await confirmMailAddress(env, { userId, address: email, language: 'en' });
      expect((await (await asker(userId))()).status).toBe(200);
    }
    await env.DB.prepare("UPDATE mail_addresses SET address_sealed = 'unknown.key' WHERE user_id = ?")
      .bind(closed.trader.userId)
      .run();
    await completeDueRecoveries(env, Date.now() + DAY + MINUTE);
    expect(await waitsFor(closed.trader.userId)).toBeNull();
    expect(await waitsFor(other.trader.userId)).toBeNull();
  });

  it('takes two operators though the venue asks for one, is mailed with it, and is stopped by one operator', async () => {
    const person = await atPage();
    await enrol(person);
    const { userId } = person.trader;
    await confirmMailAddress(env, { userId, address: person.trader.email, language: 'en' });
    const ask = await asker(userId);
    expect(await ask.alone()).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'approval_required' } } },
    });
    expect(await waitsFor(userId)).toBeNull();
    expect((await ask()).status).toBe(200);
    expect(await waitsFor(userId)).not.toBeNull();
    const mail = await env.DB.prepare(
      "SELECT good_until - created_at AS good FROM mail_messages WHERE user_id = ? AND kind = 'recovery_requested'",
    )
      .bind(userId)
      .first<{ good: number }>();
    expect(mail?.good).toBe(DAY);
    expect((await ask.stop()).status).toBe(200);
    expect(await waitsFor(userId)).toBeNull();
    expect((await ask.stop()).status, 'none waits').toBe(409);
  });

  it('is stopped at the page by a browser that has shown more than a code', async () => {
    const person = await atPage();
    await enrolTotp(person);
    const { userId } = person.trader;
    const ask = await asker(userId);
    expect((await ask()).status).toBe(200);
    const page = await person.browser.open(SECURITY);
    expect(page.html).toContain('value="recovery_stop"');
    await env.DB.prepare("UPDATE browser_sessions SET method = 'code' WHERE user_id = ?").bind(userId).run();
    expect((await person.browser.send(SECURITY, page, { step: 'recovery_stop' })).status).toBe(400);
    expect(await waitsFor(userId)).not.toBeNull();
    await env.DB.prepare("UPDATE browser_sessions SET method = 'code_and_totp' WHERE user_id = ?").bind(userId).run();
    const stopped = await person.browser.send(SECURITY, page, { step: 'recovery_stop' });
    expect(stopped.location).toBe('?done=recovery_stopped');
    expect(await waitsFor(userId)).toBeNull();
  });

  it('of an account that is somebody else’s by now is stopped by no factor, ends keys and clients, and no door is open until it is done', async () => {
    const thief = await atPage();
    const { key } = await enrol(thief);
    const { userId } = thief.trader;
    const apiKey = await createTestKey(thief.trader);
    const machine = { id: crypto.randomUUID(), secret: crypto.randomUUID() };
    await createOAuthClient(db, {
      id: machine.id,
      owner: thief.trader.owner,
      name: 'of the thief',
      secretHash: await sha256Hex(machine.secret),
      grants: ['client_credentials'],
      userId,
      createdAt: Date.now(),
    });
    const byMachine = () =>
      tokenRequest({ grant_type: 'client_credentials', client_id: machine.id, client_secret: machine.secret });
    expect((await byMachine()).status).toBe(200);
    const ask = await asker(userId);
    expect((await ask({ compromised: true })).status).toBe(200);
    const stands = await env.DB.prepare('SELECT status FROM api_keys WHERE id = ?').bind(apiKey.id).first();
    expect(stands, 'the key').toEqual({ status: 'revoked' });
    const said = await env.DB.prepare(
      "SELECT payload FROM domain_events WHERE subject = ? AND type = 'operator.factor_recovery_asked'",
    )
      .bind(userId)
      .first<{ payload: string }>();
    expect(said?.payload).toContain('"ends":{"keys":1,"applications":0,"clients":1,"orders":0');
    expect((await byMachine()).status, 'the client').toBe(400);
    await env.DB.prepare('UPDATE oauth_clients SET waiting_since = NULL WHERE id = ?').bind(machine.id).run();
    expect((await byMachine()).status, 'whatever its secret').toBe(400);
    pass(2 * MINUTE);
    expect((await tokensByCode(thief.trader.phone)).status, 'the grant by code').toBe(400);
    expect((await thief.browser.open(SECURITY)).html, 'signed out').toContain('Phone number');
    expect((await show(key)).status).toBe(400);
    expect(await waitsFor(userId)).not.toBeNull();
    await completeDueRecoveries(env, Date.now() + DAY);
    expect(await waitsFor(userId)).toBeNull();
    pass(2 * MINUTE);
    expect((await byCode(new Browser(), SECURITY, thief.trader.phone)).status, 'the owner').toBe(303);
  });
});

describe('the page of a person', () => {
  it('ends sessions and browsers, and takes no form of another page', async () => {
    const person = await atPage();
    const { bearer } = await signIn((await createTrader(db)).phone);
    expect((await call('GET /iam/v1/keys', { headers: bearer })).status).toBe(200);
    pass(MINUTE);
    const other = new Browser();
    await byCode(other, SECURITY, person.trader.phone);
    const page = await person.browser.open(SECURITY);
    const forged = await person.browser.send(
      SECURITY,
      page,
      { step: 'sessions_end' },
      { origin: 'https://evil.example' },
    );
    expect(forged.status).toBe(403);
    expect(page.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^']+'; .*frame-ancestors 'none'/);
    const ended = await person.browser.send(SECURITY, page, { step: 'sessions_end' });
    expect(ended.status).toBe(303);
    for (const browser of [person.browser, other]) expect((await browser.open(SECURITY)).html).toContain('Sign in');
    expect((await call('GET /iam/v1/keys', { headers: bearer })).status, 'of somebody else').toBe(200);
  });
});
