import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import type { AppContext } from '../../../../workers/middleware/app-env.ts';
import { PROFILE_SEGMENTS } from '../../../../workers/middleware/profile-name.ts';
import { queryFailure } from '../../../../workers/middleware/query-failure.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { type Answer, call, codeOf } from '../../fixtures/call.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity } from '../../fixtures/partner-client.ts';
import { profiles } from '../../fixtures/profiles.ts';
import { APP, createApp, signIn } from '../../fixtures/sign-in.ts';
import { staffOf, venueOf } from '../events/staff.ts';

/** Routes that pass over what they do not know, and why it is right there. */
const PASSING_OVER: Readonly<Record<string, RegExp>> = {
  'get /iam/.well-known/jwks': /^a document/,
  'get /iam/.well-known/openid-configuration': /^a document/,
  'get /iam/.well-known/oauth-authorization-server': /^a document/,
  'get /agent/.well-known/oauth-protected-resource': /^a document/,
  'get /agent/.well-known/oauth-protected-resource/mcp': /^a document/,
  'get /iam/api/userinfo': /^OpenID Connect/,
  'post /iam/api/login/oauth/access_token': /^RFC 6749/,
  'post /iam/api/login/oauth/revoke': /^RFC 6749/,
  'get /iam/api/login/oauth/authorize': /^OAuth 2\.1/,
  'post /iam/api/login/oauth/authorize': /^OAuth 2\.1/,
  'post /iam/api/login/oauth/logout': /^OAuth 2\.1/,
  'post /iam/api/login/oauth/register': /^RFC 6749/,
  'get /iam/security': /^OAuth 2\.1/,
  'post /iam/security': /^OAuth 2\.1/,
  'get /iam/sign-up': /^the request of an application/,
  'post /iam/sign-up': /^the request of an application/,
  'get /iam/api/login/oauth/logout': /^(OAuth 2\.1|RFC 6749|OpenID)/,
  'get /iam/accreditation': /^the request of an application/,
  'post /iam/accreditation': /^the request of an application/,
  'get /iam/entity': /^the request of an application/,
  'post /iam/entity': /^the request of an application/,
  'get /iam/identity': /^the request of an application/,
  'post /iam/identity': /^the request of an application/,
  'get /exchange/v1/assets/{id}/image': /^pages ask/,
  'get /console/v1/session/callback': /^RFC 6749/,
  'get /events-service/health': /^health/,
  'get /events-service/healthz': /^health/,
  'get /events-service/v1/healthz': /^health/,
  'post /exchange/v1/webhooks/accreditation': /address/,
  'post /exchange/v1/webhooks/identity': /address/,
  'post /exchange/v1/webhooks/prime': /address/,
  'get /console/call/{profile}/*': /its own query/,
  'post /console/call/{profile}/*': /its own query/,
  'put /console/call/{profile}/*': /its own query/,
  'patch /console/call/{profile}/*': /its own query/,
  'delete /console/call/{profile}/*': /its own query/,
};

const routes = Object.values(profiles).flatMap((profile) =>
  profile.routes.map((route) => ({ name: `${route.method} /${PROFILE_SEGMENTS[profile.name]}${route.path}`, route })),
);

const asked = (query: string) => ({ req: { url: `http://localhost/v1/anything${query}` } }) as unknown as AppContext;

describe('a query parameter that a route does not know', () => {
  it('is refused by every route of every profile, but for those that say why not', () => {
    expect(routes.length).toBeGreaterThan(400);
    for (const segment of Object.values(PROFILE_SEGMENTS))
      expect(routes.some((one) => one.name.includes(` /${segment}/`))).toBe(true);
    const passing = routes.filter(({ route }) => route.passesOverQuery !== undefined);
    expect(passing.map(({ name }) => name).toSorted()).toEqual(Object.keys(PASSING_OVER).toSorted());
    for (const { name, route } of passing) {
      expect(route.passesOverQuery).toMatch(PASSING_OVER[name]!);
      expect(queryFailure(asked('?dry_runn=true'), route), name).toBeNull();
    }
    for (const { name, route } of routes.filter((one) => !passing.includes(one))) {
      const known = route.queryNames.map((one) => `${one}=x&`).join('');
      expect(queryFailure(asked(`?${known}`), route), name).toBeNull();
      expect(queryFailure(asked(`?${known}dry_runn=true`), route), name).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { issues: [{ keys: ['dry_runn'] }] },
      });
    }
  });

  it('is refused whatever it is called, and a query of nothing is none', () => {
    const ofNone = routes.find(({ route }) => route.queryNames.length === 0 && !route.passesOverQuery)!.route;
    const list = routes.find(({ name }) => name === 'get /book/v1/orders')!.route;
    for (const query of [
      '?a',
      '?a=1&a=2',
      '?=1',
      '?__proto__=1',
      '?constructor=1',
      '?%20',
      '?Status=open',
      '?limit[]=1',
    ])
      for (const route of [ofNone, list])
        expect(queryFailure(asked(query), route), query).toMatchObject({ code: 'VALIDATION_ERROR' });
    for (const query of ['', '?', '?&']) expect(queryFailure(asked(query), ofNone), query).toBeNull();
    expect(queryFailure(asked('?%73tatus=open&limit=1'), list)).toBeNull();
  });

  it('is passed over by health and documents, which stand in no table of routes', async () => {
    for (const path of ['book/healthz', 'exchange/openapi.json', 'partner/docs', 'iam/healthz'])
      expect((await call(`GET /${path}?utm_source=mail`)).status, path).toBe(200);
  });
});

describe('nothing is done', () => {
  let db: Database;

  beforeAll(async () => {
    db = await migrate();
    await createApp();
  });

  const expectRefused = (answer: Pick<Answer, 'status' | 'headers' | 'body'>) =>
    expect([answer.status, codeOf(answer), JSON.stringify(answer.body)]).toEqual([
      400,
      'VALIDATION_ERROR',
      expect.stringContaining('dry_run'),
    ]);

  it('by an issuance that asks for a dry run', async () => {
    const lister = await createPartner(db, 'cross_lister');
    const agent = await createPartner(db, 'transfer_agent');
    const id = uuidv7();
    const { symbol } = await createPair(db, 'DRYQ', { asset: { id } });
    const accepted = { transferAgent: agent.organization, agentState: 'accepted' } as const;
    await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: 'DRYQ', ...accepted });
    const issuances = `/v1/captable/${id}/issuances`;
    const holding = { holder_reference: 'H-1', holder_name: 'Ada', shares: 60 };
    expectRefused(await agent.client.post(`${issuances}?dry_run=true`, holding));
    const held = () => agent.client.get<{ holders: unknown[] }>(`/v1/captable/${id}/holders`);
    expect((await held()).body.holders).toEqual([]);
    expect((await agent.client.post(issuances, holding)).status).toBe(200);
    expect((await held()).body.holders).toHaveLength(1);
  });

  it('by an order, before its body is looked at and whether or not it could be placed', async () => {
    await createPair(db, 'DRYO');
    const { client } = await createKeyHolder(db, { cash: 1_000_00 });
    const order = { symbol: 'DRYO-USD', side: 'buy', type: 'limit', size: 1, price: 2 };
    for (const body of [order, { ...order, size: -1 }])
      expectRefused(await client.post('/v1/orders?dry_run=true', body));
    expect(await client.get('/v1/orders')).toMatchObject({ body: { orders: [] } });
    expect(await client.post('/v1/orders', order)).toMatchObject({ status: 200 });
  });

  it('by a room of an event, nor by its deletion', async () => {
    const staff = await staffOf(db, 'org-unnamed-queries');
    const { eventId } = await venueOf(staff);
    expectRefused(await staff.ask('POST /rooms?dry_run=true', { json: { event_id: eventId, name: 'Second' } }));
    expectRefused(await staff.ask(`DELETE /events/${eventId}?dry_run=true`));
    expectRefused(await staff.ask(`GET /rooms?event_id=${eventId}&dry_run=true`));
    const { body } = await staff.ask(`GET /rooms?event_id=${eventId}`);
    expect((body as { rooms: unknown[] }).rooms).toHaveLength(1);
  });

  it('by a key that is made, and strangers are told nothing', async () => {
    const { bearer } = await signIn((await createTrader(db)).phone);
    const made = { name: 'k', scopes: ['read'] };
    expectRefused(await call('POST /iam/v1/keys?dry_run=true', { headers: bearer, json: made }));
    expect((await call('GET /iam/v1/keys', { headers: bearer })).body).toMatchObject({ data: [] });
    expect((await call('POST /iam/v1/keys?dry_run=true', { json: made })).status).toBe(401);
  });

  it('by a code that is sent; tokens are issued whatever the query says', async () => {
    const { phone } = await createTrader(db);
    expectRefused(await call('POST /iam/api/login/oauth/send-code?dry_run=true', { form: { phone, client_id: APP } }));
    const token = await call('POST /iam/api/login/oauth/access_token?dry_run=true', {
      form: { grant_type: 'nothing' },
    });
    expect(token.body).toMatchObject({ error: 'unsupported_grant_type' });
  });
});
