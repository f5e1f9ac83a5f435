import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { createOAuthClient, findOAuthClient } from '../../../../data/identity/oauth-clients.ts';
import { endUserTokens } from '../../../../data/identity/revocations.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { type Answer, call, codeOf } from '../../fixtures/call.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { tokensOf } from '../../fixtures/exchange-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner } from '../../fixtures/partner-client.ts';
import { outsideReceiver } from '../../fixtures/webhook-receiver.ts';
import { type Staff, staffOf, venueOf } from '../../workers/events/staff.ts';

let db: Database;
let person: Trader;
let headers: Record<string, string>;

beforeAll(async () => {
  db = await migrate();
});

beforeEach(async () => {
  person = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator', 'trader'] });
  headers = await tokensOf(person);
});

const ask = (route: string, json?: object) => call(route, { headers, ...(json === undefined ? {} : { json }) });

/** The kill switch, pulled after the Gate has let a request in: the Gate goes by what it has read before. */
async function pullUnseenByTheGate(userId = person.userId): Promise<void> {
  await endUserTokens(db, userId, Date.now() + 1_000);
}

/** Has the Gate read its user. */
async function letIn(answer: Promise<Answer>): Promise<void> {
  expect((await answer).status).toBe(200);
}

async function rows(query: string, ...values: string[]): Promise<unknown[]> {
  return (
    await db.$client
      .prepare(query)
      .bind(...values)
      .all()
  ).results;
}

const machine = (id: string, userId: string, owner: string) =>
  createOAuthClient(db, {
    id,
    owner,
    name: 'Machine',
    secretHash: 'of the secret before',
    grants: ['client_credentials'],
    userId,
    createdAt: Date.now(),
  });

describe('a kill switch that is pulled while a request of the token is under way', () => {
  test('leaves a person who agrees without the secret that they would take', async () => {
    const id = `client-${crypto.randomUUID()}`;
    await machine(id, person.userId, person.owner);
    await letIn(ask('GET /iam/v1/clients'));
    await pullUnseenByTheGate();
    const taken = await ask(`POST /iam/v1/clients/${id}/secret`);
    expect([taken.status, codeOf(taken)]).toEqual([401, 'UNAUTHORIZED']);
    expect(await findOAuthClient(db, id)).toMatchObject({ secretHash: 'of the secret before' });
    expect((await findOAuthClient(db, id))?.waitingSince).not.toBeNull();
    expect(await rows('SELECT id FROM shown_secrets WHERE client = ?', id)).toEqual([]);
  });

  test('leaves an operator without the secret of a service, whether it is made or rotated', async () => {
    const service = await createTrader(db, { owner: VENUE_OWNER, service: true });
    const id = `client-${crypto.randomUUID()}`;
    await machine(id, service.userId, VENUE_OWNER);
    await letIn(ask('GET /exchange/v1/operator/oauth-clients'));
    await pullUnseenByTheGate();
    const rotated = await ask(`POST /exchange/v1/operator/oauth-clients/${id}/rotate`, { reason: 'mine' });
    expect([rotated.status, codeOf(rotated)]).toEqual([401, 'UNAUTHORIZED']);
    expect((await findOAuthClient(db, id))?.secretHash).toBe('of the secret before');
    const terms = { id: `${id}-2`, owner: VENUE_OWNER, name: 'Mine', kind: 'machine', userId: service.userId };
    expect((await ask('POST /exchange/v1/operator/oauth-clients', terms)).status).toBe(401);
    expect(await findOAuthClient(db, `${id}-2`)).toBeNull();
    expect(await rows('SELECT id FROM shown_secrets WHERE client LIKE ?', `${id}%`)).toEqual([]);
  });

  test('gives nobody a role, a user or an approval', async () => {
    const other = await createTrader(db, { owner: VENUE_OWNER });
    const asker = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
    const asked = crypto.randomUUID();
    await db.$client
      .prepare(
        `INSERT INTO operator_approvals (id, call, hash, body, asked_by, people, asked_at, expires_at, state)
         VALUES (?, 'POST /x', 'h', '{}', ?, ?, ?, ?, 'asked')`,
      )
      .bind(asked, asker.userId, JSON.stringify([asker.userId]), Date.now(), Date.now() + 60_000)
      .run();
    await letIn(ask('GET /exchange/v1/operator/approvals'));
    await pullUnseenByTheGate();
    const change = { roles: ['operator'], reason: 'mine' };
    expect((await ask(`PATCH /exchange/v1/operator/users/${other.userId}`, change)).status).toBe(401);
    const user = {
      owner: VENUE_OWNER,
      name: 'Mine',
      email: 'mine@example.com',
      phone: '+15550199321',
      roles: ['operator'],
    };
    expect((await ask('POST /exchange/v1/operator/users', user)).status).toBe(401);
    expect((await ask(`POST /exchange/v1/operator/approvals/${asked}/approve`, { reason: 'yes' })).status).toBe(401);
    expect(await rows('SELECT id FROM users WHERE phone = ?', user.phone)).toEqual([]);
    expect(await rows('SELECT roles FROM users WHERE id = ?', other.userId)).toEqual([{ roles: '["trader"]' }]);
    expect(await rows('SELECT state FROM operator_approvals WHERE id = ?', asked)).toEqual([{ state: 'asked' }]);
  });

  test('makes no API key, gives none another secret and raises no limit', async () => {
    const made = await ask('POST /iam/v1/keys', { name: 'before', scopes: ['trade'] });
    expect(made.status).toBe(201);
    const { id } = (made.body as { data: { id: string } }).data;
    // Of one's own key nobody raises the limits.
    const { keyId } = await createKeyHolder(db);
    const limitsOf = () => rows('SELECT rate_limits FROM api_keys WHERE id = ?', keyId);
    const limits = await limitsOf();
    const secretOf = () => rows('SELECT secret_ciphertext, rate_limits FROM api_keys WHERE id = ?', id);
    const before = await secretOf();
    await pullUnseenByTheGate();
    expect((await ask('POST /iam/v1/keys', { name: 'after', scopes: ['trade'] })).status).toBe(401);
    expect((await ask(`POST /iam/v1/keys/${id}/rotate`)).status).toBe(401);
    expect((await ask(`PUT /iam/v1/keys/${keyId}/rate-limits`, { orders: 999_999 })).status).toBe(401);
    expect([await secretOf(), await limitsOf()]).toEqual([before, limits]);
    expect(await rows('SELECT name FROM api_keys WHERE user_id = ?', person.userId)).toEqual([{ name: 'before' }]);
  });

  test('makes no call that a second operator has approved', async () => {
    const second = await tokensOf(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
    const customer = await createTrader(db);
    await createCurrency(db);
    const required = { required: true, reason: 'two pairs of eyes' };
    expect((await ask('PUT /exchange/v1/operator/approvals', required)).status).toBe(200);
    const deposit = { accountId: customer.accountId, assetId: 'usd', amount: 5 };
    const asked = await ask('POST /exchange/v1/operator/deposits', deposit);
    const { approval } = (asked.body as { error: { details: { approval: string } } }).error.details;
    const seen = { headers: second, json: { reason: 'seen' } };
    expect((await call(`POST /exchange/v1/operator/approvals/${approval}/approve`, seen)).status).toBe(200);
    await pullUnseenByTheGate();
    const under = { headers: { ...headers, 'x-operator-approval': approval }, json: deposit };
    expect((await call('POST /exchange/v1/operator/deposits', under)).status).toBe(401);
    expect(await rows('SELECT used_by FROM operator_approvals WHERE id = ?', approval)).toEqual([{ used_by: null }]);
    await db.$client.prepare('UPDATE organizations SET two_operators_since = NULL').run();
  });

  test('makes nothing for a user who is deactivated meanwhile', async () => {
    await letIn(ask('GET /iam/v1/clients'));
    await db.$client.prepare('UPDATE users SET deactivated_at = 1 WHERE id = ?').bind(person.userId).run();
    expect((await ask('POST /iam/v1/keys', { name: 'after', scopes: ['trade'] })).status).toBe(401);
    expect(await rows('SELECT name FROM api_keys WHERE user_id = ?', person.userId)).toEqual([]);
  });

  test('lets no transfer agent register shares to the account', async () => {
    await ask('PUT /exchange/v1/account/registered-shares', { accepted: false });
    await pullUnseenByTheGate();
    const given = await ask('PUT /exchange/v1/account/registered-shares', { accepted: true });
    expect(given.status).toBe(401);
    expect(await rows('SELECT account FROM register_consents WHERE account = ?', person.accountId)).toEqual([]);
  });

  test('makes no webhook, sends none elsewhere and shows no secret of one', async () => {
    const partner = await createPartner(db, 'cross_lister');
    const terms = { url: outsideReceiver().url, events: ['settlement.finalized'] };
    const made = await partner.client.post<{ webhook_id: string }>('/v1/webhooks', terms);
    expect(made.status).toBe(201);
    const path = `/v1/webhooks/${made.body.webhook_id}`;
    const stored = () => rows('SELECT url, secret FROM webhook_endpoints WHERE organization = ?', partner.organization);
    const before = await stored();
    await pullUnseenByTheGate(partner.userId);
    expect((await partner.client.post('/v1/webhooks', terms)).status).toBe(401);
    expect((await partner.client.patch(path, { url: outsideReceiver().url })).status).toBe(401);
    expect((await partner.client.post(`${path}/rotate-secret`, undefined)).status).toBe(401);
    expect(await stored()).toEqual(before);
  });

  test('binds nobody to a camera, and ends no binding that stood', async () => {
    const admin: Staff = await staffOf(db, 'org-ended-binding');
    const { cameraId } = await venueOf(admin);
    const bind = (userId: string) => admin.ask(`PUT /cameras/${cameraId}/credentials/${userId}`);
    expect((await bind('user-before')).status).toBe(200);
    await pullUnseenByTheGate(admin.userId);
    expect((await bind('user-thief')).status).toBe(401);
    expect((await bind('user-before')).status).toBe(401);
    const again = await staffOf(db, 'org-ended-binding');
    const { body } = await again.ask(`GET /cameras/${cameraId}/credentials`);
    expect(body).toMatchObject({ credentials: [{ user_id: 'user-before' }] });
  });
});

describe('an operator who is dismissed, of a service whose secret was replaced long ago', () => {
  test('keys end that were made while they could make one, and no others', async () => {
    const service = await createTrader(db, { owner: VENUE_OWNER, service: true });
    const id = `client-${crypto.randomUUID()}`;
    const now = Date.now();
    await machine(id, service.userId, VENUE_OWNER);
    const dismissed = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
    const HOUR_MS = 3_600_000;
    await db.$client
      .prepare('INSERT INTO shown_secrets (id, client, shown_to, shown_at, ended_at) VALUES (?, ?, ?, ?, ?)')
      .bind(crypto.randomUUID(), id, dismissed.userId, now - 90 * HOUR_MS, now - 50 * HOUR_MS)
      .run();
    const investor = await createTrader(db);
    const keyMade = async (hoursAgo: number, { of = service, madeBy = '', secretHoursAgo = hoursAgo } = {}) => {
      const keyId = `key-${hoursAgo}-${secretHoursAgo}-${of.userId}`;
      await db.$client
        .prepare(
          `INSERT INTO api_keys (id, account, user_id, owner, name, secret_ciphertext, scopes, created_at, secret_at, made_by)
           VALUES (?, ?, ?, ?, 'key', 'sealed', '["trade"]', ?, ?, nullif(?, ''))`,
        )
        .bind(
          keyId,
          of.accountId,
          of.userId,
          VENUE_OWNER,
          now - hoursAgo * HOUR_MS,
          now - secretHoursAgo * HOUR_MS,
          madeBy,
        )
        .run();
      return keyId;
    };
    const [earlier, , , later] = [await keyMade(91), await keyMade(70), await keyMade(49), await keyMade(40)];
    const rotated = await keyMade(92, { secretHoursAgo: 71 });
    const forAnother = await keyMade(72, { of: investor, madeBy: service.userId });
    const gone = await ask(`POST /exchange/v1/operator/users/${dismissed.userId}/deactivate`, { reason: 'left' });
    expect(gone.status).toBe(200);
    expect(
      await rows("SELECT id FROM api_keys WHERE user_id = ? AND status = 'active' ORDER BY id", service.userId),
    ).toEqual([{ id: earlier }, { id: later }].sort((a, b) => (a.id < b.id ? -1 : 1)));
    const ended = "SELECT id FROM api_keys WHERE status = 'revoked' AND id IN (?, ?) ORDER BY id";
    expect(await rows(ended, rotated, forAnother)).toHaveLength(2);
    // The service goes on.
    expect((await findOAuthClient(db, id))?.waitingSince).toBeNull();
  });
});
