import { and, asc, eq, gt, gte, isNull, lte, or, sql } from 'drizzle-orm';
import { attendeesKnownAs, type KnownAs } from '../attendees/attendees.ts';
import type { EventsDatabase } from '../database.ts';
import type { ScopeKey } from '../keys/scope-key.ts';
import { cameras, events, timeline } from '../schema.ts';
import { openIdentity } from './timeline-identity.ts';

type TimelineRow = typeof timeline.$inferSelect;

/** An entry with whose it is; null for somebody who was erased. */
export interface TimelineEntry extends Omit<TimelineRow, 'sealedIdentity'> {
  readonly person: KnownAs | null;
  readonly faceId: string | null;
}

export interface TimelineFilter {
  readonly eventId: string;
  readonly roomId?: string | undefined;
  readonly cameraId?: string | undefined;
  readonly attendeeTag?: string | undefined;
  /** Entries that touch the time from here on, in Unix milliseconds, inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly includeVoided?: boolean | undefined;
}

export interface TimelinePage extends TimelineFilter {
  readonly after: { readonly at: number; readonly id: string } | null;
  readonly limit: number;
}

/** In order of first sight. */
export async function listEntries(db: EventsDatabase, key: ScopeKey, page: TimelinePage): Promise<TimelineEntry[]> {
  const { after } = page;
  const behind =
    after === null
      ? undefined
      : or(gt(timeline.firstSeenAt, after.at), and(eq(timeline.firstSeenAt, after.at), gt(timeline.id, after.id)));
  const rows = await db
    .select()
    .from(timeline)
    .where(and(timelineMatches(page), behind))
    .orderBy(asc(timeline.firstSeenAt), asc(timeline.id))
    .limit(page.limit);
  return openEntries(db, key, page.eventId, rows);
}

/** An entry of an event that was not deleted, still sealed. */
export async function findEntry(db: EventsDatabase, tenant: string, id: string): Promise<TimelineRow | null> {
  const [row] = await db
    .select({ entry: timeline })
    .from(timeline)
    .innerJoin(events, eq(events.id, timeline.eventId))
    .where(and(eq(timeline.id, id), eq(timeline.tenant, tenant), isNull(events.deletedAt)));
  return row?.entry ?? null;
}

export async function openEntries(
  db: EventsDatabase,
  key: ScopeKey,
  eventId: string,
  rows: readonly TimelineRow[],
): Promise<TimelineEntry[]> {
  const identities = await Promise.all(rows.map((row) => openIdentity(key, row.id, row.sealedIdentity)));
  const ids = new Set(identities.flatMap((identity) => (identity === null ? [] : [identity.attendeeId])));
  const known = await attendeesKnownAs(db, key, eventId, [...ids]);
  return rows.map(({ sealedIdentity: _, ...row }, index) => {
    const identity = identities[index] ?? null;
    return {
      ...row,
      person: identity === null ? null : (known.get(identity.attendeeId) ?? null),
      faceId: identity?.faceId ?? null,
    };
  });
}

export interface UnknownSightings {
  readonly entered: number;
  readonly exited: number;
}

/** Faces before entry and exit cameras that were nobody's, by room: sightings, since what is unknown cannot be told apart. */
export async function countUnknown(
  db: EventsDatabase,
  eventId: string,
): Promise<ReadonlyMap<string, UnknownSightings>> {
  const rows = await db
    .select({
      roomId: cameras.roomId,
      entered: sql<number>`sum(CASE ${cameras.type} WHEN 'entry' THEN ${cameras.unknownFaces} ELSE 0 END)`,
      exited: sql<number>`sum(CASE ${cameras.type} WHEN 'exit' THEN ${cameras.unknownFaces} ELSE 0 END)`,
    })
    .from(cameras)
    .where(eq(cameras.eventId, eventId))
    .groupBy(cameras.roomId);
  return new Map(rows.map(({ roomId, entered, exited }) => [roomId, { entered, exited }]));
}

/** Conditions on the table of that name. */
export function timelineMatches({
  eventId,
  roomId,
  cameraId,
  attendeeTag,
  from,
  to,
  includeVoided = false,
}: TimelineFilter) {
  return and(
    eq(timeline.eventId, eventId),
    roomId === undefined ? undefined : eq(timeline.roomId, roomId),
    cameraId === undefined ? undefined : eq(timeline.cameraId, cameraId),
    attendeeTag === undefined ? undefined : eq(timeline.attendeeTag, attendeeTag),
    from === undefined ? undefined : gte(timeline.lastSeenAt, from),
    to === undefined ? undefined : lte(timeline.firstSeenAt, to),
    includeVoided ? undefined : isNull(timeline.voidedAt),
  );
}
