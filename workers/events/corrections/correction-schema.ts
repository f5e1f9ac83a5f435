import { z } from '@hono/zod-openapi';
import type { Correction } from '../../../data/events/timeline/corrections.ts';
import { CORRECTION_KINDS } from '../../../domain/events/correction-kind.ts';
import { isoTime } from '../../responses/wire.ts';

/** Every correction says why. */
export const Reason = z.string().trim().min(1).max(1_000);

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
          .object({ attendee_id: z.string(), name: z.string(), email: z.string() })
          .optional()
          .openapi({ description: 'Who was merged.' }),
      })
      .nullable()
      .openapi({ description: 'Null, like the reason, once the person that it names was erased.' }),
    created_at: z.iso.datetime(),
  })
  .openapi('Correction');

export function correctionView({ id, kind, actor, createdAt, change }: Correction): z.infer<typeof CorrectionRecord> {
  const { reason, ...changed } = change ?? { reason: null };
  return { id, kind, actor, reason, change: change === null ? null : changed, created_at: isoTime(createdAt) };
}
