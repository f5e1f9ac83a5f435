import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { partnerOrganizations } from '../../../../data/schema/partner.ts';
import { PARTNER_STATES } from '../../../../domain/partner/partner-organization.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { tokenWith } from '../../fixtures/forged-token.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, PartnerClient } from '../../fixtures/partner-client.ts';
import { profiles } from '../../fixtures/profiles.ts';
import { skipTime } from '../../fixtures/skip-time.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
});

const setState = (organization: string, state: (typeof PARTNER_STATES)[number]) =>
  db.update(partnerOrganizations).set({ state }).where(eq(partnerOrganizations.organization, organization));

describe('the partner profile', () => {
  test('serves partners alone, on every route but its own pages', () => {
    for (const { access, path } of profiles.partner.routes)
      expect(access.credential, path).toBe(path.startsWith('/schemas/') ? 'public' : 'partner');
  });

  test('serves an active partner of either role', async () => {
    for (const role of ['cross_lister', 'transfer_agent'] as const) {
      const { client } = await createPartner(db, role);
      expect(await client.get('/v1/securities')).toMatchObject({ status: 200, body: { securities: [] } });
    }
  });

  test.each(PARTNER_STATES.filter((state) => state !== 'active'))(
    'refuses one that is %s, and names that',
    async (state) => {
      const { client } = await createPartner(db, 'cross_lister', { state });
      expect(await client.get('/v1/securities?limit=none')).toMatchObject({
        status: 403,
        body: { error: { code: 'FORBIDDEN', details: { state } } },
      });
    },
  );

  test('refuses a user of a partner who has not its role, and a role without a partner’s organization', async () => {
    const { organization } = await createPartner(db, 'cross_lister');
    const wrong = [
      await createTrader(db, { owner: organization, roles: ['trader'] }),
      await createTrader(db, { owner: organization, roles: ['transfer_agent'] }),
      await createTrader(db, { roles: ['cross_lister'] }),
    ];
    for (const { userId, owner } of wrong) {
      const client = new PartnerClient({ authorization: `Bearer ${await tokenWith({ subject: userId, owner })}` });
      expect(await client.get('/v1/securities')).toMatchObject({
        status: 403,
        body: { error: { details: { roles: ['cross_lister', 'transfer_agent'] } } },
      });
    }
  });

  test('refuses a user with both roles what its organization’s role is not served', async () => {
    const { organization } = await createPartner(db, 'cross_lister');
    const { userId } = await createTrader(db, { owner: organization, roles: ['cross_lister', 'transfer_agent'] });
    const token = await tokenWith({ subject: userId, owner: organization });
    const client = new PartnerClient({ authorization: `Bearer ${token}` });
    expect((await client.get('/v1/securities')).status).toBe(200);
    expect(await client.get('/v1/transfers')).toMatchObject({
      status: 403,
      body: { error: { details: { roles: ['transfer_agent'] } } },
    });
  });

  test('serves a suspended partner its orders, their cancellation and the end of its keys, nothing else, and no other that is not active', async () => {
    const { routes } = profiles.partner;
    const named = routes.filter(({ access }) => access.credential === 'partner' && access.whileSuspended === true);
    expect(named.map(({ method, path }) => `${method} ${path}`.toLowerCase()).sort()).toEqual([
      'delete /v1/investors/{id}/accounts/{account_id}/keys/{key_id}',
      'delete /v1/orders/{id}',
      'get /v1/orders',
      'get /v1/orders/{id}',
    ]);
    for (const state of PARTNER_STATES) {
      const { client } = await createPartner(db, 'cross_lister', { state });
      const isServed = state === 'active' || state === 'suspended';
      expect((await client.get('/v1/orders')).status, state).toBe(isServed ? 200 : 403);
      expect((await client.get(`/v1/orders/${crypto.randomUUID()}`)).status, state).toBe(isServed ? 404 : 403);
      expect((await client.delete(`/v1/orders/${crypto.randomUUID()}`)).status, state).toBe(isServed ? 404 : 403);
    }
    const agent = await createPartner(db, 'transfer_agent', { state: 'suspended' });
    expect((await agent.client.get('/v1/orders')).status).toBe(403);
  });

  test('a suspension holds within 5 s, and its end at once', async () => {
    const { client, organization } = await createPartner(db, 'cross_lister');
    const status = async () => (await client.get('/v1/securities')).status;
    expect(await status()).toBe(200);
    await setState(organization, 'suspended');
    await skipTime(5_000);
    expect(await status()).toBe(403);
    await setState(organization, 'active');
    expect(await status()).toBe(200);
  });
});
