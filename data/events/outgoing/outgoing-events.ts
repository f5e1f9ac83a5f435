import { type SQL, sql } from 'drizzle-orm';
import { SECOND_MS } from '../../../domain/calendar/durations.ts';
import type { TenantEvent } from '../../../domain/webhooks/webhook-event.ts';
import type { EventFacts } from '../../../protocol/partner/events.ts';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import type { SightingCamera } from '../timeline/timeline.ts';

/** One camera, or room, is told of once in so long; what happens meanwhile is told together. */
const SPACING_MS = 10 * SECOND_MS;
/** Reviews that one message names. @internal */
export const REVIEW_IDS_MAX = 100;
/** Events of one look that are told. */
const CLOSED_MAX = 200;
/** Those of one tenant among them. @internal */
export const CLOSED_OF_TENANT_MAX = 20;

/** An event that does not change any more. */
export interface ClosedEvent {
  readonly id: string;
  readonly tenant: string;
  readonly eventId: string;
  readonly type: TenantEvent;
  /** JSON: the message without its head. */
  readonly facts: string;
  readonly closedAt: number;
}

/** That reviews were opened, for the batch that opens them, behind the statement that does. @param reviewIds of those that it may have opened */
export function reviewsOpened(
  { id: cameraId, tenant, eventId, roomId }: SightingCamera,
  { id, reviewIds, now }: { readonly id: string; readonly reviewIds: readonly string[]; readonly now: number },
): SQL {
  const place = JSON.stringify({ event_id: eventId, room_id: roomId, camera_id: cameraId });
  const times = JSON.stringify({ opened_at: new Date(now).toISOString() });
  return sql`
    INSERT INTO outgoing_events (id, tenant, event_id, type, subject, facts, created_at, due_at)
    SELECT
      ${id}, ${tenant}, ${eventId}, ${'event.review_opened' satisfies TenantEvent}, ${cameraId},
      json_patch(json_patch(${place}, json_object('review_ids', json_group_array(r.id), 'opened', count(*))), ${times}),
      ${now}, ${dueAt('event.review_opened', cameraId, now)}
    FROM (SELECT id FROM match_reviews WHERE id IN (SELECT value FROM json_each(${JSON.stringify(reviewIds)})) ORDER BY id) AS r
    WHERE true HAVING count(*) > 0
    ON CONFLICT (subject, type) WHERE closed_at IS NULL DO UPDATE SET facts = json_set(
      facts,
      '$.opened', (facts ->> 'opened') + (excluded.facts ->> 'opened'),
      '$.review_ids', (
        SELECT json_group_array(value) FROM (
          SELECT value FROM (
            SELECT 0 AS part, key, value FROM json_each(outgoing_events.facts, '$.review_ids')
            UNION ALL SELECT 1, key, value FROM json_each(excluded.facts, '$.review_ids')
          ) ORDER BY part, key LIMIT ${REVIEW_IDS_MAX}
        )
      )
    )
    RETURNING id`;
}

/** How a room stands to its capacity, for the batch that notes that it was told: of several that nobody was told of, the last one is. */
export function capacityTold(
  { tenant, eventId, roomId }: { readonly tenant: string; readonly eventId: string; readonly roomId: string },
  {
    id,
    facts,
    now,
    when,
  }: {
    readonly id: string;
    readonly facts: EventFacts<'event.capacity_alert'>;
    readonly now: number;
    /** Condition of the batch under which it is to be told. */
    readonly when: SQL;
  },
): SQL {
  return sql`
    INSERT INTO outgoing_events (id, tenant, event_id, type, subject, facts, created_at, due_at)
    SELECT
      ${id}, ${tenant}, ${eventId}, ${'event.capacity_alert' satisfies TenantEvent}, ${roomId}, ${JSON.stringify(facts)}, ${now},
      ${dueAt('event.capacity_alert', roomId, now)}
    WHERE ${when}
    ON CONFLICT (subject, type) WHERE closed_at IS NULL DO UPDATE SET facts = excluded.facts
    RETURNING id`;
}

function dueAt(type: TenantEvent, subject: string, now: number): SQL {
  return sql`
    max(${now}, coalesce((SELECT max(o.closed_at) FROM outgoing_events AS o WHERE o.subject = ${subject} AND o.type = ${type}), 0) + ${SPACING_MS})`;
}

/**
 * Events to tell, in order. Those that were closed before and were not noted as told come again, as they were, and none is closed until they are: so
 * however long nobody is told, of each camera and room one waits. Of one tenant few are closed at once. Of an event that was deleted nothing is told.
 */
export async function closeDueEvents(db: EventsDatabase, now: number): Promise<readonly ClosedEvent[]> {
  const [, , closed] = await sqlBatch<[unknown[], unknown[], ClosedEvent[]]>(db, [
    sql`DELETE FROM outgoing_events WHERE told_at IS NOT NULL AND closed_at <= ${now - SPACING_MS}`,
    sql`
      UPDATE outgoing_events SET closed_at = ${now}
      WHERE id IN (
          SELECT id FROM (
            SELECT o.id, o.due_at, row_number() OVER (PARTITION BY o.tenant ORDER BY o.due_at, o.id) AS place
            FROM outgoing_events AS o JOIN events AS e ON e.id = o.event_id AND e.deleted_at IS NULL
            WHERE o.closed_at IS NULL AND o.due_at <= ${now}
          ) WHERE place <= ${CLOSED_OF_TENANT_MAX} ORDER BY place, due_at, id LIMIT ${CLOSED_MAX}
        )
        AND NOT EXISTS (${CLOSED_AND_UNTOLD})`,
    sql`
      SELECT o.id, o.tenant, o.event_id AS "eventId", o.type, o.facts, o.closed_at AS "closedAt"
      FROM outgoing_events AS o JOIN events AS e ON e.id = o.event_id AND e.deleted_at IS NULL
      WHERE o.closed_at IS NOT NULL AND o.told_at IS NULL ORDER BY o.closed_at, o.created_at, o.id`,
  ]);
  return closed;
}

const CLOSED_AND_UNTOLD = sql`
  SELECT 1 FROM outgoing_events AS c JOIN events AS l ON l.id = c.event_id AND l.deleted_at IS NULL
  WHERE c.closed_at IS NOT NULL AND c.told_at IS NULL`;

export async function markTold(db: EventsDatabase, ids: readonly string[], now: number): Promise<void> {
  await sqlBatch(db, [
    sql`
      UPDATE outgoing_events SET told_at = ${now}
      WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND told_at IS NULL`,
  ]);
}

/** When the next event is due; null where none waits. */
export async function nextDueEvent(db: EventsDatabase): Promise<number | null> {
  const [rows] = await sqlBatch<[{ at: number | null }[]]>(db, [
    sql`
      SELECT min(o.due_at) AS at FROM outgoing_events AS o JOIN events AS e ON e.id = o.event_id AND e.deleted_at IS NULL
      WHERE o.closed_at IS NULL`,
  ]);
  return rows[0]?.at ?? null;
}
