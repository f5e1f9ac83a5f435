import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sha256Hex } from '../../../../application/identity/sha256-hex.ts';
import { editUser } from '../../../../application/operator/change-user.ts';
import type { Database } from '../../../../data/database.ts';
import { createAuthorization, useAuthorization } from '../../../../data/identity/authorizations.ts';
import { createBrowserSession, findBrowserSession } from '../../../../data/identity/browser-sessions.ts';
import { recordClientConsent } from '../../../../data/identity/client-consents.ts';
import { createOAuthClient } from '../../../../data/identity/oauth-clients.ts';
import { keepSession } from '../../../../data/identity/sessions.ts';
import { totpFactors } from '../../../../data/schema/identity.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { APP, createApp, receiveCode, signIn, tokenRequest } from '../../fixtures/sign-in.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Headers = Record<string, string>;
interface Entry {
  readonly type: string;
  readonly reason: string | null;
  readonly times: number;
  readonly clientId: string | null;
  readonly sessionId: string | null;
  readonly place: string | null;
  readonly device: string | null;
}
interface Session {
  readonly id: string;
  readonly device: string | null;
  readonly current: boolean;
  readonly endsAt: string;
}

const entriesOf = async (headers: Headers, query = '') =>
  ((await call(`GET /iam/v1/sign-ins${query}`, { headers })).body as { data: Entry[] }).data;
const sessionsOf = async (headers: Headers) =>
  ((await call('GET /iam/v1/sessions', { headers })).body as { data: Session[] }).data;
const refresh = (refresh_token: string) => tokenRequest({ grant_type: 'refresh_token', client_id: APP, refresh_token });
const bearerOf = (answer: { readonly body: unknown }) => ({
  authorization: `Bearer ${(answer.body as { access_token: string }).access_token}`,
});
const refreshOf = (answer: { readonly body: unknown }) => (answer.body as { refresh_token: string }).refresh_token;

async function passwordForm({ phone }: Trader) {
  const password = await receiveCode(phone);
  return { grant_type: 'password', client_id: APP, username: phone, password, scope: 'openid offline_access' };
}

/** What is written once an answer is given has come. */
async function entry(headers: Headers, reason: string, times = 1, query = ''): Promise<Entry> {
  for (;;) {
    const found = (await entriesOf(headers, query)).find(
      (candidate) => candidate.reason === reason || candidate.type === reason,
    );
    if (found !== undefined && found.times >= times) return found;
    await scheduler.wait(5);
  }
}

describe('I-09: the trail of signing in', () => {
  it('has sign-ins, refusals and reuse with client, place and device, and no code, token or secret', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const trader = await createTrader(db);
    const form = await passwordForm(trader);
    const device = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
    const address = freshAddress();
    const from = (fields: Record<string, string>) =>
      call('POST /iam/api/login/oauth/access_token', { form: fields, headers: device, address });
    const wrong = form.password === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 3; tries++) await from({ ...form, password: wrong });
    const signedIn = await from(form);
    const bearer = bearerOf(signedIn);
    const spent = refreshOf(signedIn);
    const next = refreshOf(await refresh(spent));
    const refused = await entry(bearer, 'wrong_code', 3);
    expect(refused).toMatchObject({ type: 'refused', times: 3, clientId: APP, device: 'Firefox on Linux' });
    const [session] = await sessionsOf(bearer);
    const begun = await entry(bearer, 'signed_in');
    expect(begun).toMatchObject({
      sessionId: session?.id,
      clientId: APP,
      place: refused.place,
      device: 'Firefox on Linux',
    });
    expect(session).toMatchObject({ current: true, device: 'Firefox on Linux' });
    expect((await refresh(spent)).status).toBe(400);
    expect(error.mock.calls.flat().join(' ')).toContain('a refresh token was used twice');
    expect((await refresh(next)).status, 'of the same session').toBe(400);
    const again = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
    const operator = bearerOf(await tokenRequest(await passwordForm(again)));
    const of = `?userId=${trader.userId}`;
    await entry(operator, 'refresh_token_reused', 1, of);
    const all = await entriesOf(operator, of);
    expect(all.filter(({ type }) => type === 'signed_in')).toHaveLength(1);
    const texts = JSON.stringify(all);
    for (const secret of [form.password, wrong, spent, next, trader.phone, '127.0.0.1'])
      expect(texts).not.toContain(`"${secret}`);
    expect(await entriesOf(operator, `${of}&to=2020-01-01T00:00:00Z`)).toEqual([]);
    const stranger = bearerOf(await tokenRequest(await passwordForm(await createTrader(db))));
    expect((await call(`GET /iam/v1/sign-ins${of}`, { headers: stranger })).status).toBe(404);
  });

  it('counts refusals by the hour, whatever an attacker sends; what is nobody’s writes nothing', async () => {
    const count = async () =>
      (await env.DB.prepare('SELECT count(*) AS n FROM sign_ins').first<{ n: number }>())?.n ?? 0;
    const { userId } = await createTrader(db);
    const id = `machine-${crypto.randomUUID()}`;
    const secretHash = await sha256Hex('machine-secret');
    const grants = ['client_credentials'] as const;
    await createOAuthClient(db, {
      id,
      owner: 'org-test',
      name: 'M',
      secretHash,
      grants,
      userId,
      createdAt: Date.now(),
    });
    await env.DB.prepare('UPDATE users SET service = 1 WHERE id = ?').bind(userId).run();
    const before = await count();
    const attempt = (client_id: string, client_secret: string) =>
      tokenRequest({ grant_type: 'client_credentials', client_id, client_secret });
    for (let tries = 0; tries < 20; tries++) {
      expect((await attempt(id, `wrong-${tries}`)).status).toBe(401);
      expect((await attempt(`nobody-${tries}`, 'x')).status).toBe(401);
      await tokenRequest({
        grant_type: 'password',
        client_id: APP,
        username: `+1999555${1000 + tries}`,
        password: '123456',
      });
    }
    const token = await attempt(id, 'machine-secret');
    expect((await entry(bearerOf(token), 'wrong_client_secret', 20)).times).toBe(20);
    await entry(bearerOf(token), 'machine_token_issued');
    expect(await count()).toBe(before + 2);
  });

  it('has keys that are made, rotated and revoked', async () => {
    const trader = await createTrader(db);
    const { bearer } = await signIn(trader.phone);
    const made = await call('POST /iam/v1/keys', { headers: bearer, json: { name: 'k', scopes: ['read'] } });
    const { id } = (made.body as { data: { id: string } }).data;
    expect((await call(`POST /iam/v1/keys/${id}/rotate`, { headers: bearer })).status).toBe(200);
    expect((await call(`DELETE /iam/v1/keys/${id}`, { headers: bearer })).status).toBe(200);
    const types = (await entriesOf(bearer)).map(({ type }) => type);
    expect(types.toSorted()).toEqual(['key_made', 'key_revoked', 'key_rotated', 'signed_in']);
  });
});

describe('I-10: a session', () => {
  it('ends on its day, however often it is refreshed', async () => {
    const trader = await createTrader(db);
    const begunAt = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: begunAt });
    let answer = await tokenRequest(await passwordForm(trader));
    const [session] = await sessionsOf(bearerOf(answer));
    for (let day = 1; day < 30; day += 7) {
      vi.setSystemTime(begunAt + day * 86_400_000);
      answer = await refresh(refreshOf(answer));
      expect(answer.status).toBe(200);
    }
    vi.setSystemTime(begunAt + 30 * 86_400_000 - 60_000);
    answer = await refresh(refreshOf(answer));
    expect((answer.body as { expires_in: number }).expires_in).toBeLessThanOrEqual(60);
    expect((await sessionsOf(bearerOf(answer)))[0]).toMatchObject({ id: session?.id, endsAt: session?.endsAt });
    vi.setSystemTime(begunAt + 30 * 86_400_000 + 1_000);
    expect((await refresh(refreshOf(answer))).status).toBe(400);
  });

  it('is shorter once its user holds a power', async () => {
    const trader = await createTrader(db);
    const begunAt = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: begunAt });
    const answer = await tokenRequest(await passwordForm(trader));
    await env.DB.prepare('UPDATE users SET roles = ? WHERE id = ?').bind('["access_manager"]', trader.userId).run();
    vi.setSystemTime(begunAt + 11 * 3_600_000);
    const next = await refresh(refreshOf(answer));
    expect((next.body as { expires_in: number }).expires_in).toBeLessThanOrEqual(3_600);
    vi.setSystemTime(begunAt + 12 * 3_600_000);
    expect((await refresh(refreshOf(next))).status).toBe(400);
  });

  it('is seen and ended by its user, one or all, and by nobody else', async () => {
    const trader = await createTrader(db);
    const one = await tokenRequest(await passwordForm(trader));
    await env.DB.prepare('UPDATE one_time_codes SET sent_at = 0 WHERE phone = ?').bind(`${trader.phone} ${APP}`).run();
    await env.DB.prepare("UPDATE dev_outbox SET phone = '' WHERE phone = ?").bind(trader.phone).run();
    const other = await tokenRequest(await passwordForm(trader));
    const sessions = await sessionsOf(bearerOf(other));
    expect(sessions.map(({ current }) => current)).toEqual([true, false]);
    const path = `DELETE /iam/v1/sessions/${sessions[1]?.id}`;
    const stranger = (await signIn((await createTrader(db)).phone)).bearer;
    expect((await call(path, { headers: stranger })).status).toBe(404);
    expect((await call(`DELETE /iam/v1/sessions?userId=${trader.userId}`, { headers: stranger })).status).toBe(404);
    expect((await call(path, { headers: bearerOf(other) })).status).toBe(200);
    expect((await call('GET /iam/v1/keys', { headers: bearerOf(one) })).status).toBe(401);
    expect((await refresh(refreshOf(one))).status).toBe(400);
    expect((await call('GET /iam/v1/keys', { headers: bearerOf(other) })).status).toBe(200);
    expect((await call('DELETE /iam/v1/sessions', { headers: bearerOf(other) })).status).toBe(200);
    expect((await call('GET /iam/v1/keys', { headers: bearerOf(other) })).status).toBe(401);
    expect((await refresh(refreshOf(other))).status).toBe(400);
  });

  it('begins by no code alone once its user has a second factor, who added it just before', async () => {
    const { userId, phone } = await createTrader(db);
    const now = Date.now();
    const begun = async (method: 'code' | 'code_and_totp') => {
      const session = { hash: crypto.randomUUID(), userId, createdAt: now, method, device: null, place: null } as const;
      return createBrowserSession(db, session, { phone, now });
    };
    await db.insert(totpFactors).values({ userId, secretSealed: 'sealed', createdAt: now });
    expect(await begun('code'), 'not confirmed yet').toBe(true);
    await db.update(totpFactors).set({ confirmedAt: now }).where(eq(totpFactors.userId, userId));
    expect([await begun('code'), await begun('code_and_totp')]).toEqual([false, true]);
  });

  it('ends with another phone number of its user, who is told at both', async () => {
    const trader = await createTrader(db);
    const { bearer, refreshToken } = await signIn(trader.phone);
    const phone = '+15557654321';
    // A browser that is signed in, and codes that it was given.
    const now = Date.now();
    const { userId } = trader;
    const browser = { hash: 'browser', userId, createdAt: now, method: 'code', device: null, place: null } as const;
    await createBrowserSession(db, browser, { phone: trader.phone, now });
    const consent = { id: 'c', clientName: 'C', resource: '', scope: 'openid', keyId: null, agreedAt: now };
    const consentId =
      (await recordClientConsent(db, { ...consent, userId, clientId: APP }, browser, crypto.randomUUID())) ?? '';
    const grant = { userId, consentId, clientId: APP, redirectUri: 'r', challenge: 'c', nonce: null, scope: 'openid' };
    const terms = { resource: '', audience: 'a', keyId: null, authTime: now, method: 'code', createdAt: now } as const;
    const times = { expiresAt: now + 60_000, keptUntil: now + 60_000 };
    const isGiven = (name: string) =>
      createAuthorization(db, { codeHash: name, family: name, ...grant, ...terms, ...times }, 'browser');
    const isTaken = (codeHash: string) => useAuthorization(db, { codeHash, now: Date.now(), keptUntil: now });
    expect([await isGiven('one'), await isGiven('other'), await isTaken('one')]).toEqual([true, true, true]);
    const action = { id: crypto.randomUUID(), actor: 'somebody', requestId: 'r' };
    expect((await editUser(env, { id: trader.userId, edit: { phone }, reason: 'lost' }, action)).ok).toBe(true);
    expect((await call('GET /iam/v1/keys', { headers: bearer })).status).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(400);
    expect(await findBrowserSession(db, 'browser', Date.now())).toBeNull();
    expect([await isTaken('other'), await isGiven('third')]).toEqual([false, false]);
    expect(
      await recordClientConsent(db, { ...consent, userId, clientId: 'later' }, browser, crypto.randomUUID()),
    ).toBeNull();
    expect(
      await createBrowserSession(db, { ...browser, createdAt: Date.now() + 1 }, { phone: trader.phone, now }),
    ).toBe(false);
    const shown = { authTime: now, method: 'code', device: null, place: null } as const;
    const begun = { id: 'one', userId, clientId: APP, begunAt: Date.now(), endsAt: now * 2, ...shown };
    const entry = { id: 'one', userId, type: 'signed_in', at: now } as const;
    expect(await keepSession(db, begun, entry), 'of a code that was used just before').toBeNull();
    const told = await env.DB.prepare('SELECT phone FROM dev_outbox WHERE text LIKE ?')
      .bind('%phone number of your account was changed%')
      .all();
    expect(told.results.map((row) => row.phone).toSorted()).toEqual([trader.phone, phone].toSorted());
    const entries = await env.DB.prepare("SELECT type FROM sign_ins WHERE user_id = ? AND type = 'phone_changed'")
      .bind(trader.userId)
      .all();
    expect(entries.results).toHaveLength(1);
  });
});
