import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventsDatabase } from '../../../../data/events/database.ts';
import { frames, matchReviews } from '../../../../data/events/schema.ts';
import { sqlBatch } from '../../../../data/sql-batch.ts';
import { codeOf } from '../../fixtures/call.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { type Staff, staffOf, type Venue, venueOf } from './staff.ts';
import { faceOf, imageOf } from './test-image.ts';

interface Frame {
  readonly frame_id: string;
  readonly faces: readonly { readonly match: { readonly name: string } | null; readonly in_review: boolean }[];
  readonly unknown: number;
  readonly entries: readonly object[];
}

interface Review {
  readonly id: string;
  readonly status: string;
  readonly candidate: { readonly attendee_id: string; readonly name: string } | null;
  readonly similarity: number;
  readonly runner_up_similarity: number | null;
  readonly frame_id: string;
  readonly frames: number;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
}

/** About 0.83 like the person, which is between the thresholds of the event. */
const DOUBTFUL = { unlike: 0.4 };
const RULE = { match_threshold: 0.9, review_threshold: 0.6, match_margin: 0.05 };
const NOW = Date.now();

let staff: Staff;
let operator: Staff;
let venue: Venue;
let ana: string;

beforeAll(async () => {
  const db = await migrate();
  staff = await staffOf(db, 'org-reviews');
  operator = await staffOf(db, 'org-reviews', ['event_operator']);
});

beforeEach(async () => {
  venue = await venueOf(staff);
  ana = await register('ana');
  await ruleOf(`events/${venue.eventId}`, RULE);
});

async function register(name: string, face = faceOf(name)): Promise<string> {
  const { status, body } = await staff.send(`POST /register-attendee/${venue.eventId}`, {
    name,
    email: `${name}@example.com`,
    photo: imageOf({ faces: [face] }),
    consent: 'true',
    consent_text: 'I agree.',
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return (body as { id: string }).id;
}

const at = (seconds: number) => new Date(NOW - 600_000 + seconds * 1_000).toISOString();

async function ruleOf(what: string, json: object, expected = 200): Promise<object> {
  const { status, body } = await staff.ask(`PUT /${what}/match-rule`, { json });
  expect(status, JSON.stringify(body)).toBe(expected);
  return body as object;
}

async function sent(image: File, seconds = 0, camera = venue.cameraId): Promise<Frame> {
  const form = { image, captured_at: at(seconds) };
  const { status, body } = await staff.send(`POST /cameras/${camera}/frames`, form);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Frame;
}

const doubtful = (person = 'ana', unlike = DOUBTFUL.unlike) => imageOf({ faces: [faceOf(person, 0, { unlike })] });

async function reviews(status = 'pending'): Promise<readonly Review[]> {
  const { body } = await operator.ask(`GET /events/${venue.eventId}/reviews?status=${status}`);
  return (body as { reviews: readonly Review[] }).reviews;
}

async function theReview(): Promise<Review> {
  const [review, ...others] = await reviews();
  expect(others).toEqual([]);
  return review!;
}

const decide = (verb: 'confirm' | 'reject', { id }: Review, headers = {}) =>
  operator.ask(`POST /reviews/${id}/${verb}`, { json: {}, headers });

async function entries() {
  const { body } = await staff.ask(`GET /timeline?event_id=${venue.eventId}`);
  return (body as { entries: readonly Record<string, unknown>[] }).entries;
}

const events = () => eventsDatabase(env.EVENTS_DB);

async function countsOf({ frame_id }: Frame) {
  const [row] = await events().select().from(frames).where(eq(frames.id, frame_id));
  return { matched: row?.matched, unknown: row?.unknown };
}

describe('a face between the thresholds', () => {
  it('is unknown and makes no entry, and somebody is asked who it is', async () => {
    const frame = await sent(doubtful());
    expect(frame).toMatchObject({ unknown: 1, entries: [], faces: [{ match: null, in_review: true }] });
    expect(await entries()).toEqual([]);
    const review = await theReview();
    expect(review).toMatchObject({
      candidate: { attendee_id: ana, name: 'ana' },
      camera_id: venue.cameraId,
      room_id: venue.roomId,
      frame_id: frame.frame_id,
      frames: 1,
      first_seen_at: at(0),
    });
    expect(review.similarity).toBeGreaterThan(0.6);
    expect(review.similarity).toBeLessThan(0.9);
  });

  it('shows whoever decides the frame and the photograph that it resembles', async () => {
    const image = doubtful();
    await sent(image);
    const { id } = await theReview();
    const shown = await operator.ask(`GET /reviews/${id}/frame`);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect((await operator.ask(`GET /reviews/${id}/candidate`)).status).toBe(200);
  });

  it('above both is a match, below both is nobody, and neither is reviewed', async () => {
    expect(await sent(doubtful('ana', 0.1))).toMatchObject({ faces: [{ match: { name: 'ana' }, in_review: false }] });
    expect(await sent(doubtful('ana', 0.7))).toMatchObject({ unknown: 1, faces: [{ match: null, in_review: false }] });
    expect(await reviews()).toEqual([]);
  });

  it('is left to people where another attendee is nearly as like, however like it is', async () => {
    await register('twin', faceOf('ana', 0, { unlike: 0.02 }));
    expect(await sent(imageOf({ faces: [faceOf('ana')] }))).toMatchObject({ unknown: 1, faces: [{ match: null }] });
    const review = await theReview();
    expect(review.candidate?.name).toBe('ana');
    expect(review.similarity).toBeGreaterThan(0.99);
    expect(review.runner_up_similarity).toBeGreaterThan(0.95);
  });

  it('in further frames joins one review, which shows the best of them', async () => {
    await sent(doubtful('ana', 0.45), 0);
    const best = await sent(doubtful('ana', 0.35), 20);
    await sent(doubtful('ana', 0.45), 40);
    expect(await theReview()).toMatchObject({
      frames: 3,
      frame_id: best.frame_id,
      first_seen_at: at(0),
      last_seen_at: at(40),
    });
    await sent(doubtful(), 200);
    expect(await reviews()).toHaveLength(2);
  });

  it('sent twice, or several times at once, is in one review once', async () => {
    const image = doubtful();
    const answers = await Promise.all(Array.from({ length: 3 }, () => sent(image)));
    answers.push(await sent(image));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await theReview()).toMatchObject({ frames: 1 });
  });

  /** So many reviews wait beside that of a first frame. */
  async function othersWait(count: number, camera: string, candidate: 'others' | 'the same'): Promise<string> {
    await sent(doubtful());
    const { id } = await theReview();
    const tag = candidate === 'the same' ? sql`candidate_tag` : sql`'another' || n.value`;
    await sqlBatch(events(), [
      sql`
        INSERT INTO match_reviews (
          id, tenant, event_id, room_id, camera_id, status, candidate_tag, sealed_candidate, similarity, frame_id, frame_ids,
          first_seen_at, last_seen_at, created_at
        )
        SELECT
          match_reviews.id || n.value, tenant, event_id, room_id, ${camera}, status, ${tag}, sealed_candidate, similarity, frame_id, '[]',
          0, 0, 0
        FROM match_reviews, json_each(${JSON.stringify(Array.from({ length: count }, (_, n) => n))}) AS n WHERE match_reviews.id = ${id}`,
    ]);
    return id;
  }

  async function anotherCamera(): Promise<string> {
    const json = { room_id: venue.roomId, name: 'Side door', type: 'entry', source: 'rtsp://cameras.example/2' };
    const { body } = await staff.ask('POST /cameras', { json });
    return (body as { id: string }).id;
  }

  const IN_REVIEW = { unknown: 1, faces: [{ match: null, in_review: true }] };
  const LEFT_OUT = { unknown: 1, faces: [{ match: null, in_review: false }] };

  it('I-16: stays unknown without a review while a thousand wait in the event', async () => {
    const id = await othersWait(998, await anotherCamera(), 'others');
    expect(await sent(doubtful(), 100)).toMatchObject(IN_REVIEW);
    expect(await sent(doubtful(), 200)).toMatchObject(LEFT_OUT);
    expect((await theReviewOf(id)).frameIds).toHaveLength(1);
  });

  it('I-16: joins a review that waits, however many do', async () => {
    const id = await othersWait(999, venue.cameraId, 'others');
    expect(await sent(doubtful(), 20)).toMatchObject(IN_REVIEW);
    expect((await theReviewOf(id)).frameIds).toHaveLength(2);
  });

  it("I-16: stays unknown while 250 of its camera wait, and another camera's does not", async () => {
    await othersWait(248, venue.cameraId, 'others');
    expect(await sent(doubtful(), 100)).toMatchObject(IN_REVIEW);
    expect(await sent(doubtful(), 200)).toMatchObject(LEFT_OUT);
    expect(await sent(doubtful(), 300, await anotherCamera())).toMatchObject(IN_REVIEW);
  });

  it("I-16: stays unknown while 20 of its candidate wait, and another candidate's does not", async () => {
    await register('ben');
    await othersWait(18, await anotherCamera(), 'the same');
    expect(await sent(doubtful(), 100)).toMatchObject(IN_REVIEW);
    expect(await sent(doubtful(), 200)).toMatchObject(LEFT_OUT);
    expect(await sent(doubtful('ben'), 300)).toMatchObject(IN_REVIEW);
  });

  it('I-16: of several faces of one frame as many begin a review as there is room for', async () => {
    await register('ben');
    await othersWait(248, venue.cameraId, 'others');
    const both = imageOf({ faces: [faceOf('ana', 0, DOUBTFUL), faceOf('ben', 1, DOUBTFUL)] });
    const { faces, unknown } = await sent(both, 100);
    expect([unknown, faces.filter(({ in_review }) => in_review).length]).toEqual([2, 1]);
    expect(await withoutReview()).toEqual([1, 1]);
  });

  it('I-16: that finds no room for a review is counted once, where the event and its reviews are read', async () => {
    await othersWait(248, venue.cameraId, 'others');
    expect(await sent(doubtful(), 20)).toMatchObject(IN_REVIEW);
    expect(await sent(doubtful(), 100)).toMatchObject(IN_REVIEW);
    expect(await withoutReview()).toEqual([0, 0]);
    const image = doubtful();
    for (const _ of [1, 2]) expect(await sent(image, 200)).toMatchObject(LEFT_OUT);
    await sent(doubtful(), 300);
    expect(await withoutReview()).toEqual([2, 2]);
  });

  /** What the event says of faces that nobody was asked about, and what its list of reviews does. */
  async function withoutReview(): Promise<number[]> {
    const answers = [staff.ask(`GET /events/${venue.eventId}`), operator.ask(`GET /events/${venue.eventId}/reviews`)];
    return (await Promise.all(answers)).map(
      ({ body }) => (body as { faces_without_review: number }).faces_without_review,
    );
  }
});

async function theReviewOf(id: string) {
  const [row] = await events().select().from(matchReviews).where(eq(matchReviews.id, id));
  return row!;
}

describe('a review that is confirmed', () => {
  it('makes the entry that a match would have made, and one unknown face less', async () => {
    const image = doubtful();
    const first = await sent(image, 0);
    await sent(doubtful(), 20);
    const answer = await decide('confirm', await theReview());
    expect([answer.status, answer.body]).toMatchObject([200, { status: 'confirmed', decided_by: operator.userId }]);
    expect(await entries()).toMatchObject([
      {
        type: 'entered',
        attendee_id: ana,
        first_seen_at: at(0),
        last_seen_at: at(20),
        source: 'camera',
        frame_id: first.frame_id,
      },
    ]);
    expect(await countsOf(first)).toEqual({ matched: 1, unknown: 0 });
    expect(await sent(image, 0)).toMatchObject({ unknown: 0, faces: [{ match: { name: 'ana' }, in_review: false }] });
    expect(await reviews()).toEqual([]);
    expect(await reviews('confirmed')).toHaveLength(1);
  });

  it('joins the entry of a match next to it', async () => {
    await sent(imageOf({ faces: [faceOf('ana')] }), 0);
    await sent(doubtful(), 20);
    await decide('confirm', await theReview());
    expect(await entries()).toMatchObject([{ first_seen_at: at(0), last_seen_at: at(20) }]);
  });

  it('is decided once: another decision is CONFLICT, the same request again is not', async () => {
    await sent(doubtful());
    const review = await theReview();
    const key = { 'idempotency-key': crypto.randomUUID() };
    for (let time = 0; time < 2; time++) expect((await decide('confirm', review, key)).status).toBe(200);
    for (const verb of ['confirm', 'reject'] as const) expect(codeOf(await decide(verb, review))).toBe('CONFLICT');
    expect(await entries()).toHaveLength(1);
  });

  it('and rejected at once is one of the two', async () => {
    await sent(doubtful());
    const review = await theReview();
    const answers = await Promise.all([decide('confirm', review), decide('reject', review)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const isConfirmed = answers[0]?.status === 200;
    expect(await entries()).toHaveLength(isConfirmed ? 1 : 0);
    expect(await reviews(isConfirmed ? 'confirmed' : 'rejected')).toHaveLength(1);
  });

  it('stands in the trail of corrections, as a rejected one does', async () => {
    await sent(doubtful(), 0);
    const confirmed = await theReview();
    await decide('confirm', confirmed);
    await sent(doubtful(), 100);
    const rejected = await theReview();
    await operator.ask(`POST /reviews/${rejected.id}/reject`, { json: { reason: 'her sister' } });
    const { body } = await staff.ask(`GET /events/${venue.eventId}/corrections`);
    expect((body as { corrections: object[] }).corrections).toMatchObject([
      { kind: 'match_confirmed', reason: null, change: { review_id: confirmed.id, attendee_id: ana } },
      { kind: 'match_rejected', reason: 'her sister', change: { review_id: rejected.id, attendee_id: ana } },
    ]);
  });

  it('is of whom the candidate was merged into', async () => {
    const anna = await register('anna', faceOf('someone else'));
    await sent(doubtful());
    const merge = { into: anna, reason: 'registered twice' };
    expect((await staff.ask(`POST /attendees/${venue.eventId}/${ana}/merge`, { json: merge })).status).toBe(200);
    const review = await theReview();
    expect(review.candidate).toEqual({ attendee_id: anna, name: 'anna' });
    expect((await decide('confirm', review)).status).toBe(200);
    expect(await entries()).toMatchObject([{ attendee_id: anna }]);
  });
});

describe('a review that is rejected', () => {
  it('leaves the face unknown, and the timeline without it', async () => {
    const image = doubtful();
    const frame = await sent(image);
    expect((await decide('reject', await theReview())).body).toMatchObject({ status: 'rejected' });
    expect(await entries()).toEqual([]);
    expect(await countsOf(frame)).toEqual({ matched: 0, unknown: 1 });
    expect(await sent(image)).toMatchObject({ unknown: 1, faces: [{ match: null, in_review: false }] });
  });
});

describe('erasing an attendee', () => {
  it.each(['pending', 'confirmed', 'rejected'])(
    'takes %s reviews of them, and the images of their frames',
    async (status) => {
      const image = doubtful();
      const frame = await sent(image);
      const review = await theReview();
      if (status !== 'pending') await decide(status === 'confirmed' ? 'confirm' : 'reject', review);
      const exported = await staff.ask(`GET /attendees/${venue.eventId}/${ana}/export`);
      expect(exported.body).toMatchObject({ frames: [{ id: frame.frame_id }] });
      expect((await staff.ask(`DELETE /attendees/${venue.eventId}/${ana}`)).status).toBe(202);
      const second = await staffOf(await migrate(), staff.owner);
      expect((await second.ask(`DELETE /attendees/${venue.eventId}/${ana}`)).status).toBe(204);
      expect(await events().select().from(matchReviews).where(eq(matchReviews.eventId, venue.eventId))).toEqual([]);
      const [row] = await events().select().from(frames).where(eq(frames.id, frame.frame_id));
      expect(await env.EVENT_IMAGES.head(row!.objectKey)).toBeNull();
      expect(await sent(image)).toMatchObject({ faces: [{ match: null, in_review: false }] });
      expect(codeOf(await decide('confirm', review))).toBe('NOT_FOUND');
    },
  );
});

describe('PUT …/match-rule', () => {
  it('of a camera goes before that of its event, part by part', async () => {
    await ruleOf(`cameras/${venue.cameraId}`, { match_threshold: 0.7, review_threshold: null, match_margin: null });
    expect(await sent(doubtful())).toMatchObject({ faces: [{ match: { name: 'ana' } }] });
    const { body } = await staff.ask(`GET /cameras/${venue.cameraId}`);
    expect(body).toMatchObject({ match_rule: { match_threshold: 0.7, review_threshold: null, match_margin: null } });
    expect((await staff.ask(`GET /events/${venue.eventId}`)).body).toMatchObject({ match_rule: RULE });
  });

  it('of an event holds for searches of its collection that name no threshold', async () => {
    const matches = async (terms: object) => {
      const query = { image: doubtful(), collection: venue.eventId, ...terms };
      return ((await staff.send('POST /v1/search', query)).body as { matches: object[] }).matches.length;
    };
    expect([await matches({}), await matches({ threshold: '0.5' })]).toEqual([0, 1]);
    await ruleOf(`events/${venue.eventId}`, { match_threshold: null, review_threshold: null, match_margin: null });
    expect(await matches({})).toBe(1);
  });

  it('tells a search whether two attendees are nearly as like, also where the second is no match', async () => {
    const search = async (terms: object = {}) => {
      const query = { image: imageOf({ faces: [faceOf('ana')] }), collection: venue.eventId, ...terms };
      return (await staff.send('POST /v1/search', query)).body as { ambiguous: boolean; matches: object[] };
    };
    expect(await search()).toMatchObject({ ambiguous: false, matches: [{}] });
    await register('twin', faceOf('ana', 0, { unlike: 0.1 }));
    expect(await search()).toMatchObject({ ambiguous: true });
    expect((await search({ top_k: '1' })).matches).toHaveLength(1);
    expect(await search({ top_k: '1', threshold: '0.999' })).toMatchObject({ ambiguous: true, matches: [{}] });
    await ruleOf(`events/${venue.eventId}`, { ...RULE, match_margin: 0, reason: 'twins' });
    expect(await search()).toMatchObject({ ambiguous: false });
  });

  it.each([
    ['a review above the match', { ...RULE, review_threshold: 0.95 }],
    ['what is no cosine', { ...RULE, match_threshold: 1.1 }],
    ['a rule without a part', { match_threshold: 0.7 }],
    ['unknown fields', { ...RULE, threshold: 0.7 }],
  ])('refuses %s', async (_, rule) => {
    for (const what of [`events/${venue.eventId}`, `cameras/${venue.cameraId}`])
      expect(codeOf(await staff.ask(`PUT /${what}/match-rule`, { json: rule }))).toBe('VALIDATION_ERROR');
    expect((await staff.ask(`GET /events/${venue.eventId}`)).body).toMatchObject({ match_rule: RULE });
  });

  it('is 404 for what is not there', async () => {
    for (const what of ['events', 'cameras']) await ruleOf(`${what}/${uuidv7()}`, RULE, 404);
  });
});
