import { beforeAll, expect, it } from 'vitest';
import type { SECURITIES_ROLES } from '../../../../domain/partner/partner-organization.ts';
import { call, codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, type Partner } from '../../fixtures/partner-client.ts';

const ID = '01900000-0000-7000-8000-000000000000';
const DAY = '2026-11-23';
const [WRONG, HALF] = ['Ada\u0000Winters', 'Ada \ud842'];

let partners: Readonly<Record<(typeof SECURITIES_ROLES)[number], Partner>>;

beforeAll(async () => {
  const db = await migrate();
  partners = {
    cross_lister: await createPartner(db, 'cross_lister'),
    transfer_agent: await createPartner(db, 'transfer_agent'),
  };
});

const ORDER = { security_id: ID, side: 'buy', order_type: 'limit', quantity: 1, price: 1, time_in_force: 'day' };
const COMPLETED = {
  status: 'completed',
  record_date: DAY,
  legend_applied: true,
  cap_table_updated_at: `${DAY}T00:00:00Z`,
};
const MERGER = { security_id: ID, action_type: 'merger', effective_date: '2099-01-01', description: 'd' };

it.each<[string, (typeof SECURITIES_ROLES)[number], object, (string | number)[]]>([
  [
    '/v1/investors',
    'cross_lister',
    { name: WRONG, account_type: 'individual', country: 'US', us_person: true },
    ['name'],
  ],
  [`/v1/investors/${ID}/accounts/${ID}/keys`, 'cross_lister', { name: HALF, security_ids: [ID] }, ['name']],
  ['/v1/securities', 'cross_lister', { asset_name: WRONG }, ['asset_name']],
  [
    '/v1/orders',
    'cross_lister',
    { ...ORDER, investor_id: ID, account_id: ID, broker_dealer: { firm_name: WRONG, crd_number: '1' } },
    ['broker_dealer', 'firm_name'],
  ],
  [
    `/v1/captable/${ID}/issuances`,
    'transfer_agent',
    { holder_reference: 'H', holder_name: HALF, shares: 1 },
    ['holder_name'],
  ],
  [
    `/v1/transfers/${ID}/complete`,
    'transfer_agent',
    { ...COMPLETED, new_certificate_number: WRONG },
    ['new_certificate_number'],
  ],
  ['/v1/corporate-actions', 'transfer_agent', { ...MERGER, counterparty: WRONG }, ['counterparty']],
  [
    '/v1/corporate-actions',
    'transfer_agent',
    { ...MERGER, action_type: 'name_change', asset_name: HALF },
    ['asset_name'],
  ],
])('what is no single line names nobody: %s of a %s', async (path, role, json, field) => {
  const answer = await call(`POST /partner${path}`, { headers: partners[role].headers, json });
  expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR']);
  const { issues } = (answer.body as { error: { details: { issues: unknown[] } } }).error.details;
  expect(issues).toContainEqual({ code: 'custom', path: field, message: 'is no single line of text' });
});

it('nor does it name a firm that applies', async () => {
  const json = { role: 'cross_lister', name: WRONG, crd_number: '123456', contact_email: 'desk@example.com' };
  expect(await call('POST /iam/v1/organizations', { json })).toMatchObject({
    status: 400,
    body: { error: { details: { issues: [{ path: ['name'], message: 'is no single line of text' }] } } },
  });
});
