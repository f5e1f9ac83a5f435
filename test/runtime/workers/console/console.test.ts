import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { CONSOLE_SCOPE } from '../../../../application/console/console-client.ts';
import { isSpent, renewTokens } from '../../../../application/console/console-tokens.ts';
import { endEverything } from '../../../../application/identity/end-everything.ts';
import { sha256Hex } from '../../../../application/identity/sha256-hex.ts';
import { type Database, database } from '../../../../data/database.ts';
import { consents, refreshTokens, sessions } from '../../../../data/schema/identity.ts';
import { isCallable, isCalledSegment } from '../../../../domain/console/callable.ts';
import { consoleUserOf } from '../../../../durable-objects/console-user/api.ts';
import { PROFILE_SEGMENTS } from '../../../../workers/middleware/profile-name.ts';
import { call, codeOf } from '../../fixtures/call.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { CONSOLE, ConsoleBrowser, OWN_PAGE, signedInAtConsole } from '../../fixtures/console-browser.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { patience } from '../../fixtures/patience.ts';
import { profiles } from '../../fixtures/profiles.ts';
import { skipTime } from '../../fixtures/skip-time.ts';

const MINUTE = 60_000;
/** A phone gets another code after so long. */
const NEXT_CODE = 3 * MINUTE;
const NOBODYS_ID = '01900000-0000-7000-8000-000000000000';

let db: Database;

beforeAll(async () => {
  db = await migrate();
});

async function somebody(): Promise<{ readonly trader: Trader; readonly browser: ConsoleBrowser }> {
  const trader = await createTrader(db);
  return { trader, browser: await signedInAtConsole(trader.phone) };
}

const detailsOf = ({ body }: { readonly body: unknown }) =>
  (body as { error?: { details?: Record<string, unknown> } }).error?.details;

const reasonOf = (answer: { readonly body: unknown }) => detailsOf(answer)?.reason;

async function expectRefused(answer: Promise<{ status: number; headers: Headers; body: unknown }>, reason: string) {
  const { status, headers, body } = await answer;
  expect([status, codeOf({ status, headers, body }), reasonOf({ body })]).toEqual([403, 'FORBIDDEN', reason]);
}

async function expectEnded(browser: ConsoleBrowser, reason: string): Promise<void> {
  const answer = await browser.ask('GET /v1/session');
  expect([answer.status, reasonOf(answer)]).toEqual([401, `session_${reason}`]);
}

async function grantsOf(userId: string) {
  const rows = await database(env.DB).select().from(refreshTokens);
  return rows.filter((row) => row.userId === userId);
}

describe('signing in at the console', () => {
  it('leads by the provider to the page that was asked for, and the browser holds a cookie and no token', async () => {
    const trader = await createTrader(db);
    const browser = new ConsoleBrowser();
    const location = await browser.start('/assets?rail=private');
    const asked = new URL(location).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('prompt')).toBe('login');
    const end = await browser.comeBack(await browser.signInAt(location, trader.phone));
    expect([end.status, end.location]).toEqual([302, '/assets?rail=private']);
    expect(browser.pages.cookie('console-sign-in') ?? '').toBe('');
    const cookie = end.headers.getSetCookie().find((set) => set.startsWith('console=')) ?? '';
    expect(cookie).toMatch(/^console=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const session = await browser.ask('GET /v1/session');
    expect(session.status).toBe(200);
    expect(session.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(session.body).toMatchObject({
      user_id: trader.userId,
      organization: { id: trader.owner, role: null },
      roles: ['trader'],
      powers: [],
      permissions: [],
      account: { account_id: trader.accountId },
      environment: 'local',
    });
    const { id } = (session.body as { session: { id: string } }).session;
    expect((await db.select().from(sessions)).some((row) => row.id === id && row.userId === trader.userId)).toBe(true);
  });

  it('says what an operator of the venue and an event administrator may do', async () => {
    const operator = await createTrader(db, { roles: ['operator'], owner: 'venue' });
    const { body } = await (await signedInAtConsole(operator.phone)).ask('GET /v1/session');
    expect(body).toMatchObject({ organization: { role: 'venue' }, powers: expect.arrayContaining(['run_venue']) });
    const admin = await createTrader(db, { roles: ['event_admin'] });
    const session = await (await signedInAtConsole(admin.phone)).ask('GET /v1/session');
    expect(session.body).toMatchObject({ powers: [], permissions: expect.arrayContaining(['events:shred']) });
  });

  it('sends a browser to paths of its own alone', async () => {
    const browser = new ConsoleBrowser();
    for (const return_to of ['//evil.example', '/\\evil.example', 'https://evil.example', '', `/${'a'.repeat(600)}`]) {
      const answer = await browser.ask('POST /v1/session', { json: { return_to } });
      expect([return_to, answer.status, codeOf(answer)]).toEqual([return_to, 400, 'VALIDATION_ERROR']);
    }
  });

  it('takes no answer of another provider, of another state, in another browser, or a second time', async () => {
    const trader = await createTrader(db);
    const browser = new ConsoleBrowser();
    const callback = new URL(await browser.signInAt(await browser.start(), trader.phone));
    const kept = browser.pages.cookie('console-sign-in') ?? '';
    const changed = (name: string, value: string | null) => {
      const url = new URL(callback);
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, value);
      return url.href;
    };
    const lead = async (url: string, cookie: string) => {
      const other = new ConsoleBrowser();
      if (cookie !== '') other.pages.setCookie('console-sign-in', cookie);
      const end = await other.comeBack(url);
      expect(other.pages.cookie('console')).toBeUndefined();
      return end.location;
    };
    expect(await lead(changed('iss', 'https://evil.example'), kept)).toBe('/sign-in?problem=issuer');
    expect(await lead(changed('iss', null), kept)).toBe('/sign-in?problem=issuer');
    expect(await lead(changed('state', 'another'), kept)).toBe('/sign-in?problem=state');
    expect(await lead(callback.href, '')).toBe('/sign-in?problem=state');
    const second = new ConsoleBrowser();
    await second.start();
    expect(await lead(callback.href, second.pages.cookie('console-sign-in') ?? '')).toBe('/sign-in?problem=state');
    // The code of this person, put into the sign-in of another browser: its verifier is another.
    const injected = new ConsoleBrowser();
    const request = new URL(await injected.start());
    const state = request.searchParams.get('state') ?? '';
    const theirs = injected.pages.cookie('console-sign-in') ?? '';
    expect(await lead(changed('state', state), theirs)).toBe('/sign-in?problem=refused');
    expect((await browser.comeBack(callback.href)).location).toBe('/orders');
    expect(await lead(callback.href, kept)).toBe('/sign-in?problem=refused');
  });
});

describe('a sign-in that was left open at the provider', () => {
  it('signs nobody in who leaves out that they are to be asked anew', async () => {
    const { browser } = await somebody();
    expect((await browser.ask('DELETE /v1/session')).status).toBe(204);
    skipTime(MINUTE);
    const request = new URL(await browser.start());
    request.searchParams.delete('prompt');
    const answer = await browser.pages.open(request.href);
    expect(answer.location ?? '').toContain('code=');
    expect((await browser.comeBack(answer.location ?? '')).location).toBe('/sign-in?problem=refused');
    expect(browser.pages.cookie('console') ?? '').toBe('');
  });

  it('gives a page of another site no way to end sessions of the console, or a sign-in under way', async () => {
    const { trader, browser } = await somebody();
    await browser.start();
    const under = browser.pages.cookie('console-sign-in');
    for (const [scope, said] of [
      ['openid phone', 'error=invalid_scope'],
      ['openid', 'code='],
    ] as const) {
      const request = new URL(await new ConsoleBrowser().start());
      request.searchParams.delete('prompt');
      request.searchParams.set('scope', scope);
      const { location } = await browser.pages.open(request.href);
      expect([scope, location]).toEqual([scope, expect.stringContaining(said)]);
      expect((await browser.comeBack(location ?? '')).location).toBe('/sign-in?problem=state');
    }
    expect(browser.pages.cookie('console-sign-in')).toBe(under);
    const [consent] = await db.select().from(consents).where(eq(consents.userId, trader.userId));
    expect(consent?.scope).toBe(CONSOLE_SCOPE);
    for (let uses = 0; uses < 5; uses++) {
      skipTime(29 * MINUTE);
      expect((await browser.ask('GET /v1/session')).status).toBe(200);
    }
  });

  it('ends the session before, also where the browser does not send its cookie with the answer', async () => {
    const { trader, browser } = await somebody();
    const before = browser.pages.cookie('console') ?? '';
    skipTime(NEXT_CODE);
    const callback = await browser.signInAt(await browser.start(), trader.phone);
    browser.pages.setCookie('console', '');
    expect((await browser.comeBack(callback)).location).toBe('/orders');
    const old = new ConsoleBrowser();
    old.pages.setCookie('console', before);
    await expectEnded(old, 'signed_out');
  });
});

describe('who may call the console', () => {
  it('is one of its own pages', async () => {
    const { browser } = await somebody();
    const json = { return_to: '/' };
    for (const target of ['PUT /v1/preferences', 'POST /v1/session', 'DELETE /v1/session', 'POST /call/iam/v1/keys']) {
      const change = (headers: Record<string, string>) =>
        browser.ask(target, { headers, ...(target.startsWith('DELETE') ? {} : { json }) });
      await expectRefused(change({ 'x-console': '' }), 'header');
      await expectRefused(change({ 'x-console': 'background' }), 'header');
      await expectRefused(change({ origin: 'https://evil.example' }), 'origin');
      await expectRefused(change({ origin: 'null' }), 'origin');
      for (const site of ['cross-site', 'same-site', 'none'])
        await expectRefused(change({ 'sec-fetch-site': site }), 'site');
    }
    for (const target of ['GET /v1/session', 'GET /call/exchange/v1/account'])
      await expectRefused(browser.ask(target, { headers: { 'sec-fetch-site': 'cross-site' } }), 'site');
    expect((await browser.ask('GET /v1/session', { headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(200);
  });

  it('sends its Origin with what changes something', async () => {
    const { browser } = await somebody();
    const answer = await callWorker(`${CONSOLE}/console/v1/session`, {
      method: 'DELETE',
      headers: { cookie: browser.cookies(), 'x-console': '1', 'cf-connecting-ip': freshAddress() },
    });
    expect(answer.status).toBe(403);
    expect((await browser.ask('GET /v1/session')).status).toBe(200);
  });

  it('has a session: no cookie, a made-up one, and one of another form are 401', async () => {
    for (const token of ['', 'a'.repeat(43), 'short', `${'a'.repeat(42)}!`]) {
      const browser = new ConsoleBrowser();
      browser.pages.setCookie('console', token);
      await expectEnded(browser, 'none');
      const called = await browser.ask('GET /call/exchange/v1/account');
      expect([called.status, reasonOf(called)]).toEqual([401, 'session_none']);
    }
  });

  it('is at the host of the console: a tenant’s hostname has none, and gets no cookie', async () => {
    for (const origin of ['http://bridge.localhost', 'http://elsewhere.example']) {
      const answer = await callWorker(`${origin}/console/v1/session`, {
        method: 'POST',
        headers: { ...OWN_PAGE, 'content-type': 'application/json', 'cf-connecting-ip': freshAddress() },
        body: '{"return_to":"/"}',
      });
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([404, []]);
    }
  });

  it('is counted by its address before any session is asked', async () => {
    const address = freshAddress();
    let status = 401;
    for (let i = 0; status === 401 && i < 120; i++) {
      const cookie = `console=${String(i).padStart(43, 'x')}`;
      ({ status } = await call('GET /console/v1/session', { address, headers: { cookie } }));
    }
    expect(status).toBe(429);
  });
});

describe('a call', () => {
  it('is made as whoever is signed in, with its request id and what is left of their limits', async () => {
    const { trader, browser } = await somebody();
    const headers = { 'x-request-id': 'a-request-of-a-page' };
    const account = await browser.ask('GET /call/exchange/v1/account', { headers });
    expect(account.status).toBe(200);
    expect(account.body).toMatchObject({ data: { userId: trader.userId } });
    expect(account.headers.get('x-request-id')).toBe('a-request-of-a-page');
    expect(account.headers.get('x-ratelimit-limit')).toBe('300');
    expect(account.headers.get('content-security-policy')).toContain('sandbox');
    const left = Number(account.headers.get('x-ratelimit-remaining'));
    const next = await browser.ask('GET /call/book/v1/orders?limit=1');
    // One request, drawn once.
    expect(Number(next.headers.get('x-ratelimit-remaining'))).toBe(left - 1);
  });

  it('passes a body on, and shows a secret to nobody’s cache', async () => {
    const { browser } = await somebody();
    const made = await browser.ask('POST /call/iam/v1/keys', { json: { name: 'Of a page', scopes: ['read'] } });
    expect(made.status).toBe(201);
    expect(made.headers.get('cache-control')).toBe('no-store');
    expect(made.headers.getSetCookie()).toEqual([]);
    const unfit = await browser.ask('POST /call/iam/v1/keys?dry_run=true', { json: { name: 'x', scopes: ['read'] } });
    expect([unfit.status, codeOf(unfit)]).toEqual([400, 'VALIDATION_ERROR']);
    const large = await browser.ask('POST /call/iam/v1/keys', { body: 'x'.repeat(70_000) });
    expect(large.status).toBe(413);
  });

  it('names the next page below the console', async () => {
    const { browser } = await somebody();
    for (const name of ['One', 'Two'])
      await browser.ask('POST /call/iam/v1/keys', { json: { name, scopes: ['read'] } });
    const page = await browser.ask('GET /call/iam/v1/sign-ins?limit=1');
    expect(page.headers.get('link')).toMatch(/^<http:\/\/localhost\/console\/call\/iam\/v1\/sign-ins\?/);
  });

  it('says no more of what is another organization’s than a call from outside', async () => {
    const { trader, browser } = await somebody();
    const stranger = await createTrader(db, { owner: 'org-stranger' });
    for (const path of [
      `/call/iam/v1/sessions?userId=${stranger.userId}`,
      `/call/iam/v1/sessions?userId=${NOBODYS_ID}`,
      `/call/exchange/v1/orders/${NOBODYS_ID}`,
    ]) {
      const answer = await browser.ask(`GET ${path}`);
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect((await browser.ask(`GET /call/iam/v1/sessions?userId=${trader.userId}`)).status).toBe(200);
  });

  it('carries no credential of the page', async () => {
    const { trader, browser } = await somebody();
    const headers = { authorization: 'Bearer a.b.c', 'x-api-key': NOBODYS_ID, 'tenant-authorization': 'a.b.c' };
    const account = await browser.ask('GET /call/exchange/v1/account', { headers });
    expect([account.status, JSON.stringify(account.body).includes(trader.userId)]).toEqual([200, true]);
  });

  it('reaches nothing of tokens, machines and providers, however it is spelt', async () => {
    const { browser } = await somebody();
    for (const target of [
      'POST /call/iam/api/login/oauth/access_token',
      'GET /call/iam/api/login/oauth/authorize',
      'GET /call/iam/dev/outbox',
      'POST /call/exchange/v1/auth/tenant-token',
      'POST /call/exchange/v1/auth%2Ftenant-token',
      'POST /call/exchange/v1/%61uth/tenant-token',
      'POST /call/exchange/v1/x/../auth/tenant-token',
      'POST /call/exchange/v1/x/%2e%2e/auth/tenant-token',
      'POST /call/exchange//v1/auth/tenant-token',
      'POST /call/exchange/v1/webhooks/prime',
      'GET /call/book/v1/ws',
      'GET /call/console/v1/session',
      'POST /call/agent/mcp',
      'GET /call/exchange/docs',
      'GET /call/nobody/v1',
    ]) {
      const answer = await browser.ask(target, target.startsWith('POST') ? { json: {} } : {});
      expect([target, answer.status]).toEqual([target, 404]);
    }
  });

  it('is closed to every route of tokens, providers and agents, and open to those of people', () => {
    const routes = Object.values(profiles).flatMap(({ name, routes: all }) =>
      all.map(({ path, access }) => ({ segment: PROFILE_SEGMENTS[name], path, credential: access.credential })),
    );
    const open = routes.filter(({ segment, path }) => isCalledSegment(segment) && isCallable(segment, path));
    expect(open.length).toBeGreaterThan(200);
    expect(open.filter(({ credential }) => ['oauth', 'webhook', 'agent', 'console'].includes(credential))).toEqual([]);
    const closed = routes.filter(
      (route) => !open.includes(route) && ['bearer', 'tenant', 'key', 'partner'].includes(route.credential),
    );
    expect(closed.map(({ segment, path }) => `${segment} ${path}`).toSorted()).toEqual([
      'book /TradingService/CancelOrder',
      'book /TradingService/PlaceOrder',
      'book /v1/agent/tool-calls',
      'book /v1/key-sessions',
      'events-service /cameras/{id}/frames',
      'events-service /cameras/{id}/frames/batch',
      'exchange /v1/auth/tenant-token',
      'partner /v1/ws/book/{id}',
      'partner /v1/ws/trades/{id}',
    ]);
  });
});

describe('preferences', () => {
  const chosen = {
    locale: 'de-DE',
    time_zone: 'Europe/Berlin',
    theme: 'dark',
    density: 'compact',
    home: '/orders',
    trading_keys: false,
    single_keys: false,
    confirm_orders_above: 1_000,
    watchlist: [NOBODYS_ID],
    columns: { orders: ['symbol', 'side'] },
  };

  it('are kept from one browser to the next, and written by the version that was read', async () => {
    const { trader, browser } = await somebody();
    const before = { theme: 'system', single_keys: true, version: 0 };
    expect((await browser.ask('GET /v1/preferences')).body).toMatchObject(before);
    const first = await browser.ask('PUT /v1/preferences', { json: { ...chosen, version: 0 } });
    expect([first.status, first.body]).toEqual([200, { ...chosen, version: 1 }]);
    const late = await browser.ask('PUT /v1/preferences', { json: { ...chosen, theme: 'light', version: 0 } });
    expect([late.status, codeOf(late), detailsOf(late)?.version]).toEqual([409, 'CONFLICT', 1]);
    skipTime(NEXT_CODE);
    const other = await signedInAtConsole(trader.phone);
    expect((await other.ask('GET /v1/preferences')).body).toEqual({ ...chosen, version: 1 });
    expect((await (await somebody()).browser.ask('GET /v1/preferences')).body).toMatchObject({ version: 0 });
  });

  it('have no other fields, and are no larger than they may be', async () => {
    const { browser } = await somebody();
    const put = (change: object) => browser.ask('PUT /v1/preferences', { json: { ...chosen, version: 0, ...change } });
    for (const change of [{ other: 1 }, { home: '//evil.example' }, { watchlist: [''] }, { theme: 'pink' }])
      expect([change, (await put(change)).status]).toEqual([change, 400]);
    const columns = Object.fromEntries(
      Array.from({ length: 90 }, (_, i) => [`table-${i}`, Array.from({ length: 20 }, () => 'a-long-name-of-a-column')]),
    );
    expect((await put({ columns })).status).toBe(413);
  });
});

describe('the feed', () => {
  const open = (cookie: string, headers: Record<string, string> = {}) =>
    callWorker(`${CONSOLE}/console/feed`, {
      headers: { upgrade: 'websocket', origin: CONSOLE, cookie, 'cf-connecting-ip': freshAddress(), ...headers },
    });

  it('is that of whoever is signed in, and closes when they sign out', async () => {
    const { browser } = await somebody();
    const response = await open(browser.cookies());
    expect(response.status).toBe(101);
    const socket = response.webSocket!;
    socket.accept();
    const received: string[] = [];
    let isClosed = false;
    socket.addEventListener('message', ({ data }) => void received.push(String(data)));
    socket.addEventListener('close', () => {
      isClosed = true;
    });
    socket.send(JSON.stringify({ type: 'subscribe', channel: 'account', symbol: '*' }));
    socket.send(JSON.stringify({ type: 'subscribe', channel: 'balances' }));
    await until(() => received.length > 0);
    expect(received.join('\n')).not.toContain('UNAUTHORIZED');
    expect((await browser.ask('DELETE /v1/session')).status).toBe(204);
    await until(() => isClosed);
  });

  it('takes no other origin, and nobody without a session', async () => {
    const { browser } = await somebody();
    for (const origin of ['https://evil.example', 'null'])
      expect((await open(browser.cookies(), { origin })).status).toBe(403);
    expect((await open('')).status).toBe(401);
    const response = await callWorker(`${CONSOLE}/console/feed`, {
      headers: { upgrade: 'websocket', cookie: browser.cookies(), 'cf-connecting-ip': freshAddress() },
    });
    expect(response.status).toBe(403);
  });

  it('counts as one of their five connections', async () => {
    const { browser } = await somebody();
    const opened = await Promise.all(Array.from({ length: 5 }, () => open(browser.cookies())));
    expect(opened.map(({ status }) => status)).toEqual([101, 101, 101, 101, 101]);
    for (const { webSocket } of opened) webSocket!.accept();
    expect((await open(browser.cookies())).status).toBe(429);
    for (const { webSocket } of opened) webSocket!.close(1000, 'done');
  });
});

describe('the end of a session', () => {
  it('by signing out ends its tokens, and the cookie opens nothing again', async () => {
    const { trader, browser } = await somebody();
    const before = browser.pages.cookie('console') ?? '';
    const out = await browser.ask('DELETE /v1/session');
    expect([out.status, browser.pages.cookie('console')]).toEqual([204, '']);
    expect((await grantsOf(trader.userId)).every(({ revokedAt }) => revokedAt !== null)).toBe(true);
    browser.pages.setCookie('console', before);
    await expectEnded(browser, 'signed_out');
    // Whoever is signed out already is signed out.
    expect((await browser.ask('DELETE /v1/session')).status).toBe(204);
  });

  it('everywhere ends every browser of the person, and nobody else’s', async () => {
    const { trader, browser } = await somebody();
    skipTime(NEXT_CODE);
    const other = await signedInAtConsole(trader.phone);
    const { browser: stranger } = await somebody();
    expect((await browser.ask('DELETE /v1/sessions')).status).toBe(204);
    await expectEnded(other, 'signed_out');
    expect((await stranger.ask('GET /v1/session')).status).toBe(200);
  });

  it('comes with the kill switch, and with the end of its session at the provider', async () => {
    const { trader, browser } = await somebody();
    const killed = await browser.ask(`POST /call/iam/v1/users/${trader.userId}/kill-switch`);
    expect(killed.status).toBe(200);
    const called = await browser.ask('GET /call/exchange/v1/account');
    expect([called.status, reasonOf(called)]).toEqual([401, 'session_revoked']);
    await expectEnded(browser, 'revoked');

    const { browser: second } = await somebody();
    const { body } = await second.ask('GET /v1/session');
    const { id } = (body as { session: { id: string } }).session;
    await second.ask(`DELETE /call/iam/v1/sessions/${id}`);
    await expectEnded(second, 'revoked');
    // The cookie of the browser may be that of its next session by now.
    expect(second.pages.cookie('console') ?? '').not.toBe('');
  });

  it('comes with the kill switch at another provider too, which gives no other token for one that is refused', async () => {
    const { trader, browser } = await somebody();
    expect((await endEverything(env, trader.userId)).ok).toBe(true);
    await expectEnded(browser, 'revoked');
    const elsewhere = { ...env, IAM_JWKS_URL: 'https://other.invalid/jwks', IAM_ISSUER: 'https://other.invalid' };
    const tokens = { accessToken: 'a', refreshToken: 'r', expiresAt: Date.now() + MINUTE, lifeMs: MINUTE };
    const from = { clientAddress: freshAddress(), device: null, later: () => {} };
    expect(await renewTokens(elsewhere as Env, tokens, { ...from, isRefused: true })).toEqual({ type: 'refused' });
    expect(await renewTokens(elsewhere as Env, tokens, { ...from, isRefused: false })).toEqual({ type: 'unavailable' });
  });

  it('comes not where the provider was away before it saw the refresh token', async () => {
    const { trader } = await somebody();
    const of = eq(refreshTokens.userId, trader.userId);
    await db
      .update(refreshTokens)
      .set({ hash: await sha256Hex('shown') })
      .where(of);
    const tokens = { accessToken: 'a', refreshToken: 'shown', expiresAt: Date.now() + MINUTE, lifeMs: MINUTE };
    expect(await isSpent(env, tokens)).toBe(false);
    await db.update(refreshTokens).set({ usedAt: Date.now() }).where(of);
    expect(await isSpent(env, tokens)).toBe(true);
    expect(await isSpent(env, { ...tokens, refreshToken: 'unknown' })).toBe(true);
  });

  it('leaves the list of their sessions to those that go on', async () => {
    const { trader, browser } = await somebody();
    const listed = () => consoleUserOf(env, trader.userId).listSessions();
    const name = await sha256Hex(browser.pages.cookie('console') ?? '');
    expect(await listed()).toEqual([name]);
    skipTime(31 * MINUTE);
    await runDurableObjectAlarm(env.BROWSER_SESSION.getByName(name));
    expect(await listed()).toEqual([]);
  });

  it('keeps one that is beyond what a person may have listed until it has ended', async () => {
    const user = consoleUserOf(env, NOBODYS_ID);
    for (let count = 1; count <= 10; count++) expect(await user.addSession(`session ${count}`)).toEqual([]);
    expect(await user.addSession('session 11')).toEqual(['session 1']);
    expect(await user.addSession('session 11')).toEqual(['session 1']);
    await user.removeSession('session 1');
    expect(await user.addSession('session 11')).toEqual([]);
  });

  it('comes after 30 minutes without use; what a page asks by itself is none', async () => {
    const { browser } = await somebody();
    const background = { headers: { 'x-console': 'background' } };
    skipTime(29 * MINUTE);
    expect((await browser.ask('GET /v1/session')).status).toBe(200);
    skipTime(29 * MINUTE);
    expect((await browser.ask('GET /v1/session', background)).status).toBe(200);
    skipTime(MINUTE);
    await expectEnded(browser, 'idle');
  });

  it('comes after 30 minutes with nothing but sockets and pictures, which a page opens by itself', async () => {
    const { browser } = await somebody();
    for (let minutes = 0; minutes < 28; minutes += 14) {
      skipTime(14 * MINUTE);
      const upgrade = { upgrade: 'websocket', origin: CONSOLE, cookie: browser.cookies() };
      const opened = await callWorker(`${CONSOLE}/console/feed`, {
        headers: { ...upgrade, 'cf-connecting-ip': freshAddress() },
      });
      expect(opened.status).toBe(101);
      opened.webSocket!.accept();
      opened.webSocket!.close(1000, 'done');
      const picture = { headers: { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-origin' } };
      expect((await browser.ask('GET /call/exchange/v1/account', picture)).status).toBe(200);
    }
    skipTime(2 * MINUTE);
    await expectEnded(browser, 'idle');
  });

  it('comes by its alarm, where nobody asks any more', async () => {
    const { trader, browser } = await somebody();
    const object = env.BROWSER_SESSION.getByName(await sha256Hex(browser.pages.cookie('console') ?? ''));
    skipTime(31 * MINUTE);
    await runDurableObjectAlarm(object);
    expect((await grantsOf(trader.userId)).every(({ revokedAt }) => revokedAt !== null)).toBe(true);
  });

  it('comes after 12 hours of use; tokens are renewed once for ten requests that come together', async () => {
    const { trader, browser } = await somebody();
    for (let minutes = 0; minutes < 87; minutes += 29) {
      skipTime(29 * MINUTE);
      expect((await browser.ask('GET /v1/preferences')).status).toBe(200);
    }
    const before = (await grantsOf(trader.userId)).length;
    skipTime(29 * MINUTE);
    const together = await Promise.all(Array.from({ length: 10 }, () => browser.ask('GET /call/exchange/v1/account')));
    expect(together.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(await grantsOf(trader.userId)).toHaveLength(before + 1);
    let status = 200;
    for (let uses = 0; status === 200 && uses < 30; uses++) {
      skipTime(29 * MINUTE);
      const answer = await browser.ask('GET /v1/session');
      status = answer.status;
      if (status !== 200) expect(reasonOf(answer)).toBe('session_too_old');
    }
    expect(status).toBe(401);
  });
});

it('runs no reference page at its origin', async () => {
  expect((await call('GET /console/docs')).status).toBe(404);
});

it('takes reports of violations, and nothing that is none', async () => {
  const report = (body: string) =>
    call('POST /console/v1/policy-reports', { body, headers: { 'content-type': 'application/csp-report' } });
  const violation = {
    'csp-report': { 'effective-directive': 'script-src', 'blocked-uri': 'https://evil.example/?q=1' },
  };
  expect((await report(JSON.stringify(violation))).status).toBe(204);
  expect((await report('{}')).status).toBe(400);
  expect((await report('x'.repeat(9_000))).status).toBe(413);
});

it('keeps no page in the place of a file that this version lacks', async () => {
  const answer = await callWorker(`${CONSOLE}/static/none-1a2b3c4d.js`);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
});

const configuration = Object.values(
  import.meta.glob('../../../../wrangler.toml', { query: '?raw', import: 'default', eager: true }),
).join('');

it('leaves every path of a profile to the Worker, with its segment and as on a host of its own', () => {
  const list = /run_worker_first = \[([^\]]*)\]/.exec(configuration)?.[1] ?? '';
  const patterns = [...list.matchAll(/"([^"]+)"/g)].map((match) => match[1]!);
  const isWorkers = (path: string) =>
    patterns.some((pattern) => (pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern));
  const missing = Object.values(profiles).flatMap(({ name, routes }) =>
    routes
      .map(({ path }) => path.replaceAll(/\{\w+\}/g, NOBODYS_ID))
      .flatMap((path) => [`/${PROFILE_SEGMENTS[name]}${path}`, ...(name === 'console' ? [] : [path])])
      .filter((path) => !isWorkers(path)),
  );
  expect(missing).toEqual([]);
});

async function until(isSo: () => boolean): Promise<void> {
  const isOver = patience();
  while (!isSo()) {
    if (isOver()) throw new Error('it never came');
    await scheduler.wait(5);
  }
}
