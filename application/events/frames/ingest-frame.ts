import { uuidv7 } from 'uuidv7';
import { attendeesKnownAs, type KnownAs } from '../../../data/events/attendees/attendees.ts';
import { type EventsDatabase, eventsDatabase } from '../../../data/events/database.ts';
import {
  type FrameResult,
  type FrameResultMatch,
  openFrameResult,
  sealFrameResult,
} from '../../../data/events/images/frame-result.ts';
import {
  type FrameRow,
  findFrame,
  frameImageId,
  hasFrameImage,
  recordFrame,
} from '../../../data/events/images/frames.ts';
import { deleteImages, imagePath, putImage } from '../../../data/events/images/sealed-images.ts';
import { reviewsOpened } from '../../../data/events/outgoing/outgoing-events.ts';
import { type MatchReview, reviewsOfFrame } from '../../../data/events/reviews/match-reviews.ts';
import { reviewStatements } from '../../../data/events/reviews/record-reviews.ts';
import type { CameraRow } from '../../../data/events/sites/cameras.ts';
import { matchSetting } from '../../../data/events/sites/match-setting.ts';
import { sightingStatements } from '../../../data/events/timeline/timeline.ts';
import { listEntries, type TimelineEntry } from '../../../data/events/timeline/timeline-entries.ts';
import { qualityRejection } from '../../../domain/faces/face-quality.ts';
import { type MatchRule, matchRuleOf } from '../../../domain/faces/match-rule.ts';
import { numberedId } from '../../../domain/faces/numbered-id.ts';
import { recognizeFaces } from '../../../domain/faces/recognize-faces.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type DetectedFace, detectedFace } from '../../../protocol/events/detected-face.ts';
import type { FaceAnalysis } from '../../../protocol/inference/wire.ts';
import type { OpenCollection } from '../collections/open-collection.ts';
import { type SearchFailure, searchFaces } from '../faces/search-faces.ts';
import { decodeEmbedding } from '../inference/decode-embedding.ts';
import type { InferenceClient } from '../inference/inference-client.ts';
import type { InferenceFailure } from '../inference/inference-failure.ts';
import { tellSoon } from '../outgoing/tell-soon.ts';
import type { OpenCamera } from './open-camera.ts';

export interface Frame {
  /** Unix milliseconds. */
  readonly capturedAt: number;
  readonly image: Uint8Array<ArrayBuffer>;
}

/** Who a face is; the attendee null once they are none any more. */
interface FrameMatch {
  readonly attendee: { readonly id: string; readonly name: string } | null;
  readonly faceId: string;
  readonly similarity: number;
}

export interface FrameReport {
  readonly frameId: string;
  /** Whether the frame had been taken in before. */
  readonly isKnown: boolean;
  /** Whether it let somebody through a door, for whom nobody has looked at capacities yet. */
  readonly hasMoved: boolean;
  readonly faces: readonly {
    readonly face: DetectedFace;
    readonly match: FrameMatch | null;
    /** That somebody is to say who it is. */
    readonly isInReview: boolean;
  }[];
  /** Faces that passed the quality rules and that nobody registered has. */
  readonly unknown: number;
  /** Presences of the recognized people before this camera that the frame belongs to. */
  readonly entries: readonly TimelineEntry[];
}

/** Why a frame was not taken in; `gone` where the event was deleted. */
export type IngestFailure =
  | SearchFailure
  /** The event has the same picture of another time or camera. */
  | { readonly reason: 'replayed' }
  | { readonly reason: 'not_analyzed'; readonly failure: InferenceFailure };

/** Attendees, more than a face of an image can lose to others who resemble it more. */
const CANDIDATES_PER_FACE = 10;
const ENTRIES_MAX = 1_000;
const NO_REVIEWS: ReadonlyMap<number, DoubtfulMatch> = new Map();
const NOT_KEPT = 'faces in frames are matched and not stored';

/**
 * Takes a frame in: finds its faces, recognizes attendees among them, and writes frame and timeline in one batch. The same frame again,
 * or twice at once, is one frame and has one answer. Embeddings of a frame end with this call.
 */
export async function ingestFrame(
  env: Env,
  inference: InferenceClient,
  { camera, event, open, sentBy }: OpenCamera,
  { capturedAt, image }: Frame,
): Promise<Result<FrameReport, IngestFailure>> {
  const db = eventsDatabase(env.EVENTS_DB);
  const identity = { cameraId: camera.id, capturedAt, imageTag: await open.key.tag('image', image) };
  const known = await findFrame(db, identity);
  if (known !== null) return ok({ ...(await reportOf(env, camera, open, known)), isKnown: true, hasMoved: false });

  const picture = { eventId: camera.eventId, imageTag: identity.imageTag };
  if (await hasFrameImage(db, picture)) return err({ reason: 'replayed' });

  const analysis = await inference.faces(image, 'qualified');
  if (!analysis.ok) return err({ reason: 'not_analyzed', failure: analysis.error });
  const rule = matchRuleOf(analysis.value.model, [matchSetting(camera), matchSetting(event)]);
  const recognized = await recognize(env, open, analysis.value, rule);
  if (!recognized.ok) return recognized;
  const id = uuidv7();
  const imageId = frameImageId(identity);
  const path = imagePath(open.scope, 'frame', imageId);
  await putImage(env.EVENT_IMAGES, open.key, { path, kind: 'frame', id: imageId }, image);
  const row = {
    ...identity,
    id,
    tenant: camera.tenant,
    eventId: camera.eventId,
    roomId: camera.roomId,
    sentBy,
    objectKey: path,
    facesDetected: analysis.value.faces.length,
  };
  const outcome = await recordRecognized(db, { camera, open, faces: analysis.value.faces, row }, recognized.value);
  if (outcome.hasNews) await tellSoon(env);
  // Ours, or that of the same frame which came at the same time.
  const recorded = await findFrame(db, identity);
  if (recorded !== null) {
    const isKnown = recorded.id !== id;
    const hasMoved = !isKnown && outcome.matched > 0 && camera.type !== 'in-event';
    return ok({ ...(await reportOf(env, camera, open, recorded)), isKnown, hasMoved });
  }
  await deleteImages(env.EVENT_IMAGES, [path]);
  return err({ reason: (await hasFrameImage(db, picture)) ? 'replayed' : 'gone' });
}

interface FrameToRecord {
  readonly camera: CameraRow;
  readonly open: OpenCollection;
  readonly faces: FaceAnalysis['faces'];
  readonly row: Omit<FrameRow, 'matched' | 'unknown' | 'sealedResult' | 'receivedAt'>;
}

/** Of those who are erased while the frame is on its way, so many at the most are taken out of it one after the other. */
const RECORDED_ANEW_MAX = 10;

/** Writes the frame down with those whom it shows. Whoever is no attendee any more by then is nobody in it. */
async function recordRecognized(
  db: EventsDatabase,
  frame: FrameToRecord,
  recognized: Recognized,
): Promise<{ readonly hasNews: boolean; readonly matched: number }> {
  let shown = recognized;
  for (let times = 0; times < RECORDED_ANEW_MAX; times++) {
    const matched = shown.matches.size;
    const recorded = await recordOnce(db, frame, shown);
    if (recorded !== 'names_others') return { hasNews: recorded === 'has_news', matched };
    shown = await ofAttendees(db, frame, shown);
  }
  throw new Error('people of a frame are erased faster than it is written down');
}

/** What was recognized, without those who are no attendees any more: their faces are nobody's. */
async function ofAttendees(
  db: EventsDatabase,
  { camera, open }: FrameToRecord,
  { matches, reviews, qualified }: Recognized,
): Promise<Recognized> {
  const known = await attendeesKnownAs(db, open.key, camera.eventId, namedBy({ matches, reviews }));
  const isThere = ({ attendee_id: id }: FrameResultMatch) => known.has(id);
  return {
    matches: new Map([...matches].filter(([, match]) => isThere(match))),
    reviews: new Map([...reviews].filter(([, { match }]) => isThere(match))),
    qualified,
  };
}

function namedBy({ matches, reviews }: Pick<Recognized, 'matches' | 'reviews'>): string[] {
  const all = [...matches.values(), ...[...reviews.values()].map(({ match }) => match)];
  return [...new Set(all.map(({ attendee_id: id }) => id))];
}

async function recordOnce(
  db: EventsDatabase,
  { camera, open, faces, row }: FrameToRecord,
  shown: Recognized,
): ReturnType<typeof recordFrame> {
  const { qualified, matches, reviews } = shown;
  const { id, capturedAt } = row;
  const result: FrameResult = {
    faces: faces.map((face, at) => ({
      face: detectedFace(numberedId(id, at + 1), face, NOT_KEPT),
      match: matches.get(at) ?? null,
      ...(reviews.has(at) && { review: reviews.get(at)!.match }),
    })),
  };
  const sightings = await sightingStatements(
    open.key,
    camera,
    [...matches.values()].map(({ attendee_id, face_id, similarity }) => ({
      attendeeId: attendee_id,
      faceId: face_id,
      similarity,
      capturedAt,
      frameId: id,
    })),
  );
  const now = Date.now();
  const doubtful = [...reviews].map(([at, { match, runnerUp }]) => ({
    id: uuidv7(),
    candidate: { attendeeId: match.attendee_id, faceId: match.face_id, bbox: result.faces[at]!.face.bbox },
    similarity: match.similarity,
    runnerUp,
  }));
  const reviewIds = doubtful.map((face) => face.id);
  return recordFrame(
    db,
    {
      ...row,
      matched: matches.size,
      unknown: qualified - matches.size,
      sealedResult: await sealFrameResult(open.key, id, result),
      receivedAt: now,
    },
    namedBy(shown),
    [...sightings, ...(await reviewStatements(open.key, camera, { id, capturedAt }, doubtful))],
    doubtful.length === 0 ? [] : [reviewsOpened(camera, { id: uuidv7(), reviewIds, now })],
  );
}

interface DoubtfulMatch {
  readonly match: FrameResultMatch;
  readonly runnerUp: number | null;
}

interface Recognized {
  /** By index of the face. */
  readonly matches: ReadonlyMap<number, FrameResultMatch>;
  /** Faces that are left to people. */
  readonly reviews: ReadonlyMap<number, DoubtfulMatch>;
  /** Faces that passed the quality rules. */
  readonly qualified: number;
}

async function recognize(
  env: Env,
  open: OpenCollection,
  { faces, model }: FaceAnalysis,
  rule: MatchRule,
): Promise<Result<Recognized, SearchFailure>> {
  const queries = faces.flatMap(({ quality, embedding }, at) =>
    embedding === null || qualityRejection(quality) !== null
      ? []
      : [
          {
            at,
            embedding: decodeEmbedding(embedding, model),
            topK: CANDIDATES_PER_FACE,
            subjectsOnly: true,
            // With those who are too unlike to be reviewed, and yet too like for the next to be ahead of them.
            threshold: Math.max(rule.reviewFrom - rule.margin, -1),
          },
        ],
  );
  if (queries.length === 0) return ok({ matches: new Map(), reviews: NO_REVIEWS, qualified: 0 });
  const found = await searchFaces(env, open, model, queries);
  if (!found.ok) return found;
  const candidates = found.value.flatMap((matches, query) =>
    matches.flatMap(({ attendee, faceId, similarity }) =>
      attendee === null ? [] : [{ face: queries[query]?.at ?? 0, person: attendee.id, faceId, similarity }],
    ),
  );
  const { matches, reviews } = recognizeFaces(candidates, rule);
  return ok({
    matches: new Map([...matches].map(([face, { candidate }]) => [face, matchOf(candidate)])),
    reviews: new Map(
      oneOfEach(reviews).map(([face, { candidate, runnerUp }]) => [face, { match: matchOf(candidate), runnerUp }]),
    ),
    qualified: queries.length,
  });
}

/** A frame asks once about a candidate, by the face that is most like them: its picture shows the others too. */
function oneOfEach<T extends { readonly candidate: { readonly person: string; readonly similarity: number } }>(
  reviews: ReadonlyMap<number, T>,
): [number, T][] {
  const best = [...reviews].toSorted(([, a], [, b]) => b.candidate.similarity - a.candidate.similarity);
  return best.filter(
    ([, { candidate }], at) => best.findIndex(([, one]) => one.candidate.person === candidate.person) === at,
  );
}

function matchOf({
  person,
  faceId,
  similarity,
}: {
  readonly person: string;
  readonly faceId: string;
  readonly similarity: number;
}): FrameResultMatch {
  return { attendee_id: person, face_id: faceId, similarity };
}

async function reportOf(
  env: Env,
  camera: CameraRow,
  open: OpenCollection,
  row: FrameRow,
): Promise<Omit<FrameReport, 'isKnown' | 'hasMoved'>> {
  const db = eventsDatabase(env.EVENTS_DB);
  const { faces } = await openFrameResult(open.key, row.id, row.sealedResult);
  const ids = faces.flatMap(({ match, review }) => [match, review].flatMap((one) => one?.attendee_id ?? []));
  const [known, entries, reviews] = await Promise.all([
    attendeesKnownAs(db, open.key, row.eventId, ids),
    listEntries(db, open.key, {
      eventId: row.eventId,
      cameraId: camera.id,
      from: row.capturedAt,
      to: row.capturedAt,
      after: null,
      limit: ENTRIES_MAX,
    }),
    faces.some(({ review }) => review !== undefined) ? reviewsOfFrame(db, open.key, row) : [],
  ]);
  const seen = new Set([...known.values()].map(({ attendeeId }) => attendeeId));
  return {
    frameId: row.id,
    unknown: row.unknown,
    faces: faces.map(({ face, match, review }) => {
      const decided = review === undefined ? undefined : reviewOf(reviews, known.get(review.attendee_id));
      const shown = decided?.status === 'confirmed' ? review : match;
      const isInReview = decided?.status === 'pending';
      if (shown === null || shown === undefined) return { face, match: null, isInReview };
      const person = known.get(shown.attendee_id);
      const attendee = person === undefined ? null : { id: person.attendeeId, name: person.name };
      return { face, match: { attendee, faceId: shown.face_id, similarity: shown.similarity }, isInReview };
    }),
    entries: entries.filter(({ person }) => person !== null && seen.has(person.attendeeId)),
  };
}

function reviewOf(reviews: readonly MatchReview[], person: KnownAs | undefined): MatchReview | undefined {
  return person && reviews.find(({ candidate }) => candidate?.attendeeId === person.attendeeId);
}
