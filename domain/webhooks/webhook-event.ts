import { BRIDGE_EVENTS } from '../bridge/told-changes.ts';
import type { OwnerRole } from './webhook-owner.ts';

/** What tenants of the events service are told of (docs/design/webhooks.md#events-of-tenants). */
export const TENANT_EVENTS = ['event.capacity_alert', 'event.review_opened'] as const;

export type TenantEvent = (typeof TENANT_EVENTS)[number];

/** P-EVT-01 to P-EVT-07, in that order: each is of a security. */
const SECURITY_EVENTS = [
  'trade.executed',
  'settlement.recorded',
  'settlement.finalized',
  'transfer.initiated',
  'transfer.completed',
  'dividend.declared',
  'corporate_action.announced',
] as const;

export type SecurityEvent = (typeof SECURITY_EVENTS)[number];

export const PARTNER_EVENTS = [...SECURITY_EVENTS, ...BRIDGE_EVENTS] as const;

/** All of them. @internal */
export const WEBHOOK_EVENTS = [...PARTNER_EVENTS, ...TENANT_EVENTS] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** What each role may subscribe to (P-EVT-09, P-EVT-10; transfer.completed goes to both). */
const EVENTS_OF_ROLE: Readonly<Record<OwnerRole, readonly WebhookEvent[]>> = {
  cross_lister: ['trade.executed', 'settlement.recorded', 'settlement.finalized', 'transfer.completed'],
  transfer_agent: [
    'transfer.initiated',
    'settlement.finalized',
    'dividend.declared',
    'corporate_action.announced',
    'transfer.completed',
  ],
  bridge_tenant: BRIDGE_EVENTS,
  events_tenant: TENANT_EVENTS,
};

export function eventsOfRole(role: OwnerRole): readonly WebhookEvent[] {
  return EVENTS_OF_ROLE[role];
}

/** Whether an endpoint may narrow what the role receives: to securities, or a tenant of the events service to its events. */
export function mayNarrow(role: OwnerRole): boolean {
  return role === 'events_tenant' || EVENTS_OF_ROLE[role].some(isSecurityEvent);
}

const OF_TRADE: ReadonlySet<WebhookEvent> = new Set(['trade.executed', 'settlement.recorded', 'settlement.finalized']);

/** Whether the partners of a trade’s sides are told, too: of it, and of what becomes of it. */
export function isOfTrade(type: string): boolean {
  return isSecurityEvent(type) && OF_TRADE.has(type);
}

/** Whether it tells what became of a trade, after the trade itself was told. */
export function isOfSettlement(type: string): boolean {
  return isOfTrade(type) && type !== 'trade.executed';
}

export function isSecurityEvent(type: string): type is SecurityEvent {
  return (SECURITY_EVENTS as readonly string[]).includes(type);
}

/** Events of a subscription that its owner's role does not receive. */
export function eventsOutsideRole(role: OwnerRole, events: readonly WebhookEvent[]): readonly WebhookEvent[] {
  return events.filter((event) => !EVENTS_OF_ROLE[role].includes(event));
}
