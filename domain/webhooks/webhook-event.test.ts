import { expect, test } from 'vitest';
import { BRIDGE_EVENTS } from '../bridge/told-changes.ts';
import { PARTNER_ROLES } from '../partner/partner-organization.ts';
import { eventsOfRole, eventsOutsideRole, hasSecurities, SECURITY_EVENTS, WEBHOOK_EVENTS } from './webhook-event.ts';

test('each role receives its own events', () => {
  expect(eventsOutsideRole('cross_lister', SECURITY_EVENTS)).toEqual([
    'transfer.initiated',
    'dividend.declared',
    'corporate_action.announced',
  ]);
  expect(eventsOutsideRole('transfer_agent', SECURITY_EVENTS)).toEqual(['trade.executed', 'settlement.recorded']);
});

test('a tenant of the bridge receives events of its transfers and no others, and no other role receives these', () => {
  expect(eventsOfRole('bridge_tenant')).toEqual(BRIDGE_EVENTS);
  for (const role of ['cross_lister', 'transfer_agent'] as const)
    expect(eventsOutsideRole(role, BRIDGE_EVENTS)).toEqual(BRIDGE_EVENTS);
});

test('what a tenant of the bridge receives is of no security', () => {
  expect(PARTNER_ROLES.filter(hasSecurities)).toEqual(['cross_lister', 'transfer_agent']);
});

test('every event is received by somebody', () => {
  expect(new Set(PARTNER_ROLES.flatMap(eventsOfRole))).toEqual(new Set(WEBHOOK_EVENTS));
});
