import { z } from '@hono/zod-openapi';
import type { Correction } from '../../../data/events/timeline/corrections.ts';
import { CORRECTION_KINDS } from '../../../domain/events/correction-kind.ts';
import { freeText } from '../../responses/free-text.ts';
import { isoTime } from '../../responses/wire.ts';

/** Every correction says why. */
export const Reason = freeText(1_000).min(1);

/** Of a merge. */
export const SIMILARITY =
  'How like the most similar faces of the two merged are; null where nothing could be compared.';

export const CorrectionRecord = z
  .object({
    id: z.string(),
    kind: z.enum(CORRECTION_KINDS),
    actor: z.string().openapi({ description: 'User id of whoever corrected.' }),
    reason: z.string().nullable(),
    change: z
      .object({
        entry_id: z.string().optional(),
        review_id: z.string().optional(),
        attendee_id: z.string().nullable().optional().openapi({ description: 'Whose it was, or whom it merged into.' }),
        similarity: z.number().nullable().optional().openapi({ description: SIMILARITY }),
        from: z
          .object({ attendee_id: z.string(), name: z.string().nullable(), email: z.string().nullable() })
          .optional()
          .openapi({ description: 'Who was merged; without name and email for those who may not see attendees.' }),
      })
      .nullable()
      .openapi({ description: 'Null, like the reason, once the person that it names was erased.' }),
    created_at: z.iso.datetime(),
  })
  .openapi('Correction');

/** A correction as it is shown; `named` to callers who may see attendees. */
export function correctionView(
  { id, kind, actor, createdAt, change }: Correction,
  named: boolean,
): z.infer<typeof CorrectionRecord> {
  const record = { id, kind, actor, created_at: isoTime(createdAt) };
  if (change === null) return { ...record, reason: null, change };
  const { reason, from, ...changed } = change;
  const merged = from && (named ? from : { attendee_id: from.attendee_id, name: null, email: null });
  return { ...record, reason, change: { ...changed, ...(merged && { from: merged }) } };
}
