import { z } from '@hono/zod-openapi';
import type { AccreditationRecord } from '../../data/accounts/accreditation-records.ts';
import { ACCREDITATION_RECORD_KINDS } from '../../domain/accreditation/accreditation-record.ts';
import { EVIDENCE_KINDS } from '../../domain/accreditation/evidence.ts';

const iso = z.string().openapi({ format: 'date-time' });

/** What an accreditation rests on. */
export const AccreditationRecordView = z
  .object({
    id: z.string(),
    kind: z.enum(ACCREDITATION_RECORD_KINDS),
    verifier: z.string().nullable(),
    evidence: z.string().nullable(),
    evidenceKind: z.enum(EVIDENCE_KINDS).nullable(),
    textVersion: z.string().nullable(),
    text: z.string().nullable(),
    at: iso.openapi({ description: 'When it was verified, or stated.' }),
    expiresAt: iso.nullable(),
    endedAt: iso.nullable(),
    endedReason: z.string().nullable(),
  })
  .openapi('AccreditationRecord');

/** What stands in the way of another accreditation. */
export const EndedByOperator = z.object({ at: iso, reason: z.string() }).nullable().openapi({
  description:
    'Since an operator has ended the accreditation: nobody certifies themselves, and a request for a verification waits for an operator. Null where none has, or one has allowed it since.',
});

export function endedByOperatorView(
  end: { readonly at: number; readonly reason: string } | null,
): z.infer<typeof EndedByOperator> {
  return end === null ? null : { at: new Date(end.at).toISOString(), reason: end.reason };
}

export function accreditationRecordView(record: AccreditationRecord): z.infer<typeof AccreditationRecordView> {
  const { id, kind, verifier, evidence, evidenceKind, textVersion, text, at, expiresAt, endedAt, endedReason } = record;
  const time = (value: number | null) => (value === null ? null : new Date(value).toISOString());
  return {
    id,
    kind,
    verifier,
    evidence,
    evidenceKind,
    textVersion,
    text,
    at: new Date(at).toISOString(),
    expiresAt: time(expiresAt),
    endedAt: time(endedAt),
    endedReason,
  };
}
