import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity } from '../../fixtures/partner-client.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
});

const idsOf = (body: unknown) =>
  (body as { securities: { security_id: string }[] }).securities.map(({ security_id }) => security_id);

describe('GET /v1/securities', () => {
  test('lists a lister’s own, page by page and by status, and nobody else’s', async () => {
    const lister = await createPartner(db, 'cross_lister');
    const [first, second] = [await createSecurity(db, lister), await createSecurity(db, lister, { state: 'listed' })];
    await createSecurity(db, await createPartner(db, 'cross_lister'));
    expect(idsOf((await lister.client.get('/v1/securities')).body)).toEqual([first, second]);
    expect(idsOf((await lister.client.get('/v1/securities?status=listed')).body)).toEqual([second]);
    const page = await lister.client.get('/v1/securities?limit=1');
    expect(page.headers.get('link')).toContain(`cursor=${first}`);
    expect(idsOf((await lister.client.get(`/v1/securities?limit=1&cursor=${first}`)).body)).toEqual([second]);
  });

  test('lists a transfer agent those that name it, unless it has declined', async () => {
    const [lister, agent] = [await createPartner(db, 'cross_lister'), await createPartner(db, 'transfer_agent')];
    const naming = (agentState: 'proposed' | 'accepted' | 'declined') =>
      createSecurity(db, lister, { transferAgent: agent.organization, agentState });
    const seen = [await naming('proposed'), await naming('accepted')];
    const declined = await naming('declined');
    expect(idsOf((await agent.client.get('/v1/securities')).body)).toEqual(seen);
    expect((await agent.client.get(`/v1/securities/${declined}`)).status).toBe(404);
  });
});

describe('GET /v1/securities/{id}', () => {
  test('shows both sets of restrictions and which of them is in effect', async () => {
    const lister = await createPartner(db, 'cross_lister');
    const id = await createSecurity(db, lister, { agentRestrictions: { lockUpExpiryDate: '2027-03-01' } });
    expect(await lister.client.get(`/v1/securities/${id}`)).toMatchObject({
      status: 200,
      body: {
        security_id: id,
        status: 'submitted',
        last_valuation_price: 42.5,
        restrictions: { legend_required: true, lock_up_expiry_date: '2027-03-01' },
        lister_restrictions: { lock_up_expiry_date: null },
        agent_restrictions: { lock_up_expiry_date: '2027-03-01' },
      },
    });
  });
});
