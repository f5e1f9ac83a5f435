import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import type { AppContext } from '../../../../workers/middleware/app-env.ts';
import { PROFILE_SEGMENTS } from '../../../../workers/middleware/profile-name.ts';
import { isRead, queryFailure } from '../../../../workers/middleware/query-failure.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { type Answer, call, codeOf } from '../../fixtures/call.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity } from '../../fixtures/partner-client.ts';
import { profiles } from '../../fixtures/profiles.ts';
import { APP, createApp, signIn } from '../../fixtures/sign-in.ts';
import { staffOf, venueOf } from '../events/staff.ts';

/** Writes that pass over what they do not know, and why it is right there. */
const PASSING_OVER: Readonly<Record<string, RegExp>> = {
  'post /iam/api/login/oauth/access_token': /^RFC 6749/,
  'post /iam/api/login/oauth/revoke': /^RFC 6749/,
  'post /iam/api/login/oauth/authorize': /^OAuth 2\.1/,
  'post /iam/api/login/oauth/logout': /^OAuth 2\.1/,
  'post /iam/api/login/oauth/register': /^RFC 6749/,
  'post /iam/security': /^OAuth 2\.1/,
  'post /iam/sign-up': /^the request of an application/,
  'post /iam/identity': /^the request of an application/,
  'post /exchange/v1/webhooks/accreditation': /address/,
  'post /exchange/v1/webhooks/identity': /address/,
  'post /exchange/v1/webhooks/prime': /address/,
  'post /console/call/{profile}/*': /its own query/,
  'put /console/call/{profile}/*': /its own query/,
  'patch /console/call/{profile}/*': /its own query/,
  'delete /console/call/{profile}/*': /its own query/,
};

const writes = Object.values(profiles).flatMap((profile) =>
  profile.routes
    .filter(({ method }) => !isRead(method))
    .map((route) => ({ name: `${route.method} /${PROFILE_SEGMENTS[profile.name]}${route.path}`, route })),
);

const asked = (query: string) => ({ req: { url: `http://localhost/v1/anything${query}` } }) as unknown as AppContext;

describe('a query parameter that a write does not name', () => {
  it('is refused by every write route of every profile, but for those that say why not', () => {
    expect(writes.length).toBeGreaterThan(100);
    for (const name of Object.keys(PROFILE_SEGMENTS))
      expect(
        writes.some((one) => one.name.includes(` /${PROFILE_SEGMENTS[name as keyof typeof PROFILE_SEGMENTS]}/`)),
      ).toBe(true);
    const passing = writes.filter(({ route }) => route.passesOverQuery !== undefined);
    expect(passing.map(({ name }) => name).toSorted()).toEqual(Object.keys(PASSING_OVER).toSorted());
    for (const { name, route } of passing) expect(route.passesOverQuery).toMatch(PASSING_OVER[name]!);
    for (const { name, route } of writes.filter((one) => !passing.includes(one))) {
      const failed = queryFailure(asked('?dry_run=true'), route);
      // A schema of its own refuses what it does not know, or the route does not register.
      if (route.namesQuery) expect(failed, name).toBeNull();
      else
        expect(failed, name).toMatchObject({ code: 'VALIDATION_ERROR', details: { issues: [{ keys: ['dry_run'] }] } });
    }
  });

  it('is refused whatever it is called, and a query of nothing is none', () => {
    const route = writes.find(({ route: { namesQuery, passesOverQuery } }) => !namesQuery && !passesOverQuery)!.route;
    for (const query of ['?a', '?a=1&a=2', '?=1', '?__proto__=1', '?constructor=1', '?%20'])
      expect(queryFailure(asked(query), route), query).toMatchObject({ code: 'VALIDATION_ERROR' });
    for (const query of ['', '?', '?&']) expect(queryFailure(asked(query), route), query).toBeNull();
    expect(queryFailure(asked('?a'), { ...route, method: 'get' })).toBeNull();
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
    const { body } = await staff.ask(`GET /rooms?event_id=${eventId}&dry_run=true`);
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
