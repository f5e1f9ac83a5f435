import { env } from 'cloudflare:workers';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { createBrowserSession } from '../../../../data/identity/browser-sessions.ts';
import { recordClientConsent } from '../../../../data/identity/client-consents.ts';
import { createOAuthClient } from '../../../../data/identity/oauth-clients.ts';
import { findIdentityOfUser } from '../../../../data/onboarding/identities.ts';
import type { RegisteredRoute } from '../../../../workers/middleware/registered-route.ts';
import { createTestKey } from '../../fixtures/api-key.ts';
import { createBuyerAndSeller } from '../../fixtures/buyer-and-seller.ts';
import { call } from '../../fixtures/call.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { IdentityClient } from '../../fixtures/identities.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { profiles } from '../../fixtures/profiles.ts';
import { settle } from '../../fixtures/settle.ts';
import { createApp, type SignedIn, signIn } from '../../fixtures/sign-in.ts';

let trader: Trader;
let session: SignedIn;
let others: readonly SignedIn[];
let operatorElsewhere: SignedIn;
let ids: Readonly<Record<string, string>>;

/** One share that the trader buys; the trade's id. */
async function bought(db: Database, headers: Readonly<Record<string, string>>): Promise<string> {
  const { seller, freshPair } = await createBuyerAndSeller(db, 'OBJ');
  const symbol = await freshPair();
  const order = { symbol, type: 'limit', price: 1, size: 1, time_in_force: 'GTC' };
  await call('POST /book/v1/orders', { headers: seller.headers, json: { ...order, side: 'sell' } });
  await call('POST /book/v1/orders', { headers, json: { ...order, side: 'buy' } });
  await settle(symbol);
  return (await env.DB.prepare('SELECT id FROM trades WHERE book = ?1').bind(symbol).first<{ id: string }>())?.id ?? '';
}

/** A machine client that speaks for a trader. */
async function clientOf(db: Database, { userId, owner }: Trader): Promise<string> {
  const client = { id: 'client-of-trader', owner, name: 'Machine', secretHash: '', grants: [], userId, createdAt: 1 };
  await createOAuthClient(db, client);
  return client.id;
}

beforeAll(async () => {
  const db = await migrate();
  await createApp();
  await createPair(db, 'ACME');
  trader = await createTrader(db, { cash: 10_000 });
  session = await signIn(trader.phone);
  const people = [await createTrader(db), await createTrader(db, { owner: 'org-other' })];
  others = await Promise.all(people.map(({ phone }) => signIn(phone)));
  operatorElsewhere = await signIn((await createTrader(db, { owner: 'org-other', roles: ['operator'] })).phone);
  const key = await createTestKey(trader);
  const order = {
    symbol: 'ACME-USD',
    side: 'buy',
    type: 'limit',
    price: 1,
    size: 2,
    time_in_force: 'GTC',
    client_order_id: 'mine',
  };
  const placed = await call('POST /book/v1/orders', { headers: key.headers, json: order });
  const orderId = (placed.body as { order_id: string }).order_id;
  const asked = await call('POST /exchange/v1/account/deposits', {
    headers: session.tenant,
    json: { assetId: 'usd', amount: 1 },
  });
  const { id: request } = (asked.body as { data: { id: string } }).data;
  const trade = await bought(db, key.headers);
  ids = {
    '/v1/operator/transfer-requests/': request,
    '/v1/operator/onboarding/': await identityIn(db),
    '/v1/account/': request,
    '/v1/core-transactions/': trade,
    '/v1/fills/': trade,
    '/v1/orders/client/': 'mine',
    '/v1/orders/': orderId,
    '/v1/keys/': key.id,
    '/v1/clients/': await clientOf(db, trader),
    '/v1/consents/': await consentOf(db, trader),
    '/v1/sessions/': String(decodeJwt(session.accessToken).sid),
    '/v1/users/': trader.userId,
    '/v1/operator/accounts/': trader.accountId,
    '/v1/operator/users/': trader.userId,
  };
});

/** Who somebody of the same organization says they are, as it waits for an operator. @returns its id */
async function identityIn(of: Database): Promise<string> {
  const newcomer = await createTrader(of, { kycStatus: 'pending' });
  await new IdentityClient(newcomer).submit({ legalName: 'Ann Review' });
  return (await findIdentityOfUser(of, newcomer.userId))?.id ?? 'none';
}

/** What the trader has allowed an application. @returns its id */
async function consentOf(of: Database, { userId, phone }: Trader): Promise<string> {
  const now = Date.now();
  const shown = { method: 'code', device: null, place: null } as const;
  const session = { hash: 'browser-of-trader', userId, createdAt: now, ...shown };
  await createBrowserSession(of, session, { phone, now });
  const client = { clientId: 'app-of-trader', clientName: 'Application', resource: '', scope: 'openid', keyId: null };
  const consent = { ...client, id: crypto.randomUUID(), userId, agreedAt: now };
  return (await recordClientConsent(of, consent, session, crypto.randomUUID())) ?? 'none';
}

/** Markets, assets and OAuth clients belong to the venue, not to somebody; what is asked of the venue is its to decide. A month is of everybody. */
const VENUE_WIDE = [
  '/v1/assets/',
  '/v1/statements/',
  '/v1/operator/markets/',
  '/v1/operator/books/',
  '/v1/operator/trades/',
  '/v1/operator/oauth-clients/',
  '/v1/operator/approvals/',
  '/v1/operator/event-roles/',
  '/v1/operator/accreditation-verifications/',
  '/v1/operator/assets/',
  '/v1/operator/rates/',
  '/v1/operator/prime-events/',
  '/v1/operator/partners/',
  '/v1/operator/securities/',
  '/v1/operator/corporate-actions/',
  '/v1/operator/register-events/',
  '/v1/operator/bridge/',
  '/v1/operator/webhooks/',
  '/v1/operator/surveillance/',
  '/v1/operator/incidents/',
];

/**
 * Objects of the events service belong to a tenant, those of partners and of the bridge to an organization: test/runtime/workers/events/tenants.test.ts,
 * test/runtime/workers/partner/object-access.test.ts and test/runtime/workers/bridge/bridge.test.ts walk them. The console has no objects: it hands calls on.
 */
const objectRoutes = Object.values(profiles)
  .filter(({ name }) => name !== 'events' && name !== 'partner' && name !== 'bridge' && name !== 'console')
  .flatMap(({ name, routes }) => routes.map((route) => [name, route] as const))
  .filter(
    ([, { path, access }]) =>
      path.includes('{') && access.credential !== 'public' && !VENUE_WIDE.some((start) => path.startsWith(start)),
  );

/** Valid bodies, so that it is the object that refuses and not its validation. */
const BODIES: Readonly<Record<string, object>> = {
  'put /v1/orders/{id}': { quantity: 1 },
  'patch /v1/orders/{order_id}': { size: 1 },
  'put /v1/keys/{id}/rate-limits': { orders: 20 },
  'patch /v1/operator/accounts/{id}/facts': { usPerson: false },
  'patch /v1/operator/users/{id}': { name: 'Mallory', reason: 'mine' },
  'post /v1/operator/users/{id}/family': { relativeId: 'mallory', relationship: 'sibling', evidence: 'mine' },
  'delete /v1/operator/users/{id}/family/{relation_id}': { reason: 'mine' },
  'post /v1/operator/users/{id}/deactivate': { reason: 'mine' },
  'post /v1/operator/users/{id}/reactivate': { reason: 'mine' },
};

function ask(profile: string, { method, path }: RegisteredRoute, as: SignedIn) {
  const start = Object.keys(ids).find((prefix) => path.startsWith(prefix));
  if (start === undefined) throw new Error(`say in this test whose object ${path} is`);
  const json = BODIES[`${method} ${path}`];
  const target = `${method.toUpperCase()} /${profile}${path.replace(/\{\w+\}/, ids[start]!)}`;
  const headers = profile === 'exchange' ? as.tenant : as.bearer;
  return call(target, { headers, ...(json === undefined ? {} : { json }) });
}

const needsPower = ({ access }: RegisteredRoute) => 'power' in access && access.power !== undefined;

describe('an object of one user', () => {
  it.each(
    objectRoutes
      .filter(([, route]) => !needsPower(route))
      .map(([profile, route]) => [`${route.method} /${profile}${route.path}`, profile, route] as const),
  )('is 404 for another user of the same organization and of another one: %s', async (_, profile, route) => {
    for (const other of others) expect((await ask(profile, route, other)).status).toBe(404);
  });

  it.each(
    objectRoutes
      .filter(([, route]) => needsPower(route))
      .map(([profile, route]) => [`${route.method} /${profile}${route.path}`, profile, route] as const),
  )('is out of reach for an operator of another organization: %s', async (_, profile, route) => {
    const { status } = await ask(profile, route, operatorElsewhere);
    expect([403, 404]).toContain(status);
  });

  it('is there for its owner, untouched by all of that', async () => {
    const answer = await call(`GET /book/v1/orders/${ids['/v1/orders/']}`, { headers: session.bearer });
    expect(answer).toMatchObject({ status: 200, body: { status: 'open', size: 2 } });
    const receipt = `GET /exchange/v1/core-transactions/${ids['/v1/core-transactions/']}/receipt`;
    expect(await call(receipt, { headers: session.tenant })).toMatchObject({ status: 200 });
    expect(await call('GET /iam/v1/keys', { headers: session.bearer })).toMatchObject({
      body: { data: [{ status: 'active', rateLimits: null }] },
    });
  });
});
