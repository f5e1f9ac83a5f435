import { expect, test } from 'vitest';
import { eventsOfRole, eventsOutsideRole, PARTNER_EVENTS, TENANT_EVENTS, WEBHOOK_EVENTS } from './webhook-event.ts';

test('each role receives its own events', () => {
  expect(eventsOutsideRole('cross_lister', PARTNER_EVENTS)).toEqual([
    'transfer.initiated',
    'dividend.declared',
    'corporate_action.announced',
  ]);
  expect(eventsOutsideRole('transfer_agent', PARTNER_EVENTS)).toEqual(['trade.executed', 'settlement.recorded']);
});

test('every event is received by somebody', () => {
  const roles = ['cross_lister', 'transfer_agent', 'events_tenant'] as const;
  expect(new Set(roles.flatMap((role) => eventsOfRole(role)))).toEqual(new Set(WEBHOOK_EVENTS));
});

test('no partner receives what tenants of events are told, and no tenant what partners are', () => {
  for (const role of ['cross_lister', 'transfer_agent', 'bridge_tenant'] as const)
    expect(eventsOutsideRole(role, TENANT_EVENTS)).toEqual(TENANT_EVENTS);
  expect(eventsOutsideRole('events_tenant', PARTNER_EVENTS)).toEqual(PARTNER_EVENTS);
});
