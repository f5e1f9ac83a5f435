import { z } from '@hono/zod-openapi';
import { VENUE_OWNER } from '../../../domain/identity/venue.ts';
import type { RouteDeclaration } from '../../middleware/access.ts';
import { type AppContext, principalOf } from '../../middleware/app-env.ts';
import type { RouteOptions } from '../../middleware/registered-route.ts';
import { freeText } from '../../responses/free-text.ts';

/** Reads of an operator: of the own organization, of everyone's for the venue (`readableOwner`). */
export const OPERATOR_READ = {
  access: { credential: 'tenant', power: 'see_accounts' },
  bucket: 'private',
} as const satisfies RouteDeclaration;

/** Reads of the venue as a whole: the state of books and ledger. */
export const VENUE_READ = {
  access: { credential: 'tenant', power: 'audit_venue' },
  bucket: 'private',
} as const satisfies RouteDeclaration;

/** Writes of the venue ask for a fresh factor. Under no Idempotency-Key: their answer shows a secret, or sent again they change nothing. */
export const OPERATOR_WRITE_UNKEPT = {
  access: { credential: 'tenant', power: 'run_venue' },
  bucket: 'private',
  freshFactor: true,
  errors: ['NOT_FOUND', 'CONFLICT'],
} as const satisfies RouteDeclaration & RouteOptions;

/** Writes of an operator of the venue: each with an Idempotency-Key or an id of its own. */
export const OPERATOR_WRITE = { ...OPERATOR_WRITE_UNKEPT, idempotent: true } as const satisfies RouteDeclaration &
  RouteOptions;

/** The same of what gives, moves or decides something for a person: never for whoever makes it. */
export const OPERATOR_WRITE_OF_OTHERS = {
  ...OPERATOR_WRITE,
  neverOfOneself: true,
  errors: [...OPERATOR_WRITE.errors, 'FORBIDDEN'],
} as const satisfies RouteDeclaration & RouteOptions;

const { freshFactor: _, ...WITHOUT_FACTOR } = OPERATOR_WRITE;

/** What stops trade: no reads of the operator hold it up, and no signing in once more. */
export const OPERATOR_STOP = { ...WITHOUT_FACTOR, bucket: 'stops' } as const satisfies RouteDeclaration & RouteOptions;

/** The organization whose accounts the operator reads; null reads all, for operators of the venue. */
export function readableOwner(c: AppContext): string | null {
  const { owner } = principalOf(c);
  return owner === VENUE_OWNER ? null : owner;
}

const REASON_LENGTH_MAX = 500;

/** Why an operator does it, for the audit trail. */
export const Reason = freeText(REASON_LENGTH_MAX).min(1);

/** Of an action that may say why. */
export const OptionalReasonBody = z.strictObject({ reason: Reason.optional() }).openapi('OperatorOptionalReason');

/** Of an action that needs nothing else. */
export const ReasonBody = z.strictObject({ reason: Reason }).openapi('OperatorReason');
