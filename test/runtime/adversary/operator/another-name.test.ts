import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader, type TraderTerms } from '../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../fixtures/exchange-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createApp, signIn, tokenRequest } from '../../fixtures/sign-in.ts';

let db: Database;
let first: Trader;
let second: Trader;
let operator: Client;
let other: Client;

const OPERATOR: TraderTerms = { owner: VENUE_OWNER, roles: ['operator'] };

beforeAll(async () => {
  db = await migrate();
  await createApp();
  [first, second] = [await createTrader(db, OPERATOR), await createTrader(db, OPERATOR)];
  [operator, other] = [await signedIn(first, { client_id: 'desk' }), await signedIn(second)];
});

const newId = () => `client-${crypto.randomUUID()}`;

const make = (by: Client, id: string, { userId, owner }: Pick<Trader, 'userId' | 'owner'>) =>
  by.post<{ data: { secret: string | null } }>('/v1/operator/oauth-clients', {
    id,
    owner,
    name: 'Machine',
    kind: 'machine',
    userId,
  });

const tokenBy = (id: string, secret: string) =>
  tokenRequest({ grant_type: 'client_credentials', client_id: id, client_secret: secret });

/** As a client of a service, with both tokens of profile A. */
async function asClient(id: string, secret: string) {
  const { access_token } = (await tokenBy(id, secret)).body as { access_token: string };
  const bearer = { authorization: `Bearer ${access_token}` };
  const { token } = (await call('POST /exchange/v1/auth/tenant-token', { headers: bearer })).body as { token: string };
  const headers = { ...bearer, 'tenant-authorization': token };
  return (route: string, body: Record<string, unknown>) => call(route, { headers, json: body });
}

describe('a machine client for a person', () => {
  test.each([
    ['another operator', OPERATOR],
    ['a customer', {}],
  ])('I-06: of %s shows its secret to no operator, when it is made or rotated', async (_, terms) => {
    const person = await createTrader(db, terms);
    const id = newId();
    const made = await make(operator, id, person);
    expect([made.status, made.body.data.secret]).toEqual([200, null]);
    expect((await operator.post(`/v1/operator/oauth-clients/${id}/rotate`, { reason: 'mine' })).status).toBe(409);
  });

  test('I-06: gets tokens once that person has agreed by a token of their own, and not by a client', async () => {
    const person = await createTrader(db);
    const id = newId();
    await make(operator, id, person);
    const session = await signIn(person.phone);
    const stranger = await signIn((await createTrader(db)).phone);
    const take = (bearer: Record<string, string>) => call(`POST /iam/v1/clients/${id}/secret`, { headers: bearer });
    expect((await take(stranger.bearer)).status).toBe(404);
    const taken = await take(session.bearer);
    expect(taken.status).toBe(200);
    const { secret } = (taken.body as { data: { secret: string } }).data;
    const token = await tokenBy(id, secret);
    expect(token.status).toBe(200);
    const { access_token } = token.body as { access_token: string };
    expect((await take({ authorization: `Bearer ${access_token}` })).status).toBe(403);
  });
});

describe('a machine client for a service', () => {
  test('I-06: is named in the trail beside the service that it acts for', async () => {
    const service = await createTrader(db, { ...OPERATOR, service: true });
    const id = newId();
    const { secret } = (await make(operator, id, service)).body.data;
    const act = await asClient(id, secret ?? '');
    const subject = `org-${crypto.randomUUID().slice(0, 8)}`;
    expect((await act('POST /exchange/v1/operator/organizations', { id: subject, name: 'Made' })).status).toBe(200);
    const trail = await other.get(`/v1/operator/audit-trail?subject=${subject}`);
    expect(trail.body).toMatchObject({ data: [{ actor: service.userId, credential: `client:${id}` }] });
    const own = await other.get(`/v1/operator/audit-trail?subject=${id}`);
    expect(own.body).toMatchObject({ data: [{ actor: first.userId, credential: 'client:desk' }] });
  });

  test('I-06: is no other person than whoever was shown its secret, where another is wanted', async () => {
    const service = await createTrader(db, { ...OPERATOR, service: true });
    const id = newId();
    const { secret } = (await make(operator, id, service)).body.data;
    const act = await asClient(id, secret ?? '');
    const change = (userId: string) =>
      act(`PATCH /exchange/v1/operator/users/${userId}`, { roles: ['operator', 'auditor'], reason: 'more' });
    expect((await change(first.userId)).status).toBe(409);
    expect((await act(`POST /exchange/v1/operator/users/${first.userId}/deactivate`, { reason: 'gone' })).status).toBe(
      409,
    );
    expect((await other.post(`/v1/operator/oauth-clients/${id}/rotate`, { reason: 'routine' })).status).toBe(200);
    // The token that the first secret bought is good still.
    expect((await change(first.userId)).status).toBe(409);
    expect((await change(second.userId)).status).toBe(409);
  });

  test('I-06: has no phone that somebody could sign in with', async () => {
    const service = await createTrader(db, { ...OPERATOR, service: true });
    const body = { phone: '+15550199777', reason: 'sign in' };
    expect((await operator.patch(`/v1/operator/users/${service.userId}`, body)).status).toBe(400);
  });
});

describe('an operator who is dismissed', () => {
  test.each([
    ['deactivated', (id: string) => other.post(`/v1/operator/users/${id}/deactivate`, { reason: 'left' })],
    [
      'an operator no longer',
      (id: string) => other.patch(`/v1/operator/users/${id}`, { roles: ['trader'], reason: 'x' }),
    ],
  ])('I-06: and %s leaves no secret behind that opens anything', async (_, dismiss) => {
    const leaving = await createTrader(db, OPERATOR);
    const theirs = await signedIn(leaving);
    const [service, agent] = [await createTrader(db, { service: true }), await createTrader(db, { service: true })];
    const [id, kept] = [newId(), newId()];
    const secret = (await make(theirs, id, service)).body.data.secret ?? '';
    const keptSecret = (await make(operator, kept, agent)).body.data.secret ?? '';
    const { access_token } = (await tokenBy(id, secret)).body as { access_token: string };
    expect((await dismiss(leaving.userId)).status).toBe(200);
    expect((await tokenBy(id, secret)).status).toBe(400);
    expect((await call('GET /iam/v1/keys', { headers: { authorization: `Bearer ${access_token}` } })).status).toBe(401);
    expect((await tokenBy(kept, keptSecret)).status).toBe(200);
  });
});
