import { z } from '@hono/zod-openapi';
import type { AccreditationVerification } from '../../data/accounts/accreditation-verifications.ts';
import { EVIDENCE_KINDS } from '../../domain/accreditation/evidence.ts';
import { stateAt, VERIFICATION_STATES } from '../../domain/accreditation/verification.ts';

const iso = z.string().openapi({ format: 'date-time' });

/** A request as its person sees it. */
export const VerificationView = z
  .object({
    id: z.string(),
    state: z.enum(VERIFICATION_STATES).openapi({
      description:
        'IN_REVIEW waits for an operator, REQUESTED for the provider. REVOKED was verified, until the provider took it back or an operator ended it.',
    }),
    evidenceKind: z.enum(EVIDENCE_KINDS),
    provider: z.string(),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'Why it was refused or revoked, or has expired without an answer.' }),
    requestedAt: iso,
    decidedAt: iso.nullable(),
    expiresAt: iso.nullable().openapi({ description: 'Until when an accreditation rests on it.' }),
    endedAt: iso.nullable().openapi({ description: 'When it was revoked.' }),
  })
  .openapi('AccreditationVerification');

export function verificationView(verification: AccreditationVerification): z.infer<typeof VerificationView> {
  const { id, evidenceKind, provider, reason, createdAt, decidedAt, expiresAt, endedAt } = verification;
  return {
    id,
    state: stateAt(verification, Date.now()),
    evidenceKind,
    provider,
    reason,
    requestedAt: new Date(createdAt).toISOString(),
    decidedAt: time(decidedAt),
    expiresAt: time(expiresAt),
    endedAt: time(endedAt),
  };
}

/** A request as operators see it. */
export const OperatorVerificationView = VerificationView.extend({
  accountId: z.string(),
  owner: z.string(),
  requestedBy: z.string().openapi({ description: 'User id of who asked.' }),
  reference: z.string().nullable().openapi({ description: "The provider's own id." }),
  allowedAt: iso.nullable().openapi({ description: 'When an operator allowed it, where one had to.' }),
  endedBy: z.string().nullable().openapi({ description: '`provider:<name>`, or the user id of an operator.' }),
}).openapi('OperatorAccreditationVerification');

export function operatorVerificationView(
  verification: AccreditationVerification,
): z.infer<typeof OperatorVerificationView> {
  const { account, owner, actor, reference, allowedAt, endedBy } = verification;
  const shown = { ...verificationView(verification), accountId: account, owner, requestedBy: actor };
  return { ...shown, reference, allowedAt: time(allowedAt), endedBy };
}

function time(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
