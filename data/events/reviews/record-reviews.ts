import { type SQL, sql } from 'drizzle-orm';
import { PRESENCE_WINDOW_MS } from '../../../domain/events/presence.ts';
import type { ScopeKey } from '../keys/scope-key.ts';
import { eventIsLive } from '../sites/events.ts';
import type { SightingCamera } from '../timeline/timeline.ts';
import { type ReviewCandidate, sealCandidate } from './review-candidate.ts';

/** A face of a frame that may be an attendee. */
export interface FaceToReview {
  /** Of the review, if this face begins one. */
  readonly id: string;
  readonly candidate: ReviewCandidate;
  readonly similarity: number;
  readonly runnerUp: number | null;
}

/** Frames of one review. */
const FRAMES_MAX = 32;

/**
 * Reviews that wait at once: of an event more than people decide in the time in which it matters, and of one camera and of one candidate so few that they leave
 * room for others. A face that finds no room stays unknown. One that joins a review needs none.
 */
const PENDING_MAX = { event: 1_000, camera: 250, candidate: 20 } as const;

/**
 * Statements that leave faces of a frame to people, for the batch that records it. A face joins the pending review of the same camera
 * and candidate that it reaches across the window of a presence, else it begins one. Candidates who are no attendees (any more) are
 * dropped.
 */
export async function reviewStatements(
  key: ScopeKey,
  camera: SightingCamera,
  frame: { readonly id: string; readonly capturedAt: number },
  faces: readonly FaceToReview[],
): Promise<readonly SQL[]> {
  if (faces.length === 0) return [];
  const rows = JSON.stringify(
    await Promise.all(
      faces.map(async ({ id, candidate, similarity, runnerUp }) => ({
        id,
        attendee: candidate.attendeeId,
        tag: await key.tag('attendee', candidate.attendeeId),
        candidate: (await sealCandidate(key, frame.id, candidate)).toString('hex'),
        similarity,
        runner_up: runnerUp,
      })),
    ),
  );
  return [join(camera, frame, rows), begin(camera, frame, rows), countWithoutReview(camera, frame, rows)];
}

/** The faces as rows `doubted`, of candidates who are attendees, under whom they were merged into. */
function doubted({ eventId }: SightingCamera, rows: string): SQL {
  return sql`
    named AS (
      SELECT
        value ->> 'id' AS id, coalesce(alias.attendee_tag, value ->> 'tag') AS tag,
        coalesce(alias.attendee_id, value ->> 'attendee') AS attendee, value ->> 'candidate' AS candidate,
        value ->> 'similarity' AS similarity, value ->> 'runner_up' AS runner_up
      FROM json_each(${rows}) LEFT JOIN attendee_aliases AS alias
        ON alias.id = value ->> 'attendee' AND alias.event_id = ${eventId}
    ),
    doubted AS (
      SELECT d.*
      FROM (SELECT *, row_number() OVER (PARTITION BY tag ORDER BY similarity DESC, id) AS place FROM named) AS d
      WHERE d.place = 1 AND EXISTS (SELECT 1 FROM attendees WHERE id = d.attendee AND event_id = ${eventId})
    )`;
}

/** A review shows the frame in which the face is most like its candidate. */
function join(camera: SightingCamera, { id, capturedAt }: { id: string; capturedAt: number }, rows: string): SQL {
  return sql`
    WITH ${doubted(camera, rows)},
    joined AS (
      SELECT min(r.id) AS review, d.candidate AS candidate, d.similarity AS similarity, d.runner_up AS runner_up
      FROM doubted AS d JOIN match_reviews AS r
        ON r.camera_id = ${camera.id} AND r.candidate_tag = d.tag AND r.status = 'pending'
        AND r.first_seen_at <= ${capturedAt + PRESENCE_WINDOW_MS} AND r.last_seen_at >= ${capturedAt - PRESENCE_WINDOW_MS}
        AND json_array_length(r.frame_ids) < ${FRAMES_MAX}
      GROUP BY d.tag
    )
    UPDATE match_reviews SET
      first_seen_at = min(first_seen_at, ${capturedAt}),
      last_seen_at = max(last_seen_at, ${capturedAt}),
      frame_ids = json_insert(frame_ids, '$[#]', ${id}),
      ${better('frame_id', sql`${id}`)},
      ${better('sealed_candidate', sql`unhex(joined.candidate)`)},
      ${better('runner_up', sql`joined.runner_up`)},
      ${better('similarity', sql`joined.similarity`)}
    FROM joined WHERE match_reviews.id = joined.review`;
}

function better(column: string, value: SQL): SQL {
  const name = sql.raw(column);
  return sql`${name} = CASE WHEN joined.similarity > match_reviews.similarity THEN ${value} ELSE match_reviews.${name} END`;
}

/** What joined nothing is a review of its own. */
function begin(camera: SightingCamera, { id, capturedAt }: { id: string; capturedAt: number }, rows: string): SQL {
  const { tenant, eventId, roomId } = camera;
  return sql`
    WITH ${doubted(camera, rows)}
    INSERT INTO match_reviews (
      id, tenant, event_id, room_id, camera_id, status, candidate_tag, sealed_candidate, similarity, runner_up, frame_id,
      frame_ids, first_seen_at, last_seen_at, created_at
    )
    SELECT
      d.id, ${tenant}, ${eventId}, ${roomId}, ${camera.id}, 'pending', d.tag, unhex(d.candidate), d.similarity, d.runner_up,
      ${id}, json_array(${id}), ${capturedAt}, ${capturedAt}, ${Date.now()}
    FROM (
      SELECT doubted.*, row_number() OVER (ORDER BY similarity DESC, id) AS number
      FROM doubted
      WHERE NOT EXISTS (
        SELECT 1 FROM match_reviews AS r, json_each(r.frame_ids) AS f
        WHERE r.camera_id = ${camera.id} AND r.candidate_tag = doubted.tag AND f.value = ${id}
      )
    ) AS d
    WHERE ${eventIsLive(tenant, eventId)}
      AND ${pending(eventId, sql`TRUE`)} + d.number <= ${PENDING_MAX.event}
      AND ${pending(eventId, sql`r.camera_id = ${camera.id}`)} + d.number <= ${PENDING_MAX.camera}
      AND ${pending(eventId, sql`r.candidate_tag = d.tag`)} < ${PENDING_MAX.candidate}`;
}

/** Of the event: faces of the frame that neither joined a review nor began one. */
function countWithoutReview(camera: SightingCamera, { id }: { id: string }, rows: string): SQL {
  return sql`
    WITH ${doubted(camera, rows)},
    left_out AS (
      SELECT count(*) AS total FROM doubted
      WHERE NOT EXISTS (
        SELECT 1 FROM match_reviews AS r, json_each(r.frame_ids) AS f
        WHERE r.camera_id = ${camera.id} AND r.candidate_tag = doubted.tag AND f.value = ${id}
      )
    )
    UPDATE events SET faces_without_review = faces_without_review + left_out.total
    FROM left_out WHERE events.id = ${camera.eventId} AND left_out.total > 0`;
}

function pending(eventId: string, whose: SQL): SQL {
  return sql`(SELECT count(*) FROM match_reviews AS r WHERE r.event_id = ${eventId} AND r.status = 'pending' AND ${whose})`;
}
