import { and, count, desc, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { EVENT_BOUNDS } from '../../../domain/events/event-bounds.ts';
import type { EventDates } from '../../../domain/events/event-dates.ts';
import type { InviteStatus } from '../../../domain/events/invite-status.ts';
import type { MatchRuleSetting } from '../../../domain/faces/match-rule.ts';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import type { KeyScope } from '../keys/scope-key.ts';
import { attendees, events, invites, rooms } from '../schema.ts';
import { matchSettingColumns } from './match-setting.ts';

export type EventRow = typeof events.$inferSelect;

/** Whose key seals what an event holds. */
export function eventScope({ tenant, id }: Pick<EventRow, 'tenant' | 'id'>): KeyScope {
  return { tenant, scope: `event:${id}` };
}

export interface NewEvent extends EventDates {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly description: string;
  readonly dateGiven: string;
  readonly endDateGiven: string | null;
  readonly createdBy: string;
  readonly consentText: string | null;
  readonly createdAt: number;
}

/** Once per id: a repeated call answers the event that is there. Null where the tenant has as many as it may. */
export async function createEvent(db: EventsDatabase, event: NewEvent): Promise<EventRow | null> {
  await sqlBatch(db, [
    sql`
      INSERT INTO events (
        id, tenant, name, description, date, end_date, date_given, end_date_given, created_by, consent_text, created_at
      )
      SELECT
        ${event.id}, ${event.tenant}, ${event.name}, ${event.description}, ${event.date}, ${event.endDate}, ${event.dateGiven},
        ${event.endDateGiven}, ${event.createdBy}, ${event.consentText}, ${event.createdAt}
      WHERE (SELECT count(*) FROM events WHERE tenant = ${event.tenant} AND shredded_at IS NULL) < ${EVENT_BOUNDS.events_max}
      ON CONFLICT (id) DO NOTHING`,
  ]);
  return findEventOrDeleted(db, event.tenant, event.id);
}

/** An event that was not deleted. */
export async function findEvent(db: EventsDatabase, tenant: string, id: string): Promise<EventRow | null> {
  const row = await findEventOrDeleted(db, tenant, id);
  return row === null || row.deletedAt !== null ? null : row;
}

export async function findEventOrDeleted(db: EventsDatabase, tenant: string, id: string): Promise<EventRow | null> {
  const [row] = await db
    .select()
    .from(events)
    .where(and(eq(events.id, id), eq(events.tenant, tenant)));
  return row ?? null;
}

export interface EventPage {
  readonly tenant: string;
  /** The last event of the page before. */
  readonly after: { readonly at: number; readonly id: string } | null;
  readonly limit: number;
}

/** Events that were not deleted, the latest first. */
export async function listEvents(db: EventsDatabase, { tenant, after, limit }: EventPage): Promise<EventRow[]> {
  const behind =
    after === null ? undefined : or(lt(events.date, after.at), and(eq(events.date, after.at), lt(events.id, after.id)));
  return db
    .select()
    .from(events)
    .where(and(eq(events.tenant, tenant), isNull(events.deletedAt), behind))
    .orderBy(desc(events.date), desc(events.id))
    .limit(limit);
}

export interface EventCounts {
  readonly rooms: number;
  readonly attendees: number;
  readonly invites: Readonly<Record<InviteStatus, number>>;
}

export async function countEvent(db: EventsDatabase, eventId: string): Promise<EventCounts> {
  const [roomRows, attendeeRows, inviteRows] = await db.batch([
    db.select({ total: count() }).from(rooms).where(eq(rooms.eventId, eventId)),
    db.select({ total: count() }).from(attendees).where(eq(attendees.eventId, eventId)),
    db
      .select({ status: invites.status, total: count() })
      .from(invites)
      .where(eq(invites.eventId, eventId))
      .groupBy(invites.status),
  ]);
  const invited: Record<InviteStatus, number> = { pending: 0, accepted: 0, declined: 0, revoked: 0 };
  for (const { status, total } of inviteRows) invited[status] = total;
  return {
    rooms: roomRows[0]?.total ?? 0,
    attendees: attendeeRows[0]?.total ?? 0,
    invites: invited,
  };
}

export interface EventDeletion {
  readonly tenant: string;
  readonly id: string;
  /** User id. */
  readonly deletedBy: string;
  /** Whether by a token of client credentials. */
  readonly isMachine: boolean;
  readonly now: number;
  readonly retentionMs: number;
}

/**
 * Marks it deleted and says when its key is to be destroyed; null when there is no such event, or it was deleted before. A person who deletes what a
 * machine has deleted takes its place, and the date stays.
 */
export async function softDeleteEvent(
  db: EventsDatabase,
  { tenant, id, deletedBy, isMachine, now, retentionMs }: EventDeletion,
): Promise<EventRow | null> {
  const [row] = await db
    .update(events)
    .set({
      deletedAt: sql`coalesce(${events.deletedAt}, ${now})`,
      deletedBy,
      deletedByMachine: isMachine,
      shredAt: sql`coalesce(${events.shredAt}, ${now + retentionMs})`,
    })
    .where(
      and(
        eq(events.id, id),
        eq(events.tenant, tenant),
        or(isNull(events.deletedAt), isMachine ? undefined : IS_DELETED_BY_MACHINE),
      ),
    )
    .returning();
  return row ?? null;
}

const IS_DELETED_BY_MACHINE = and(eq(events.deletedByMachine, true), isNull(events.keyDestroyedAt));

/** Takes the deletion of an event back while it is retained; null where it is not deleted, or its time is over. */
export async function restoreEvent(
  db: EventsDatabase,
  { tenant, id, now }: { tenant: string; id: string; now: number },
): Promise<EventRow | null> {
  const [row] = await db
    .update(events)
    .set({ deletedAt: null, deletedBy: null, deletedByMachine: false, shredAt: null })
    .where(and(eq(events.id, id), eq(events.tenant, tenant), gt(events.shredAt, now), isNull(events.keyDestroyedAt)))
    .returning();
  return row ?? null;
}

/** Deleted events of the tenant whose key is still there: the latest first. */
export async function listDeletedEvents(
  db: EventsDatabase,
  { tenant, after, limit }: { tenant: string; after: string | null; limit: number },
): Promise<EventRow[]> {
  return db
    .select()
    .from(events)
    .where(
      and(
        eq(events.tenant, tenant),
        isNotNull(events.deletedAt),
        isNull(events.keyDestroyedAt),
        after === null ? undefined : lt(events.id, after),
      ),
    )
    .orderBy(desc(events.id))
    .limit(limit);
}

/** Whether the event is there to be written to, for the `WHERE` of an insert. */
export function eventIsLive(tenant: string, id: string) {
  return sql`EXISTS (SELECT 1 FROM events WHERE id = ${id} AND tenant = ${tenant} AND deleted_at IS NULL)`;
}

/** Null when the tenant has no such event, or it was deleted. */
export async function setEventMatchRule(
  db: EventsDatabase,
  { tenant, id, setting }: { readonly tenant: string; readonly id: string; readonly setting: MatchRuleSetting },
): Promise<EventRow | null> {
  const [row] = await db
    .update(events)
    .set(matchSettingColumns(setting))
    .where(and(eq(events.id, id), eq(events.tenant, tenant), isNull(events.deletedAt)))
    .returning();
  return row ?? null;
}
