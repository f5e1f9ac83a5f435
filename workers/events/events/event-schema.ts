import { z } from '@hono/zod-openapi';
import type { EventRow } from '../../../data/events/sites/events.ts';
import { isoTimeOrNull } from '../../responses/wire.ts';
import { MatchRuleRecord, matchRuleView } from '../match-rule-schema.ts';

/** A day or a time; a time without a zone is in UTC. */
const IsoDate = z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })]);

export const EventRequest = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    description: z.string().max(10_000).default(''),
    date: IsoDate,
    end_date: IsoDate.optional().openapi({
      description:
        'The last day, whole, or the last instant. Left out, the event ends with the UTC day on which it begins.',
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
    match_rule: matchRuleView(row),
    created_at: new Date(row.createdAt).toISOString(),
    deleted_at: isoTimeOrNull(row.deletedAt),
    deleted_by: row.deletedBy,
    shred_at: isoTimeOrNull(row.shredAt),
    shredded_at: isoTimeOrNull(row.shreddedAt),
  };
}
