import { and, asc, between, eq, gt, sql } from 'drizzle-orm';
import type { EventsDatabase } from '../database.ts';
import { type FrameResult, type FrameResultFace, openFrameResult } from '../images/frame-result.ts';
import type { ScopeKey } from '../keys/scope-key.ts';
import { attendeeAliases, frames, matchReviews, timeline } from '../schema.ts';

/** A frame in which somebody was recognized. */
export interface FrameOfAttendee {
  readonly row: typeof frames.$inferSelect;
  readonly result: FrameResult;
}

/** Whom to look for: somebody under their own id, and under those of whom was merged into them. */
export interface AttendeeTrace {
  readonly eventId: string;
  readonly tag: string;
  readonly ids: ReadonlySet<string>;
}

const FRAMES_PER_READ = 100;

/** An attendee as they are found in what an event holds, whether or not they are an attendee still. */
export async function traceOf(
  db: EventsDatabase,
  key: ScopeKey,
  eventId: string,
  attendeeId: string,
): Promise<AttendeeTrace> {
  const aliases = await db
    .select({ id: attendeeAliases.id })
    .from(attendeeAliases)
    .where(and(eq(attendeeAliases.eventId, eventId), eq(attendeeAliases.attendeeId, attendeeId)));
  return {
    eventId,
    tag: await key.tag('attendee', attendeeId),
    ids: new Set([attendeeId, ...aliases.map(({ id }) => id)]),
  };
}

/**
 * The frames in which somebody was recognized, or may be: those of their timeline entries and of reviews that name them. In no particular
 * order, some perhaps twice.
 */
export async function* framesOfAttendee(
  db: EventsDatabase,
  key: ScopeKey,
  { eventId, tag, ids }: AttendeeTrace,
): AsyncGenerator<FrameOfAttendee> {
  const entries = await db
    .select({ cameraId: timeline.cameraId, from: timeline.firstSeenAt, to: timeline.lastSeenAt })
    .from(timeline)
    .where(and(eq(timeline.eventId, eventId), eq(timeline.attendeeTag, tag)));
  for (const { cameraId, from, to } of entries) {
    if (cameraId === null) continue;
    let after = '';
    for (;;) {
      const rows = await db
        .select()
        .from(frames)
        .where(and(eq(frames.cameraId, cameraId), between(frames.capturedAt, from, to), gt(frames.id, after)))
        .orderBy(asc(frames.id))
        .limit(FRAMES_PER_READ);
      for (const frame of await openFrames(key, rows)) if (showsOneOf(frame.result, ids)) yield frame;
      const last = rows.at(-1);
      if (last === undefined || rows.length < FRAMES_PER_READ) break;
      after = last.id;
    }
  }
  const reviews = await db
    .select({ frameIds: matchReviews.frameIds })
    .from(matchReviews)
    .where(and(eq(matchReviews.eventId, eventId), eq(matchReviews.candidateTag, tag)));
  for (const { frameIds } of reviews) {
    const rows = await db
      .select()
      .from(frames)
      .where(sql`${frames.id} IN (SELECT value FROM json_each(${JSON.stringify(frameIds)}))`);
    for (const frame of await openFrames(key, rows)) if (showsOneOf(frame.result, ids)) yield frame;
  }
}

function openFrames(key: ScopeKey, rows: readonly FrameOfAttendee['row'][]): Promise<FrameOfAttendee[]> {
  return Promise.all(rows.map(async (row) => ({ row, result: await openFrameResult(key, row.id, row.sealedResult) })));
}

function showsOneOf({ faces }: FrameResult, ids: ReadonlySet<string>): boolean {
  return faces.some((face) => isOneOf(face, ids));
}

/** Whether a face was recognized as one of them, or left to people as one of them. */
export function isOneOf({ match, review }: FrameResultFace, ids: ReadonlySet<string>): boolean {
  return [match, review].some((one) => one != null && ids.has(one.attendee_id));
}
