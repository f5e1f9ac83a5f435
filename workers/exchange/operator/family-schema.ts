import { z } from '@hono/zod-openapi';
import type { RelatedUsers } from '../../../data/accounts/family.ts';
import { RELATIONSHIPS } from '../../../domain/accreditation/family.ts';

const EVIDENCE_LENGTH_MAX = 500;
const time = z.string().openapi({ format: 'date-time' });
const Kind = z.enum(RELATIONSHIPS);

export const FamilyRequest = z
  .strictObject({
    relativeId: z.string().min(1).openapi({ description: 'User id of the relative.' }),
    relationship: Kind.openapi({
      description:
        'What the relative is to the user, by 17 CFR 227.501(c). An adoptive relationship is stated as what it is.',
    }),
    evidence: z.string().trim().min(1).max(EVIDENCE_LENGTH_MAX).openapi({ description: 'Where the evidence is kept.' }),
  })
  .openapi('OperatorFamilyRequest');

export const FamilyView = z
  .object({
    id: z.string(),
    userId: z.string().nullable(),
    relativeId: z.string().nullable(),
    relationship: Kind.openapi({ description: 'What the relative is to the user.' }),
    evidence: z.string(),
    recordedAt: time,
    recordedBy: z.string(),
    endedAt: time.nullable(),
    endedBy: z.string().nullable(),
    endedReason: z.string().nullable(),
  })
  .openapi('OperatorFamilyRelation');

export const FamilyList = z.object({ relations: z.array(FamilyView) }).openapi('OperatorFamily');

export const FamilyEndView = z
  .object({ relation: FamilyView, cancelledOrders: z.array(z.string()) })
  .openapi('OperatorFamilyEnd');

export function familyView(relation: RelatedUsers): z.infer<typeof FamilyView> {
  const { id, userId, relativeUserId, relationship, evidence, recordedBy, endedBy, endedReason } = relation;
  return {
    id,
    userId,
    relativeId: relativeUserId,
    relationship,
    evidence,
    recordedAt: new Date(relation.createdAt).toISOString(),
    recordedBy,
    endedAt: relation.endedAt === null ? null : new Date(relation.endedAt).toISOString(),
    endedBy,
    endedReason,
  };
}
