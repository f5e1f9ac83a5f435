import { type SQL, sql } from 'drizzle-orm';
import type { MovementCounts } from '../../../domain/events/occupancy.ts';
import { LEVEL_BITS, MOVEMENT_LEVEL, type RoomSpan, TOP_LEVEL } from '../../../domain/events/room-span.ts';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import { type TimelineFilter, timelineMatches } from './timeline-entries.ts';

/** A span with whose it is. */
export interface SpanOfRoom extends RoomSpan {
  readonly roomId: string;
}

const COLUMNS = sql.raw(`
  s.room_id AS "roomId", s.phase, s.level, s.span, s.entries, s.exits, s.repeated_entries AS "repeatedEntries",
  s.repeated_exits AS "repeatedExits", s.high, s.high_at AS "highAt", s.low, s.changes_at AS "changesAt", s.ends_at AS "endsAt"`);

/** The largest spans of an event, room by room in order of time; each room that has movements has some. */
export async function listTopSpans(
  db: EventsDatabase,
  { eventId, roomId }: { readonly eventId: string; readonly roomId?: string | undefined },
): Promise<readonly SpanOfRoom[]> {
  const ofRoom = roomId === undefined ? sql`true` : sql`s.room_id = ${roomId}`;
  const [spans] = await sqlBatch<[SpanOfRoom[]]>(db, [
    sql`
      SELECT ${COLUMNS} FROM room_spans AS s
      WHERE s.event_id = ${eventId} AND s.level = ${sql.raw(String(TOP_LEVEL))} AND ${ofRoom}
      ORDER BY s.room_id, s.phase, s.span`,
  ]);
  return spans;
}

/** What spans consist of, each in order of time: smaller spans, and movements for leaves. */
export async function listInnerSpans(db: EventsDatabase, spans: readonly SpanOfRoom[]): Promise<SpanOfRoom[]> {
  const of = (some: readonly SpanOfRoom[]) =>
    JSON.stringify(some.map(({ roomId, phase, level, span }) => [roomId, phase, level, span]));
  const [inner, movements] = await sqlBatch<[SpanOfRoom[], SpanOfRoom[]]>(db, [
    sql`
      SELECT ${COLUMNS} FROM json_each(${of(spans.filter(({ level }) => level > 0))}) AS j
      CROSS JOIN room_spans AS s ON s.room_id = j.value ->> 0 AND s.phase = j.value ->> 1 AND s.level = (j.value ->> 2) - 1
        AND s.span BETWEEN (j.value ->> 3) << ${BITS} AND ((j.value ->> 3) << ${BITS}) + ${sql.raw(String(2 ** LEVEL_BITS - 1))}
      ORDER BY s.room_id, s.phase, s.span`,
    sql`
      SELECT
        m.room_id AS "roomId", m.phase, ${sql.raw(String(MOVEMENT_LEVEL))} AS level, m.leaf AS span,
        ${countsOf('entered', true)} AS entries, ${countsOf('exited', true)} AS exits,
        ${countsOf('entered', false)} AS "repeatedEntries", ${countsOf('exited', false)} AS "repeatedExits",
        ${CHANGE} AS high, CASE WHEN m.effective THEN m.at END AS "highAt", ${CHANGE} AS low,
        CASE WHEN m.effective THEN m.at END AS "changesAt", m.at AS "endsAt"
      FROM json_each(${of(spans.filter(({ level }) => level === 0))}) AS j
      CROSS JOIN room_movements AS m ON m.room_id = j.value ->> 0 AND m.phase = j.value ->> 1 AND m.leaf = j.value ->> 3
      ORDER BY m.room_id, m.phase, m.leaf, m.at, m.type = 'entered'`,
  ]);
  return [...inner, ...movements];
}

const BITS = sql.raw(String(LEVEL_BITS));

const CHANGE = sql.raw(`CASE WHEN NOT m.effective THEN NULL WHEN m.type = 'entered' THEN 1 ELSE -1 END`);

/** Of one movement, 1 or 0. */
function countsOf(type: 'entered' | 'exited', isEffective: boolean): SQL {
  return sql.raw(`(m.type = '${type}' AND ${isEffective ? '' : 'NOT '}m.effective)`);
}

/**
 * What movements of entries that match come to, by room. A movement that follows from others is of its own instant alone: its presence counts by the
 * movement that it began or ended with.
 */
export async function countMovements(
  db: EventsDatabase,
  filter: TimelineFilter,
): Promise<ReadonlyMap<string, MovementCounts>> {
  const { from, to } = filter;
  const within = sql`
    (NOT m.implied OR (${from === undefined ? sql`true` : sql`m.at >= ${from}`} AND ${to === undefined ? sql`true` : sql`m.at <= ${to}`}))`;
  const [rows] = await sqlBatch<[({ roomId: string } & MovementCounts)[]]>(db, [
    sql`
      SELECT
        m.room_id AS "roomId", sum(${countsOf('entered', true)}) AS entries, sum(${countsOf('exited', true)}) AS exits,
        sum(${countsOf('entered', false)}) AS "repeatedEntries", sum(${countsOf('exited', false)}) AS "repeatedExits"
      FROM ${entriesOf(filter)} CROSS JOIN room_movements AS m ON m.entry_id = timeline.id
      WHERE ${timelineMatches(filter)} AND ${within}
      GROUP BY m.room_id`,
  ]);
  return new Map(rows.map(({ roomId, ...counts }) => [roomId, counts]));
}

/** By the index that reads the least: of a camera, of somebody in each room, or of each room up to a time. */
function entriesOf({ eventId, cameraId, attendeeTag }: TimelineFilter): SQL {
  if (cameraId !== undefined) return sql`timeline INDEXED BY timeline_person`;
  const index = sql.raw(attendeeTag === undefined ? 'timeline_room' : 'timeline_room_person');
  return sql`
    (SELECT id FROM rooms WHERE event_id = ${eventId}) AS r
    CROSS JOIN timeline INDEXED BY ${index} ON timeline.room_id = r.id`;
}
