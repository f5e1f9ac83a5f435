import { z } from '@hono/zod-openapi';
import type { EventRow } from '../../../data/events/sites/events.ts';
import { isoDateOf } from '../../../domain/events/iso-date.ts';
import { freeText } from '../../responses/free-text.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { orNone } from '../../responses/or-none.ts';
import { isoTimeOrNull } from '../../responses/wire.ts';
import { MatchRuleRecord, matchRuleView } from '../match-rule-schema.ts';

const IsoDate = z
  .string()
  .max(40)
  .refine((text) => isoDateOf(text) !== null, 'a day or a time in ISO 8601')
  .openapi({
    description: 'A day or a time in ISO 8601, extended or basic. A time without a zone is in UTC.',
    example: '2026-11-28T19:00:00-05:00',
  });

export const EventRequest = z
  .strictObject({
    name: lineOfText(200),
    description: orNone(freeText(10_000)).transform((text) => text ?? ''),
    date: IsoDate,
    end_date: orNone(IsoDate).openapi({
      description:
        'The last day, whole in the zone of date, or the last instant. Left out, the event lasts through the day on which it begins, and twelve hours at least.',
    }),
    consent_text: orNone(freeText(10_000).min(1)).openapi({
      description:
        'What attendees have agreed to where they signed up. Then a registration needs no consent of its own, and is stored with this text, taken down by who created the event.',
    }),
  })
  .openapi('EventRequest');

export const EventRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    date: z.string(),
    end_date: z.string().nullable(),
    consent_text: z.string().nullable(),
    match_rule: MatchRuleRecord,
    created_at: z.iso.datetime(),
    deleted_at: z.iso.datetime().nullable(),
    deleted_by: z.string().nullable().openapi({ description: 'User id.' }),
    shred_at: z.iso.datetime().nullable().openapi({ description: 'When its key is to be destroyed.' }),
    shredded_at: z.iso.datetime().nullable(),
  })
  .openapi('Event');

export function eventView(row: EventRow): z.infer<typeof EventRecord> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    date: row.dateGiven,
    end_date: row.endDateGiven,
    consent_text: row.consentText,
    match_rule: matchRuleView(row),
    created_at: new Date(row.createdAt).toISOString(),
    deleted_at: isoTimeOrNull(row.deletedAt),
    deleted_by: row.deletedBy,
    shred_at: isoTimeOrNull(row.shredAt),
    shredded_at: isoTimeOrNull(row.shreddedAt),
  };
}
