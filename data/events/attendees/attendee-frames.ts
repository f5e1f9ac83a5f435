import { and, asc, between, eq, gt } from 'drizzle-orm';
import type { EventsDatabase } from '../database.ts';
import { type FrameResult, openFrameResult } from '../images/frame-result.ts';
import type { ScopeKey } from '../keys/scope-key.ts';
import { attendeeAliases, frames, timeline } from '../schema.ts';

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

/** The frames in which somebody was recognized: those of their timeline entries. In no particular order, some perhaps twice. */
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
      const opened = await Promise.all(
        rows.map(async (row) => ({ row, result: await openFrameResult(key, row.id, row.sealedResult) })),
      );
      for (const frame of opened) if (showsOneOf(frame.result, ids)) yield frame;
      const last = rows.at(-1);
      if (last === undefined || rows.length < FRAMES_PER_READ) break;
      after = last.id;
    }
  }
}

function showsOneOf({ faces }: FrameResult, ids: ReadonlySet<string>): boolean {
  return faces.some(({ match }) => match !== null && ids.has(match.attendee_id));
}
