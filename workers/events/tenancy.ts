import type { Asker } from '../../application/events/attendees/request-erasure.ts';
import type { EventsCaller } from '../../application/events/events-caller.ts';
import { tenantName } from '../../domain/events/tenant-name.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';

/** Organization and tenant of the caller, from the claims of the token and from nowhere else (E-AUT-02, E-AUT-03). */
export type Tenancy = Pick<EventsCaller, 'organization' | 'tenant'>;

/** An owner has one tenant, itself, unless its tokens carry a `tenant` claim. */
export function tenancyOf(c: AppContext): Tenancy {
  const { owner } = principalOf(c);
  return { organization: owner, tenant: tenantName(owner, c.get('accessToken')?.tenant ?? owner) };
}

/** An Idempotency-Key of one tenant gives no answer of another to somebody who works for both. */
export function keysOfTenant(c: AppContext): string | null {
  const { organization, tenant } = tenancyOf(c);
  return tenant === tenantName(organization, organization) ? null : tenant;
}

/** Who asks for what a second person ends: a person, or a machine by client credentials. */
export function askerOf(c: AppContext): Asker {
  const { userId, kind } = principalOf(c);
  return { userId, isMachine: kind !== 'user' };
}

export function callerOf(c: AppContext): EventsCaller {
  return { requestId: c.get('requestId'), ...tenancyOf(c) };
}
