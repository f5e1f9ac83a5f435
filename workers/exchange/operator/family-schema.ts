import { z } from '@hono/zod-openapi';
import type { RelatedUsers } from '../../../data/accounts/family.ts';
import { RELATIONSHIPS } from '../../../domain/accreditation/family.ts';
import { CancelledIds, PendingIds } from '../../responses/cancelled-order-ids.ts';
import { freeText } from '../../responses/free-text.ts';

const EVIDENCE_LENGTH_MAX = 500;
const time = z.string().openapi({ format: 'date-time' });
const ELSEWHERE = 'Null for somebody of another organization than the reader, unless that is the venue.';
const EVIDENCE_ELSEWHERE =
  'Null where one of the two is of another organization than the reader, unless that is the venue.';
const Kind = z.enum(RELATIONSHIPS);

export const FamilyRequest = z
  .strictObject({
    relativeId: z.string().min(1).openapi({ description: 'User id of the relative.' }),
    relationship: Kind.openapi({
      description:
        'What the relative is to the user, by 17 CFR 227.501(c). An adoptive relationship is stated as what it is.',
    }),
    evidence: freeText(EVIDENCE_LENGTH_MAX).min(1).openapi({ description: 'Where the evidence is kept.' }),
  })
  .openapi('OperatorFamilyRequest');

export const FamilyView = z
  .object({
    id: z.string(),
    userId: z.string().nullable().openapi({ description: ELSEWHERE }),
    relativeId: z.string().nullable().openapi({ description: ELSEWHERE }),
    relationship: Kind.openapi({ description: 'What the relative is to the user.' }),
    evidence: z
      .string()
      .nullable()
      .openapi({ description: `Where the evidence is kept. ${EVIDENCE_ELSEWHERE}` }),
    recordedAt: time,
    recordedBy: z.string(),
    endedAt: time.nullable(),
    endedBy: z.string().nullable(),
    endedReason: z.string().nullable(),
  })
  .openapi('OperatorFamilyRelation');

export const FamilyList = z.object({ relations: z.array(FamilyView) }).openapi('OperatorFamily');

export const FamilyEndView = z
  .object({ relation: FamilyView, cancelledOrders: CancelledIds, pendingOrderIds: PendingIds })
  .openapi('OperatorFamilyEnd');

/** As an organization sees it: who is of another one stays unnamed. The venue (null) sees both. */
export function familyView(relation: RelatedUsers, reader: string | null): z.infer<typeof FamilyView> {
  const { id, relationship, recordedBy, endedBy, endedReason } = relation;
  const sees = (owner: string) => reader === null || owner === reader;
  const [seesUser, seesRelative] = [sees(relation.owner), sees(relation.relativeOwner)];
  return {
    id,
    userId: seesUser ? relation.userId : null,
    relativeId: seesRelative ? relation.relativeUserId : null,
    relationship,
    evidence: seesUser && seesRelative ? relation.evidence : null,
    recordedAt: new Date(relation.createdAt).toISOString(),
    recordedBy,
    endedAt: relation.endedAt === null ? null : new Date(relation.endedAt).toISOString(),
    endedBy,
    endedReason,
  };
}
