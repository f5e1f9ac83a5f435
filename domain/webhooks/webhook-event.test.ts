import { expect, test } from 'vitest';
import { BRIDGE_EVENTS } from '../bridge/told-changes.ts';
import { PARTNER_ROLES } from '../partner/partner-organization.ts';
import {
  eventsOfRole,
  eventsOutsideRole,
  isSecurityEvent,
  mayNarrow,
  PARTNER_EVENTS,
  TENANT_EVENTS,
  WEBHOOK_EVENTS,
} from './webhook-event.ts';

const OF_SECURITIES = WEBHOOK_EVENTS.filter(isSecurityEvent);

test('each role receives its own events', () => {
  expect(eventsOutsideRole('cross_lister', OF_SECURITIES)).toEqual([
    'transfer.initiated',
    'dividend.declared',
    'corporate_action.announced',
  ]);
  expect(eventsOutsideRole('transfer_agent', OF_SECURITIES)).toEqual(['trade.executed', 'settlement.recorded']);
});

test('a tenant of the bridge receives events of its transfers and no others, and no other role receives these', () => {
  expect(eventsOfRole('bridge_tenant')).toEqual(BRIDGE_EVENTS);
  for (const role of ['cross_lister', 'transfer_agent'] as const)
    expect(eventsOutsideRole(role, BRIDGE_EVENTS)).toEqual(BRIDGE_EVENTS);
});

test('what a tenant of the bridge receives is of no security, and a tenant of events narrows it to its events', () => {
  expect(PARTNER_ROLES.filter(mayNarrow)).toEqual(['cross_lister', 'transfer_agent']);
  expect(mayNarrow('events_tenant')).toBe(true);
});

test('every event is received by somebody', () => {
  expect(new Set([...PARTNER_ROLES, 'events_tenant' as const].flatMap(eventsOfRole))).toEqual(new Set(WEBHOOK_EVENTS));
});

test('no partner receives what tenants of events are told, and no tenant what partners are', () => {
  for (const role of PARTNER_ROLES) expect(eventsOutsideRole(role, TENANT_EVENTS)).toEqual(TENANT_EVENTS);
  expect(eventsOutsideRole('events_tenant', PARTNER_EVENTS)).toEqual(PARTNER_EVENTS);
});
