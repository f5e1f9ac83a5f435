import type { OwnerRole } from './webhook-owner.ts';

/** What tenants of the events service are told of (docs/design/webhooks.md#events-of-tenants). */
export const TENANT_EVENTS = ['event.capacity_alert', 'event.review_opened'] as const;

export type TenantEvent = (typeof TENANT_EVENTS)[number];

/** P-EVT-01 to P-EVT-07, in that order. */
export const PARTNER_EVENTS = [
  'trade.executed',
  'settlement.recorded',
  'settlement.finalized',
  'transfer.initiated',
  'transfer.completed',
  'dividend.declared',
  'corporate_action.announced',
] as const;

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
  bridge_tenant: [],
  events_tenant: TENANT_EVENTS,
};

export function eventsOfRole(role: OwnerRole): readonly WebhookEvent[] {
  return EVENTS_OF_ROLE[role];
}

const OF_TRADE: ReadonlySet<WebhookEvent> = new Set(['trade.executed', 'settlement.recorded', 'settlement.finalized']);

/** Whether the partners of a trade’s sides are told, too: of it, and of what becomes of it. */
export function isOfTrade(type: string): boolean {
  return isWebhookEvent(type) && OF_TRADE.has(type);
}

/** Whether it stands in the events database, and not among `domain_events`. */
export function isTenantEvent(type: WebhookEvent): type is TenantEvent {
  return (TENANT_EVENTS as readonly string[]).includes(type);
}

export function isWebhookEvent(type: string): type is WebhookEvent {
  return (WEBHOOK_EVENTS as readonly string[]).includes(type);
}

/** Events of a subscription that its owner's role does not receive. */
export function eventsOutsideRole(role: OwnerRole, events: readonly WebhookEvent[]): readonly WebhookEvent[] {
  return events.filter((event) => !EVENTS_OF_ROLE[role].includes(event));
}
