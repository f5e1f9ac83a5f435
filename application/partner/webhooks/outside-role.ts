import {
  eventsOfRole,
  eventsOutsideRole,
  mayNarrow,
  type WebhookEvent,
} from '../../../domain/webhooks/webhook-event.ts';
import type { OwnerRole } from '../../../domain/webhooks/webhook-owner.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';

/** Why an organization of this role asks in vain for these events; null where it receives all of them. */
export function outsideRole(role: OwnerRole, events: readonly WebhookEvent[], field: string): ApiError | null {
  const outside = eventsOutsideRole(role, events);
  if (outside.length === 0) return null;
  const details = { field, outside, allowed: eventsOfRole(role) };
  return apiError('VALIDATION_ERROR', 'organizations of this role do not receive these events', details);
}

/** Why an organization of this role narrows its events to securities in vain; null where it does not, or may. */
export function narrowsInVain(role: OwnerRole, securityIds: readonly string[] | null | undefined): ApiError | null {
  if (securityIds == null || mayNarrow(role)) return null;
  const details = { field: 'security_ids', reason: 'no_securities' };
  return apiError('VALIDATION_ERROR', 'what organizations of this role receive is of no security', details);
}
