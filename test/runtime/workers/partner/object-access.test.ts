import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { addPartnerOrder } from '../../../../data/partner/partner-orders.ts';
import { corporateActions } from '../../../../data/schema/corporate-actions.ts';
import { partnerSettlements } from '../../../../data/schema/settlements.ts';
import { PARTNER_ROLES, type PartnerRole } from '../../../../domain/partner/partner-organization.ts';
import type { RegisteredRoute } from '../../../../workers/middleware/registered-route.ts';
import { call } from '../../fixtures/call.ts';
import { introducedInvestor } from '../../fixtures/introduced-investor.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { profiles } from '../../fixtures/profiles.ts';
import { createTestEndpoint, outsideReceiver } from '../../fixtures/webhook-receiver.ts';

let db: Database;
/** Of the investor. */
let account: string;
let strangers: Readonly<Record<PartnerRole, Partner>>;

/** Whose object each path with a parameter names, by how it starts; filled before the walk. */
const ids: Record<string, string> = {};

/** Valid bodies, so that it is the object that refuses and not its validation. */
const BODIES: Readonly<Record<string, object>> = {
  'post /v1/investors/{id}/accounts/{account_id}/keys': { name: 'desk', security_ids: [uuidv7()] },
  'patch /v1/webhooks/{id}': { enabled: false },
  'post /v1/webhooks/{id}/replay': { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' },
  'post /v1/captable/{security_id}/issuances': { holder_reference: 'H', holder_name: 'Ada', shares: 1 },
  'post /v1/captable/{security_id}/cancellations': { holder_id: uuidv7(), shares: 1 },
  'post /v1/captable/{security_id}/import': { holders: [{ holder_reference: 'H', holder_name: 'Ada', shares: 1 }] },
  'post /v1/transfers/{id}/acknowledge': { acknowledged: true, record_date: '2026-01-20' },
  'post /v1/transfers/{id}/complete': {
    status: 'completed',
    record_date: '2026-01-20',
    new_certificate_number: 'CS-1',
    legend_applied: true,
    cap_table_updated_at: '2026-01-20T15:00:00Z',
  },
  'post /v1/corporate-actions/{id}/cancel': { reason: 'mine' },
  'post /v1/corporate-actions/{id}/reverse': { reason: 'mine' },
  'post /v1/corporate-actions/{id}/payment-account': { account_id: 'mine' },
  'patch /v1/securities/{id}': { last_valuation_price: 1 },
  'patch /v1/securities/{id}/restrictions': { legend_required: true },
  'post /v1/securities/{id}/halt': { reason: 'mine' },
  'post /v1/securities/{id}/lift': { reason: 'mine' },
  'post /v1/securities/{id}/agent': { accepted: true },
};

beforeAll(async () => {
  db = await migrate();
  const owner = await createPartner(db, 'cross_lister');
  ids['/v1/securities/'] = await createSecurity(db, owner);
  const { investorId, accountId } = await introducedInvestor(owner);
  ids['/v1/investors/'] = investorId;
  account = accountId;
  const order = uuidv7();
  ids['/v1/orders/'] = order;
  await addPartnerOrder(db, {
    id: order,
    organization: owner.organization,
    investor: investorId,
    account: accountId,
    security: ids['/v1/securities/'],
    timeInForce: 'day',
    brokerDealerFirmName: 'Juniper Securities LLC',
    brokerDealerCrdNumber: '123456',
    createdAt: Date.now(),
  });
  const { organization } = owner;
  ids['/v1/webhooks/'] = (await createTestEndpoint(outsideReceiver().url, { organization })).id;
  ids['/v1/captable/'] = ids['/v1/securities/'];
  ids['/v1/ws/'] = ids['/v1/securities/'];
  ids['/v1/transfers/'] = uuidv7();
  const action = uuidv7();
  ids['/v1/corporate-actions/'] = action;
  await db.insert(corporateActions).values({
    id: action,
    security: ids['/v1/securities/'],
    agent: 'nobody',
    type: 'merger',
    state: 'announced',
    terms: { type: 'merger', counterparty: 'Nadir Holdings' },
    description: 'Merger',
    dueDate: '2027-01-01',
    dueAt: Date.UTC(2027, 0, 1),
    actor: 'nobody',
    createdAt: Date.now(),
  });
  const settlement = uuidv7();
  ids['/v1/settlements/'] = settlement;
  await db.insert(partnerSettlements).values({
    id: settlement,
    security: ids['/v1/securities/'],
    book: 'NONE-USD',
    tradeSequence: 1,
    buyer: accountId,
    seller: accountId,
    buyOrder: order,
    sellOrder: order,
    currency: 'usd',
    quantity: 1,
    price: 1,
    notional: 1,
    executedAt: Date.now(),
    status: 'SETTLED',
    createdAt: Date.now(),
  });
  strangers = {
    cross_lister: await createPartner(db, 'cross_lister'),
    transfer_agent: await createPartner(db, 'transfer_agent'),
    bridge_tenant: await createPartner(db, 'bridge_tenant'),
  };
});

const walked = profiles.partner.routes
  .filter(({ path, access }) => path.includes('{') && access.credential !== 'public')
  .map((route): [string, RegisteredRoute] => [`${route.method} ${route.path}`, route]);

function ask({ method, path }: RegisteredRoute, as: Partner) {
  const start = Object.keys(ids).find((prefix) => path.startsWith(prefix));
  if (start === undefined) throw new Error(`say in this test whose object ${path} is`);
  const json = BODIES[`${method} ${path}`];
  const named = path
    .replace(/\{\w+\}/, ids[start] ?? '')
    .replace('{kind}', 'kyc')
    .replace('{account_id}', account);
  return call(`${method.toUpperCase()} /partner${named.replaceAll(/\{\w+\}/g, uuidv7())}`, {
    headers: as.headers,
    ...(json === undefined ? {} : { json }),
  });
}

describe('an object of one partner', () => {
  test('is walked on every path that names one', () => {
    for (const [, { access }] of walked) expect(access.credential).toBe('partner');
  });

  for (const [name, route] of walked) {
    test(`is 404 for another partner of each role that is served: ${name}`, async () => {
      const served = route.access.credential === 'partner' ? route.access.roles : [];
      for (const role of PARTNER_ROLES.filter((one) => served.includes(one)))
        expect((await ask(route, strangers[role])).status, role).toBe(404);
    });
  }
});
