import { z } from '@hono/zod-openapi';
import { VENUE_OWNER } from '../../../domain/identity/venue.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import type { RouteDeclaration } from '../../middleware/access.ts';
import { type AppContext, principalOf } from '../../middleware/app-env.ts';
import type { RouteOptions } from '../../middleware/registered-route.ts';

/** Reads of an operator. */
export const OPERATOR_READ = {
  access: { credential: 'tenant', role: 'operator' },
  bucket: 'private',
} as const satisfies RouteDeclaration;

/** Writes of an operator: each with an Idempotency-Key or an id of its own. */
export const OPERATOR_WRITE = { ...OPERATOR_READ, idempotent: true } as const satisfies RouteDeclaration & RouteOptions;

/** Null for an operator of the venue, who acts on every account and market; FORBIDDEN for one of another organization. */
export function venueOnly(c: AppContext): ApiError | null {
  if (principalOf(c).owner === VENUE_OWNER) return null;
  return apiError('FORBIDDEN', 'only an operator of the venue may do this', { required: `operator of ${VENUE_OWNER}` });
}

/** The organization whose accounts the operator reads; null reads all, for operators of the venue. */
export function readableOwner(c: AppContext): string | null {
  const { owner } = principalOf(c);
  return owner === VENUE_OWNER ? null : owner;
}

const REASON_LENGTH_MAX = 500;

/** Why an operator does it, for the audit trail. */
export const ReasonBody = z
  .strictObject({ reason: z.string().trim().min(1).max(REASON_LENGTH_MAX) })
  .openapi('OperatorReason');
