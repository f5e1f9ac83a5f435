import { type SQL, sql } from 'drizzle-orm';
import { PRESENCE_WINDOW_MS } from '../../../domain/events/presence.ts';
import { LEAF_BITS, LEVEL_BITS, TOP_LEVEL } from '../../../domain/events/room-span.ts';
import { countedBatch, sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';

/** People of a room whom one batch judges: all entries of each are read. */
const PEOPLE_PER_BATCH = 250;
/** Of one call: with asking what waits, a batch has sixteen of the thousand queries that an invocation has. */
const BATCHES_MAX = 40;

/**
 * Brings movements and spans of an event up to its timeline, as far as `rowsMax` rows and `batchesMax` batches go; each batch is done or not, and what is left
 * goes on with the next call. A batch reads and writes in one transaction, so that nothing changes between. False where something is left.
 */
export async function judgeMovementsOf(
  db: EventsDatabase,
  eventId: string,
  rowsMax: number,
  batchesMax = BATCHES_MAX,
): Promise<boolean> {
  for (let rows = 0, batches = 0; ; batches++) {
    const waiting = await countedBatch<{ waits: number }>(db, [whatWaits(eventId)]);
    rows += waiting.rowsRead;
    if (waiting.results[0]?.[0]?.waits !== 1) return true;
    if (batches > 0 && (rows >= rowsMax || batches >= batchesMax)) return false;
    rows += (await countedBatch(db, judgingOf(eventId))).rowsRead;
  }
}

function whatWaits(eventId: string): SQL {
  return sql`
    SELECT
      EXISTS (SELECT 1 FROM events WHERE id = ${eventId} AND deleted_at IS NULL) AND (
        EXISTS (SELECT 1 FROM timeline INDEXED BY timeline_unjudged WHERE event_id = ${eventId} AND judged = 0 AND type <> 'present')
        OR EXISTS (SELECT 1 FROM room_spans INDEXED BY room_spans_stale WHERE event_id = ${eventId} AND stale = 1)
      ) AS waits`;
}

function judgingOf(eventId: string): readonly SQL[] {
  const kept = keptOf(eventId);
  return [
    sql`
      WITH ${kept}
      DELETE FROM room_movements
      WHERE entry_id IN (
          SELECT t.id FROM people AS p CROSS JOIN timeline AS t ON t.room_id = p.room_id AND t.attendee_tag = p.attendee_tag
        )
        AND (entry_id, implied, at) NOT IN (SELECT id, implied, at FROM kept)`,
    sql`
      WITH ${kept}
      INSERT INTO room_movements (entry_id, implied, at, event_id, room_id, type, effective, phase, leaf)
      SELECT
        k.id, k.implied, k.at, e.id, k.room_id, k.type, k.effective,
        CASE WHEN k.at < e.date THEN 0 WHEN k.at <= e.end_date THEN 1 ELSE 2 END,
        (k.at - CASE WHEN k.at <= e.end_date THEN e.date ELSE e.end_date END) >> ${raw(LEAF_BITS)}
      FROM events AS e CROSS JOIN kept AS k WHERE e.id = ${eventId}
      ON CONFLICT (entry_id, implied, at) DO UPDATE SET effective = excluded.effective
      WHERE room_movements.effective <> excluded.effective`,
    sql`
      UPDATE timeline INDEXED BY timeline_unjudged SET judged = 1
      WHERE event_id = ${eventId} AND judged = 0 AND type <> 'present'
        AND (room_id, attendee_tag) IN (SELECT room_id, attendee_tag FROM (${peopleOf(eventId)}))`,
    watchRooms(eventId),
    ...Array.from({ length: TOP_LEVEL + 1 }, (_, level) => [
      ...(level < TOP_LEVEL ? [markParents(eventId, level)] : []),
      level === 0 ? sumLeaves(eventId) : sumSpans(eventId, level),
      // What no row was left of.
      sql`DELETE FROM room_spans INDEXED BY room_spans_stale WHERE event_id = ${eventId} AND level = ${raw(level)} AND stale = 1`,
    ]).flat(),
  ];
}

/** Rooms with a capacity in which a movement has changed are to be looked at (data/events/timeline/room-watches.ts). */
function watchRooms(eventId: string): SQL {
  return sql`
    INSERT INTO room_watches (room_id, tenant, event_id, look_at)
    SELECT r.id, r.tenant, r.event_id, 0 FROM rooms AS r
    WHERE r.capacity IS NOT NULL AND r.id IN (
      SELECT room_id FROM room_spans INDEXED BY room_spans_stale WHERE event_id = ${eventId} AND level = 0 AND stale = 1
    )
    ON CONFLICT (room_id) DO UPDATE SET look_at = 0, changes = changes + 1`;
}

/** Whose movements are to be judged next, room by room. */
function peopleOf(eventId: string): SQL {
  return sql`
    SELECT DISTINCT room_id, attendee_tag FROM timeline INDEXED BY timeline_unjudged
    WHERE event_id = ${eventId} AND judged = 0 AND type <> 'present'
      AND EXISTS (SELECT 1 FROM events WHERE id = ${eventId} AND deleted_at IS NULL)
    ORDER BY room_id, attendee_tag LIMIT ${raw(PEOPLE_PER_BATCH)}`;
}

/**
 * Their movements as `kept`: what `doorMovements` and `judgeMovements` say of them (domain/events), which a test holds it to. A movement counts where the one before
 * it, of the same person and room, is of the other type: whoever is inside or outside follows from it alone.
 */
function keptOf(eventId: string): SQL {
  const window = raw(PRESENCE_WINDOW_MS);
  // At one instant an exit comes before an entry.
  const meanwhile = (at: string) => {
    const sight = sql.raw(at);
    return sql`
      SELECT
        p.id, p.room_id, p.tag, p.type, p.first,
        CASE p.type WHEN 'entered' THEN min(p.last, ${sight} + ${window}) ELSE max(p.first, ${sight} - ${window}) END, 1
      FROM presences AS p CROSS JOIN timeline AS s ON s.room_id = p.room_id AND s.attendee_tag = p.tag
        AND ${sight} BETWEEN p.first AND p.last AND s.voided_at IS NULL AND s.type = p.opposite
        AND ${sight} <> CASE p.type WHEN 'entered' THEN p.first ELSE p.last END`;
  };
  return sql`
    people AS MATERIALIZED (${peopleOf(eventId)}),
    presences AS MATERIALIZED (
      SELECT
        t.id, t.room_id, t.attendee_tag AS tag, t.type, t.first_seen_at AS first, t.last_seen_at AS last,
        CASE t.type WHEN 'entered' THEN 'exited' ELSE 'entered' END AS opposite
      FROM people AS p CROSS JOIN timeline AS t ON t.room_id = p.room_id AND t.attendee_tag = p.attendee_tag
      WHERE t.type IN ('entered', 'exited') AND t.voided_at IS NULL
    ),
    moves (id, room_id, tag, type, first, at, implied) AS (
      SELECT id, room_id, tag, type, first, CASE type WHEN 'entered' THEN first ELSE last END, 0 FROM presences
      UNION ${meanwhile('s.first_seen_at')}
      UNION ${meanwhile('s.last_seen_at')}
    ),
    judged AS (
      SELECT
        id, room_id, type, at, implied,
        lag(type, 1, 'exited') OVER (PARTITION BY room_id, tag ORDER BY at, type = 'entered', implied, first, id) <> type AS effective
      FROM moves
    ),
    kept AS MATERIALIZED (SELECT * FROM judged WHERE effective OR NOT implied)`;
}

function markParents(eventId: string, level: number): SQL {
  return sql`
    INSERT INTO room_spans (room_id, phase, level, span, event_id)
    SELECT DISTINCT room_id, phase, ${raw(level + 1)}, span >> ${raw(LEVEL_BITS)}, event_id
    FROM room_spans INDEXED BY room_spans_stale WHERE event_id = ${eventId} AND level = ${raw(level)} AND stale = 1
    ON CONFLICT (room_id, phase, level, span) DO UPDATE SET stale = 1`;
}

function sumLeaves(eventId: string): SQL {
  return sql`
    WITH ${staleOf(eventId, 0)},
    runs AS (
      SELECT
        m.*,
        sum(CASE WHEN NOT m.effective THEN 0 WHEN m.type = 'entered' THEN 1 ELSE -1 END) OVER (
          PARTITION BY m.room_id, m.phase, m.leaf ORDER BY m.at, m.type = 'entered' ROWS UNBOUNDED PRECEDING
        ) AS run
      FROM stale AS s CROSS JOIN room_movements AS m ON m.room_id = s.room_id AND m.phase = s.phase AND m.leaf = s.span
    ),
    tops AS (SELECT *, max(CASE WHEN effective THEN run END) OVER (PARTITION BY room_id, phase, leaf) AS top FROM runs)
    INSERT INTO room_spans (${COLUMNS})
    SELECT
      room_id, phase, 0, leaf, ${eventId}, 0,
      sum(effective AND type = 'entered'), sum(effective AND type = 'exited'),
      sum(NOT effective AND type = 'entered'), sum(NOT effective AND type = 'exited'),
      max(top), min(CASE WHEN effective AND run = top THEN at END), min(CASE WHEN effective THEN run END),
      min(CASE WHEN effective THEN at END), max(at)
    FROM tops WHERE true GROUP BY room_id, phase, leaf
    ${REPLACING}`;
}

function sumSpans(eventId: string, level: number): SQL {
  return sql`
    WITH ${staleOf(eventId, level)},
    runs AS (
      SELECT
        c.*, s.span AS parent,
        coalesce(sum(c.entries - c.exits) OVER (
          PARTITION BY c.room_id, c.phase, s.span ORDER BY c.span ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS run
      FROM stale AS s CROSS JOIN room_spans AS c ON c.room_id = s.room_id AND c.phase = s.phase AND c.level = ${raw(level - 1)}
        AND c.span BETWEEN s.span * ${raw(2 ** LEVEL_BITS)} AND s.span * ${raw(2 ** LEVEL_BITS)} + ${raw(2 ** LEVEL_BITS - 1)}
    ),
    tops AS (SELECT *, max(run + high) OVER (PARTITION BY room_id, phase, parent) AS top FROM runs)
    INSERT INTO room_spans (${COLUMNS})
    SELECT
      room_id, phase, ${raw(level)}, parent, ${eventId}, 0,
      sum(entries), sum(exits), sum(repeated_entries), sum(repeated_exits),
      max(top), min(CASE WHEN run + high = top THEN high_at END), min(run + low), min(changes_at), max(ends_at)
    FROM tops WHERE true GROUP BY room_id, phase, parent
    ${REPLACING}`;
}

function staleOf(eventId: string, level: number): SQL {
  return sql`
    stale AS MATERIALIZED (
      SELECT room_id, phase, span FROM room_spans INDEXED BY room_spans_stale WHERE event_id = ${eventId} AND level = ${raw(level)} AND stale = 1
    )`;
}

const COLUMNS = sql.raw(
  'room_id, phase, level, span, event_id, stale, entries, exits, repeated_entries, repeated_exits, high, high_at, low, changes_at, ends_at',
);

const REPLACING = sql`
  ON CONFLICT (room_id, phase, level, span) DO UPDATE SET
    stale = 0, entries = excluded.entries, exits = excluded.exits,
    repeated_entries = excluded.repeated_entries, repeated_exits = excluded.repeated_exits,
    high = excluded.high, high_at = excluded.high_at, low = excluded.low,
    changes_at = excluded.changes_at, ends_at = excluded.ends_at`;

/** D1 binds numbers as REAL, by which nothing is shifted. */
function raw(number: number): SQL {
  return sql.raw(String(number));
}

/**
 * The first event behind `after`, by id, that is not deleted and has entries or spans which nobody has judged since they changed; of those alone that have a room
 * with a capacity, where it is asked so. Null where there is none.
 */
export async function nextUnjudged(
  db: EventsDatabase,
  { after, hasCapacity = false }: { readonly after: string; readonly hasCapacity?: boolean },
): Promise<string | null> {
  const isAsked = hasCapacity
    ? sql`EXISTS (SELECT 1 FROM rooms WHERE event_id = e.id AND capacity IS NOT NULL)`
    : sql`true`;
  const [rows] = await sqlBatch<[{ id: string }[]]>(db, [
    sql`SELECT e.id FROM events AS e
        WHERE e.id > ${after} AND e.deleted_at IS NULL AND ${isAsked}
          AND (
            EXISTS (SELECT 1 FROM timeline INDEXED BY timeline_unjudged WHERE event_id = e.id AND judged = 0 AND type <> 'present')
            OR EXISTS (SELECT 1 FROM room_spans INDEXED BY room_spans_stale WHERE event_id = e.id AND stale = 1)
          )
        ORDER BY e.id LIMIT 1`,
  ]);
  return rows[0]?.id ?? null;
}
