import type { PartnerRole } from '../partner/partner-organization.ts';

/** As what an organization is told of events: a partner by its role, or a tenant of the events service. */
export type OwnerRole = PartnerRole | 'events_tenant';

/** Whose endpoints and whose list of events they are. */
export interface WebhookOwner {
  /** In the rows of endpoints, and the name of the list of events. */
  readonly organization: string;
  readonly role: OwnerRole;
}

const EVENTS_TENANT = 'events:';

/** A tenant of the events service. No partner's organization is called so: we give partners their ids, which are UUIDs. */
export function eventsTenantOwner(tenant: string): WebhookOwner {
  return { organization: `${EVENTS_TENANT}${tenant}`, role: 'events_tenant' };
}
