import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../../../application/identity/sha256-hex.ts';
import { issueTokens } from '../../../../application/identity/tokens/issue-tokens.ts';
import type { Database } from '../../../../data/database.ts';
import { createOAuthClient, findOAuthClient } from '../../../../data/identity/oauth-clients.ts';
import { readCodes } from '../../../../data/identity/one-time-codes.ts';
import { endUserTokens } from '../../../../data/identity/revocations.ts';
import { findUser } from '../../../../data/identity/users.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { APP, createApp, receiveCode, type SignedIn, signIn, tokenRequest } from '../../fixtures/sign-in.ts';

let db: Database;
let person: Trader;
let session: SignedIn;
let client: string;

const SECRET = 'known-to-the-thief';

beforeAll(async () => {
  db = await migrate();
  await createApp();
});

beforeEach(async () => {
  person = await createTrader(db);
  session = await signIn(person.phone);
  client = `client-${crypto.randomUUID()}`;
  await createOAuthClient(db, {
    id: client,
    owner: person.owner,
    name: 'A machine',
    secretHash: await sha256Hex(SECRET),
    grants: ['client_credentials'],
    userId: person.userId,
    createdAt: Date.now(),
  });
});

const byClient = (secret = SECRET) =>
  tokenRequest({ grant_type: 'client_credentials', client_id: client, client_secret: secret });

const pull = () => call(`POST /iam/v1/users/${person.userId}/kill-switch`, { headers: session.bearer });

describe('after a kill switch nothing that was known before opens anything', () => {
  test('I-04: the secret of a client that speaks for the user gets no token, and those that it got have ended', async () => {
    const before = await byClient();
    expect(before.status).toBe(200);
    expect((await pull()).status).toBe(200);
    expect((await byClient()).status).toBe(400);
    const { access_token } = before.body as { access_token: string };
    expect((await call('GET /iam/v1/keys', { headers: { authorization: `Bearer ${access_token}` } })).status).toBe(401);
    expect((await findOAuthClient(db, client))?.waitingSince).not.toBeNull();
  });

  test('I-04: the client goes on with another secret, which its person alone is shown', async () => {
    await pull();
    await signInAgainAtOnce();
    const again = await signIn(person.phone);
    const taken = await call(`POST /iam/v1/clients/${client}/secret`, { headers: again.bearer });
    expect(taken.status).toBe(200);
    const { secret } = (taken.body as { data: { secret: string } }).data;
    expect((await byClient()).status).toBe(401);
    expect((await byClient(secret)).status).toBe(200);
  });

  test('I-04: a code that was sent and not used signs nobody in', async () => {
    await forgetSending();
    const code = await receiveCode(person.phone);
    await endUserTokens(db, person.userId, Date.now());
    expect(await readCodes(db, { code: `${person.phone} ${APP}` }, Date.now())).toEqual([]);
    // The same of one that was asked for without a client.
    await call('POST /iam/api/login/oauth/send-code', { form: { phone: person.phone } });
    const anywhere = { code: `${person.phone} ` };
    expect(await readCodes(db, anywhere, Date.now())).toHaveLength(1);
    await endUserTokens(db, person.userId, Date.now());
    expect(await readCodes(db, anywhere, Date.now())).toEqual([]);
    const signed = await tokenRequest({
      grant_type: 'password',
      client_id: APP,
      username: person.phone,
      password: code,
    });
    expect(signed.status).toBe(400);
  });

  test('I-04: refresh tokens and access tokens have ended', async () => {
    await pull();
    const refreshed = await tokenRequest({
      grant_type: 'refresh_token',
      client_id: APP,
      refresh_token: session.refreshToken,
    });
    expect(refreshed.status).toBe(400);
    expect((await call('GET /iam/v1/keys', { headers: session.bearer })).status).toBe(401);
  });

  test('I-04: a token that is made while the switch is pulled is given to nobody', async () => {
    const user = await findUser(db, person.userId);
    await endUserTokens(db, person.userId, Date.now());
    const { userId: subject, owner } = person;
    const request = { subject, owner, clientId: client, user, machine: true, scope: [], family: crypto.randomUUID() };
    expect(await issueTokens(request, env)).toBeNull();
  });
});

describe('clients that speak for a user', () => {
  test('I-04: are seen and ended by the user and by the access manager of their organization, and by nobody else', async () => {
    const manager = await signIn((await createTrader(db, { roles: ['access_manager'] })).phone);
    const stranger = await signIn((await createTrader(db)).phone);
    const elsewhere = await signIn((await createTrader(db, { owner: 'org-else', roles: ['access_manager'] })).phone);
    const listed = (headers: SignedIn, query = '') => call(`GET /iam/v1/clients${query}`, { headers: headers.bearer });
    const of = `?userId=${person.userId}`;
    expect((await listed(session)).body).toMatchObject({ data: [{ id: client, userId: person.userId }] });
    expect((await listed(manager, of)).body).toMatchObject({ data: [{ id: client }] });
    expect([(await listed(stranger, of)).status, (await listed(elsewhere, of)).status]).toEqual([404, 404]);
    const end = (by: SignedIn) => call(`DELETE /iam/v1/clients/${client}`, { headers: by.bearer });
    expect([(await end(stranger)).status, (await end(elsewhere)).status]).toEqual([404, 404]);
    expect((await byClient()).status).toBe(200);
    expect((await end(manager)).status).toBe(200);
    expect((await byClient()).status).toBe(401);
    const trail = await db.$client
      .prepare("SELECT payload FROM domain_events WHERE subject = ? AND type = 'operator.oauth_client_revoked'")
      .bind(client)
      .first<{ payload: string }>();
    expect(JSON.parse(trail?.payload ?? '{}')).toMatchObject({ credential: `client:${APP}` });
  });
});

/** As after the second in which the switch was pulled, whose tokens have ended with it, and the pause between two messages. */
async function signInAgainAtOnce(): Promise<void> {
  const run = (sql: string, value: string) => db.$client.prepare(sql).bind(value).run();
  await run('UPDATE users SET tokens_valid_after = tokens_valid_after - 1000 WHERE id = ?', person.userId);
  await forgetSending();
}

async function forgetSending(): Promise<void> {
  await db.$client
    .prepare('UPDATE one_time_codes SET sent_at = 0 WHERE phone = ?')
    .bind(`${person.phone} ${APP}`)
    .run();
  await db.$client.prepare('DELETE FROM dev_outbox').run();
}
