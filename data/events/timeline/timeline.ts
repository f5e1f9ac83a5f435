import { type SQL, sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { type CameraType, TIMELINE_TYPE_OF } from '../../../domain/events/camera-type.ts';
import { LATE_MS } from '../../../domain/events/captured-at.ts';
import { PRESENCE_WINDOW_MS, type Presence, presencesOf, type Sighting } from '../../../domain/events/presence.ts';
import type { ScopeKey } from '../keys/scope-key.ts';
import { sealIdentity } from './timeline-identity.ts';

/** A camera with what its sightings are written down under. */
export interface SightingCamera {
  readonly id: string;
  readonly tenant: string;
  readonly eventId: string;
  readonly roomId: string;
  readonly type: CameraType;
}

/**
 * Statements that write down whom a camera saw, as presences, for a batch (`sqlBatch`), in this order and next to each other. A
 * sighting within the window of a presence extends it, one between two joins them. The timeline ends the same in whatever order,
 * however often and however concurrently sightings arrive. Sightings of somebody who is no attendee (any more), or at an event that
 * was deleted, are dropped.
 */
export async function sightingStatements(
  key: ScopeKey,
  camera: SightingCamera,
  sightings: readonly Sighting[],
): Promise<readonly SQL[]> {
  return presenceStatements(key, camera, presencesOf(sightings), sql`true`);
}

/** The same for presences, where `when` holds. */
export async function presenceStatements(
  key: ScopeKey,
  camera: SightingCamera,
  presences: readonly Presence[],
  when: SQL,
): Promise<readonly SQL[]> {
  const now = Date.now();
  const statements: SQL[] = [];
  for (const round of roundsOf(presences)) {
    const rows = JSON.stringify(await Promise.all(round.map((presence) => rowOf(key, presence))));
    const seenRows = seen(camera, rows, when);
    statements.push(
      joinPresences(camera, seenRows),
      dropJoined(camera, seenRows),
      extendVoided(camera, seenRows),
      begin(camera, seenRows, now),
    );
  }
  return statements;
}

/**
 * One set of statements for all that were seen at the same time, such as in one frame. Of one person only one presence has these times,
 * and when two of them turn out to be one attendee, they are one presence.
 */
function roundsOf(presences: readonly Presence[]): Iterable<readonly Presence[]> {
  return Map.groupBy(presences, ({ firstSeenAt, lastSeenAt }) => `${firstSeenAt} ${lastSeenAt}`).values();
}

async function rowOf(key: ScopeKey, presence: Presence) {
  const { attendeeId, faceId, similarity, firstSeenAt, lastSeenAt, frameId } = presence;
  const id = uuidv7();
  return {
    id,
    tag: await key.tag('attendee', attendeeId),
    attendee: attendeeId,
    identity: (await sealIdentity(key, id, { attendeeId, faceId })).toString('hex'),
    similarity,
    first: firstSeenAt,
    last: lastSeenAt,
    frame: frameId,
  };
}

/**
 * The presences as rows `seen`, of those who are attendees, under whom they were merged into. Entries taken back still stand for their
 * time: what falls into one changes nothing.
 */
function seen(camera: SightingCamera, rows: string, when: SQL): SQL {
  return sql`
    named AS (
      SELECT
        value ->> 'id' AS id, coalesce(alias.attendee_tag, value ->> 'tag') AS tag,
        coalesce(alias.attendee_id, value ->> 'attendee') AS attendee, value ->> 'identity' AS identity,
        value ->> 'similarity' AS similarity, value ->> 'first' AS first, value ->> 'last' AS last, value ->> 'frame' AS frame
      FROM json_each(${rows}) LEFT JOIN attendee_aliases AS alias
        ON alias.id = value ->> 'attendee' AND alias.event_id = ${camera.eventId}
    ),
    seen AS (
      SELECT s.*
      FROM (SELECT *, row_number() OVER (PARTITION BY tag ORDER BY similarity DESC, id) AS place FROM named) AS s
      WHERE s.place = 1 AND ${when}
        AND EXISTS (SELECT 1 FROM events WHERE id = ${camera.eventId} AND deleted_at IS NULL)
        AND EXISTS (SELECT 1 FROM attendees WHERE id = s.attendee AND event_id = ${camera.eventId})
        AND NOT EXISTS (
          SELECT 1 FROM timeline AS t
          WHERE t.camera_id = ${camera.id} AND t.attendee_tag = s.tag AND t.voided_at IS NOT NULL
            AND t.first_seen_at <= s.first AND t.last_seen_at >= s.last
        )
    )`;
}

/** Entries of the camera and person of `s` that it reaches across the window. */
function reached(camera: SightingCamera): SQL {
  return sql`t.camera_id = ${camera.id} AND t.attendee_tag = s.tag
    AND t.first_seen_at <= s.last + ${PRESENCE_WINDOW_MS} AND t.last_seen_at >= s.first - ${PRESENCE_WINDOW_MS}`;
}

/** The earliest entry that a presence reaches grows over it and over all others that it reaches. */
function joinPresences(camera: SightingCamera, seenRows: SQL): SQL {
  return sql`
    WITH ${seenRows},
    joined AS (
      SELECT
        substr(min(printf('%020d', t.first_seen_at) || t.id), 21) AS id,
        substr(min(printf('%020d', t.first_seen_at) || coalesce(t.frame_id, '')), 21) AS frame,
        min(t.first_seen_at) AS first, max(t.last_seen_at) AS last, max(t.similarity) AS similarity,
        max(max(t.late), ${isLate(sql`s.frame`)}) AS late,
        s.first AS seen_first, s.last AS seen_last, s.similarity AS seen_similarity, s.frame AS seen_frame
      FROM seen AS s JOIN timeline AS t ON ${reached(camera)} AND t.voided_at IS NULL
      GROUP BY s.tag
    )
    UPDATE timeline SET
      first_seen_at = min(joined.first, joined.seen_first),
      last_seen_at = max(joined.last, joined.seen_last),
      similarity = max(joined.similarity, joined.seen_similarity),
      late = joined.late,
      frame_id = CASE
        WHEN joined.seen_first < joined.first THEN joined.seen_frame
        WHEN joined.seen_first = joined.first THEN min(joined.seen_frame, joined.frame)
        ELSE joined.frame
      END
    FROM joined WHERE timeline.id = joined.id`;
}

/** Whether a frame came later than frames do. */
function isLate(frame: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM frames AS f WHERE f.id = ${frame} AND f.received_at - f.captured_at > ${LATE_MS})`;
}

/** The others, which the joined entry now covers. */
function dropJoined(camera: SightingCamera, seenRows: SQL): SQL {
  return sql`
    WITH ${seenRows}
    DELETE FROM timeline WHERE id IN (
      SELECT t.id
      FROM seen AS s
      JOIN timeline AS t ON ${reached(camera)} AND t.voided_at IS NULL
      JOIN timeline AS whole ON whole.camera_id = t.camera_id AND whole.attendee_tag = t.attendee_tag
        AND whole.voided_at IS NULL AND whole.first_seen_at <= t.first_seen_at AND whole.last_seen_at >= t.last_seen_at
        AND (whole.first_seen_at < t.first_seen_at OR whole.last_seen_at > t.last_seen_at OR whole.id < t.id)
    )`;
}

/** What reaches only an entry that was taken back belongs to it: the camera mistakes the same person still. */
function extendVoided(camera: SightingCamera, seenRows: SQL): SQL {
  return sql`
    WITH ${seenRows},
    voided AS (
      SELECT min(t.id) AS id, s.first AS first, s.last AS last
      FROM seen AS s JOIN timeline AS t ON ${reached(camera)} AND t.voided_at IS NOT NULL
      WHERE NOT EXISTS (
        SELECT 1 FROM timeline AS live
        WHERE live.camera_id = ${camera.id} AND live.attendee_tag = s.tag AND live.voided_at IS NULL
          AND live.first_seen_at <= s.first AND live.last_seen_at >= s.last
      )
      GROUP BY s.tag
    )
    UPDATE timeline SET
      first_seen_at = min(first_seen_at, voided.first), last_seen_at = max(last_seen_at, voided.last)
    FROM voided WHERE timeline.id = voided.id`;
}

/** What reached nothing is an entry of its own. */
function begin(camera: SightingCamera, seenRows: SQL, now: number): SQL {
  return sql`
    WITH ${seenRows}
    INSERT INTO timeline (
      id, tenant, event_id, room_id, camera_id, type, attendee_tag, sealed_identity, first_seen_at, last_seen_at, similarity,
      frame_id, created_at, late
    )
    SELECT
      s.id, ${camera.tenant}, ${camera.eventId}, ${camera.roomId}, ${camera.id}, ${TIMELINE_TYPE_OF[camera.type]},
      s.tag, unhex(s.identity), s.first, s.last, s.similarity, s.frame, ${now}, ${isLate(sql`s.frame`)}
    FROM seen AS s
    WHERE NOT EXISTS (
      SELECT 1 FROM timeline AS t
      WHERE t.camera_id = ${camera.id} AND t.attendee_tag = s.tag
        AND t.first_seen_at <= s.first AND t.last_seen_at >= s.last
    )`;
}
