import { sql } from 'drizzle-orm';
import { blob, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { CAMERA_TYPES, TIMELINE_TYPES } from '../../domain/events/camera-type.ts';
import { CORRECTION_KINDS } from '../../domain/events/correction-kind.ts';
import { ENHANCEMENT_STATUSES, FACE_RESTORATIONS } from '../../domain/events/enhancement.ts';
import { INVITE_STATUSES } from '../../domain/events/invite-status.ts';
import type { EventRole, Permission } from '../../domain/events/permissions.ts';
import { REVIEW_STATUSES } from '../../domain/events/review-status.ts';
import { STAFF_ACTS } from '../../domain/events/staff-act.ts';
import { QUOTA_RESOURCES, QUOTA_WINDOWS } from '../../domain/events/tenant-quotas.ts';
import type { Box, FaceQuality } from '../../domain/faces/face-quality.ts';
import { TENANT_EVENTS } from '../../domain/webhooks/webhook-event.ts';

/**
 * D1 database `events` (binding EVENTS_DB). Times are Unix milliseconds. Every row names its tenant, and every query asks for it; what
 * follows from other rows (`room_movements`, `room_spans`) is found by its event.
 *
 * Whatever says who somebody is, is sealed under the event's key (`ScopeKey`, keys/scope-key.ts) in a `sealed_…` blob, so that
 * destroying the key destroys it in every copy and backup. A `…_tag` is a keyed hash (`ScopeKey.tag`): equal for equal values under
 * one key, meaningless without it. Attendee ids in the clear are random and stand beside no name.
 */

export const events = sqliteTable(
  'events',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    name: text().notNull(),
    description: text().notNull(),
    /** First and last instant. */
    date: integer().notNull(),
    endDate: integer().notNull(),
    /** Both in the client's own words; no end when it gave none. */
    dateGiven: text().notNull().default(''),
    endDateGiven: text(),
    createdBy: text().notNull(),
    createdAt: integer().notNull(),
    /** Soft delete (E-SVC-08). */
    deletedAt: integer(),
    /** User id. Whoever ends its retention early is somebody else. */
    deletedBy: text(),
    /** Whether a machine did, by a token of client credentials: then a person deletes it as well before another ends its retention. */
    deletedByMachine: integer({ mode: 'boolean' }).notNull().default(false),
    /** When its key is to be destroyed: deletedAt plus the retention period of then. */
    shredAt: integer(),
    /** The key is gone; what it sealed may still lie about, unreadable, until `shreddedAt`. */
    keyDestroyedAt: integer(),
    shreddedAt: integer(),
    /** Of its rule for matches, what it says itself (`MatchRuleSetting`); the rest is left to what stands above it. */
    matchFrom: real(),
    reviewFrom: real(),
    matchMargin: real(),
    /** What its attendees have agreed to where they signed up, stated by `createdBy`; null where each registration says so. */
    consentText: text(),
    /** Faces of its frames that are like an attendee, but doubtful, and that nobody was asked about, since too many reviews waited. */
    facesWithoutReview: integer().notNull().default(0),
    /** Until then somebody looks at the capacities of its rooms, at most; whoever changes a movement meanwhile leaves that to them. */
    capacityLookUntil: integer().notNull().default(0),
  },
  (t) => [index('events_tenant').on(t.tenant, t.date), index('events_shred').on(t.shredAt)],
);

export const rooms = sqliteTable(
  'rooms',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    name: text().notNull(),
    capacity: integer(),
    createdAt: integer().notNull(),
  },
  (t) => [index('rooms_event').on(t.eventId)],
);

export const cameras = sqliteTable(
  'cameras',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    roomId: text()
      .notNull()
      .references(() => rooms.id),
    name: text().notNull(),
    type: text({ enum: CAMERA_TYPES }).notNull(),
    /** Empty since addresses are sealed: they may carry passwords. */
    source: text().notNull(),
    sealedSource: blob({ mode: 'buffer' }),
    createdAt: integer().notNull(),
    /** Of its rule for matches, what it says itself (`MatchRuleSetting`); the rest is left to what stands above it. */
    matchFrom: real(),
    reviewFrom: real(),
    matchMargin: real(),
    /** Of its frames: a trigger counts them. */
    unknownFaces: integer().notNull().default(0),
  },
  (t) => [index('cameras_room').on(t.roomId), index('cameras_event').on(t.eventId)],
);

/** Which users without the right to see attendees, such as a camera's agent, may send frames as which camera. */
export const cameraCredentials = sqliteTable(
  'camera_credentials',
  {
    cameraId: text()
      .notNull()
      .references(() => cameras.id),
    userId: text().notNull(),
    tenant: text().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    boundBy: text().notNull(),
    createdAt: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.cameraId, t.userId] }), index('camera_credentials_event').on(t.eventId)],
);

export const attendees = sqliteTable(
  'attendees',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    /** JSON {name, email, consent_text}. */
    sealedProfile: blob({ mode: 'buffer' }).notNull(),
    emailTag: text().notNull(),
    /** Whether the tag is that of the address's fold (`sameEmail`): 0 for attendees of before, until the hourly job has come to them. */
    emailFold: integer({ mode: 'boolean' }).notNull().default(false),
    /** Consent as recorded with the registration: when, and by whom it was taken. To which text is sealed with the profile. */
    consentAt: integer().notNull(),
    consentBy: text().notNull(),
    /** Of attendees who registered before it was sealed; empty of others. */
    consentText: text().notNull(),
    createdAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('attendees_email').on(t.eventId, t.emailTag),
    index('attendees_unfolded').on(t.id).where(sql`${t.emailFold} = 0`),
  ],
);

/** Attendees who were merged into another: whoever is recognized as `id` is `attendeeId`. Never a chain. */
export const attendeeAliases = sqliteTable(
  'attendee_aliases',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    attendeeId: text().notNull(),
    /** ScopeKey.tag('attendee', attendeeId). */
    attendeeTag: text().notNull(),
  },
  (t) => [index('attendee_aliases_event').on(t.eventId, t.attendeeId)],
);

/** Attendees who are to be erased, until nothing is held on them. The row goes last. */
export const erasures = sqliteTable(
  'erasures',
  {
    attendeeId: text().primaryKey(),
    tenant: text().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    /** User id. */
    requestedBy: text().notNull(),
    /** Whether a machine asked, by a token of client credentials: then a person asks as well before another ends the wait. */
    byMachine: integer({ mode: 'boolean' }).notNull().default(false),
    requestedAt: integer().notNull(),
    /** Until then it can be taken back. */
    eraseAt: integer().notNull(),
  },
  (t) => [index('erasures_event').on(t.eventId, t.attendeeId), index('erasures_due').on(t.eraseAt)],
);

export const invites = sqliteTable(
  'invites',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    attendeeId: text().notNull(),
    status: text({ enum: INVITE_STATUSES }).notNull(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [uniqueIndex('invites_attendee').on(t.eventId, t.attendeeId)],
);

/** A set of faces that is searched together; an event's own has the event's id as its name. */
export const collections = sqliteTable(
  'collections',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    name: text().notNull(),
    eventId: text(),
    /** Gallery objects that its faces are spread over; only grows. */
    shards: integer().notNull().default(1),
    createdAt: integer().notNull(),
    /** When the job that embeds its faces by another model last did a step; null when there is none. */
    reembeddingAt: integer(),
    /** Since when it waits to be embedded again: a tenant has few at once. Null when it does not. */
    reembedAskedAt: integer(),
    /** Of one that somebody deleted: its name, by whom (user id), and when its key is to be destroyed. */
    deletedName: text(),
    deletedBy: text(),
    shredAt: integer(),
  },
  (t) => [uniqueIndex('collections_name').on(t.tenant, t.name), index('collections_event').on(t.eventId)],
);

/** Photographs that faces were taken from, sealed in R2, for embedding again when the model changes. */
export const photos = sqliteTable(
  'photos',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    collectionId: text()
      .notNull()
      .references(() => collections.id),
    /** ScopeKey.tag('attendee', …) of whom it was registered for; null for an upload by POST /v1/faces. */
    attendeeTag: text(),
    objectKey: text().notNull(),
    byteLength: integer().notNull(),
    createdAt: integer().notNull(),
    /**
     * When image and vectors were all in place: its faces are seen from then on. Null while they are being stored, −1 while what was
     * stored of it is being taken back.
     */
    storedAt: integer(),
  },
  (t) => [
    index('photos_collection').on(t.collectionId, t.attendeeTag),
    index('photos_unstored').on(t.createdAt).where(sql`coalesce(stored_at, -1) < 0`),
  ],
);

/** Stored faces. The vector itself lies in the gallery object `shard`, sealed. */
export const faces = sqliteTable(
  'faces',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    collectionId: text()
      .notNull()
      .references(() => collections.id),
    photoId: text()
      .notNull()
      .references(() => photos.id),
    shard: integer().notNull(),
    attendeeTag: text(),
    bbox: text({ mode: 'json' }).$type<Box>().notNull(),
    quality: text({ mode: 'json' }).$type<FaceQuality>().notNull(),
    confidence: real().notNull(),
    modelName: text().notNull(),
    modelVersion: text().notNull(),
    /** The model (`modelTag`) that was to embed it again and did not find it; the face keeps the vector that it has. */
    passedOverBy: text(),
    createdAt: integer().notNull(),
  },
  (t) => [
    index('faces_collection').on(t.collectionId, t.attendeeTag),
    index('faces_photo').on(t.photoId),
    index('faces_model').on(t.collectionId, t.modelName, t.modelVersion, t.passedOverBy),
  ],
);

/** Frames that cameras sent, each once; the image lies sealed in R2. */
export const frames = sqliteTable(
  'frames',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    roomId: text().notNull(),
    cameraId: text()
      .notNull()
      .references(() => cameras.id),
    /** User who sent it first; null for one from before that was written down. */
    sentBy: text(),
    capturedAt: integer().notNull(),
    /** Keyed hash of the image, so that the same frame sent twice is one. */
    imageTag: text().notNull(),
    objectKey: text().notNull(),
    facesDetected: integer().notNull(),
    matched: integer().notNull(),
    /** Faces that passed the quality rules and that nobody registered has. */
    unknown: integer().notNull(),
    /** JSON of the answer to the camera. */
    sealedResult: blob({ mode: 'buffer' }).notNull(),
    receivedAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('frames_once').on(t.cameraId, t.capturedAt, t.imageTag),
    index('frames_room').on(t.roomId, t.capturedAt),
    index('frames_event').on(t.eventId),
  ],
);

/** Pictures of frames, each once in an event: the same one at another time or camera is a replay. */
export const framePictures = sqliteTable(
  'frame_pictures',
  {
    eventId: text()
      .notNull()
      .references(() => events.id),
    /** That of the frame. */
    imageTag: text().notNull(),
    tenant: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.eventId, t.imageTag] })],
);

/** Presence of a person before a camera, from the first to the last frame that saw them without a gap as long as the window. */
export const timeline = sqliteTable(
  'timeline',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    roomId: text().notNull(),
    /** Null for an entry that an operator made by hand. */
    cameraId: text(),
    type: text({ enum: TIMELINE_TYPES }).notNull(),
    attendeeTag: text().notNull(),
    /** JSON {attendee_id, face_id}: the face that matched when the entry was made. Empty once the person was erased. */
    sealedIdentity: blob({ mode: 'buffer' }).notNull(),
    firstSeenAt: integer().notNull(),
    lastSeenAt: integer().notNull(),
    /** The highest of its sightings, −1..1; null for an entry made by hand. */
    similarity: real(),
    /** Frame of the first sighting. */
    frameId: text(),
    createdAt: integer().notNull(),
    /** Taken back by an operator ("not this person"); counts no more. */
    voidedAt: integer(),
    /** A sighting of it came later than frames do (`LATE_MS`), so that its time is the camera's word alone. */
    late: integer({ mode: 'boolean' }).notNull().default(false),
    /** That `room_movements` has what follows from it; triggers take it back where it, or another one of its person and room, changes. */
    judged: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    index('timeline_room').on(t.roomId, t.firstSeenAt),
    index('timeline_event').on(t.eventId, t.firstSeenAt),
    index('timeline_person').on(t.cameraId, t.attendeeTag, t.firstSeenAt),
    /** Triggers ask for the entries at doors of one person in one room. */
    index('timeline_room_door').on(t.roomId, t.attendeeTag).where(sql`${t.type} <> 'present'`),
    index('timeline_room_person').on(t.roomId, t.attendeeTag, t.firstSeenAt),
    index('timeline_room_person_last').on(t.roomId, t.attendeeTag, t.lastSeenAt),
    index('timeline_unjudged')
      .on(t.eventId, t.roomId, t.attendeeTag)
      .where(sql`${t.judged} = 0 and ${t.type} <> 'present'`),
  ],
);

/**
 * Movements that follow from the timeline, judged (docs/design/timeline.md#movements-and-spans). They name an entry and nobody: whoever it is of
 * stands there alone.
 */
export const roomMovements = sqliteTable(
  'room_movements',
  {
    entryId: text().notNull(),
    implied: integer({ mode: 'boolean' }).notNull(),
    at: integer().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    roomId: text().notNull(),
    type: text({ enum: ['entered', 'exited'] }).notNull(),
    effective: integer({ mode: 'boolean' }).notNull(),
    /** Before, during or after the event, and which leaf of that phase: `room_spans` of level 0. */
    phase: integer().notNull(),
    leaf: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.entryId, t.implied, t.at] }),
    index('room_movements_leaf').on(t.roomId, t.phase, t.leaf),
    index('room_movements_event').on(t.eventId),
  ],
);

/** What the movements of a room came to in a span of time: leaves of a minute, and spans of 64 of the level below. A trigger makes a leaf stale. */
export const roomSpans = sqliteTable(
  'room_spans',
  {
    roomId: text().notNull(),
    phase: integer().notNull(),
    level: integer().notNull(),
    span: integer().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    stale: integer({ mode: 'boolean' }).notNull().default(true),
    entries: integer().notNull().default(0),
    exits: integer().notNull().default(0),
    repeatedEntries: integer().notNull().default(0),
    repeatedExits: integer().notNull().default(0),
    /** The most people more than before it that there were in it, since when, and the fewest; null where no movement counts. */
    high: integer(),
    highAt: integer(),
    low: integer(),
    /** Its first movement that counts, and its last of any kind. */
    changesAt: integer(),
    endsAt: integer().notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.roomId, t.phase, t.level, t.span] }),
    index('room_spans_event').on(t.eventId, t.level),
    index('room_spans_stale').on(t.eventId, t.level).where(sql`${t.stale} = 1`),
  ],
);

/**
 * Faces that may be an attendee, for somebody to decide: what one camera saw of the candidate without a gap as long as the window, in at
 * most so many frames.
 */
export const matchReviews = sqliteTable(
  'match_reviews',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    roomId: text().notNull(),
    cameraId: text()
      .notNull()
      .references(() => cameras.id),
    status: text({ enum: REVIEW_STATUSES }).notNull(),
    /** ScopeKey.tag('attendee', …). */
    candidateTag: text().notNull(),
    /** JSON {attendee_id, face_id, bbox} of the frame in which the face is most like the candidate. */
    sealedCandidate: blob({ mode: 'buffer' }).notNull(),
    similarity: real().notNull(),
    /** How like the next person it is there, as far as that was looked at. */
    runnerUp: real(),
    /** That frame. */
    frameId: text().notNull(),
    /** All frames. */
    frameIds: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    firstSeenAt: integer().notNull(),
    lastSeenAt: integer().notNull(),
    createdAt: integer().notNull(),
    decidedBy: text(),
    decidedAt: integer(),
  },
  (t) => [
    index('match_reviews_event').on(t.eventId, t.status, t.id),
    index('match_reviews_camera').on(t.cameraId, t.candidateTag, t.lastSeenAt),
    index('match_reviews_candidate').on(t.eventId, t.candidateTag),
  ],
);

/** Audit trail of what operators corrected. */
export const corrections = sqliteTable(
  'corrections',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    kind: text({ enum: CORRECTION_KINDS }).notNull(),
    actor: text().notNull(),
    /** JSON of the reason, which may name somebody, and of what it changed: entry ids, and the identities before and after. */
    sealedChange: blob({ mode: 'buffer' }).notNull(),
    createdAt: integer().notNull(),
  },
  (t) => [index('corrections_event').on(t.eventId, t.createdAt)],
);

/**
 * What staff did with people's data, and what they looked at. It outlives its event, so it refers to no row, and names nobody: an attendee's id is
 * taken out when they are erased and when their event is shredded.
 */
export const staffTrail = sqliteTable(
  'staff_trail',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    eventId: text(),
    act: text({ enum: STAFF_ACTS }).notNull(),
    /** User id. */
    actor: text().notNull(),
    attendeeId: text(),
    /** ScopeKey.tag('attendee', …) of whose the object is, where the request names the object alone. */
    attendeeTag: text(),
    /**
     * Id or name of what else it was done to: a photo, a face, a review, an entry, an invite, a camera, a collection. Ids of photos and faces follow from
     * their attendee's, so it goes with them.
     */
    object: text(),
    /** Under the event's key: it may name somebody. */
    sealedReason: blob({ mode: 'buffer' }),
    createdAt: integer().notNull(),
    /** HTTP status of the answer; null where the request was cut off, and may have had its effect. */
    status: integer(),
  },
  (t) => [
    index('staff_trail_tenant').on(t.tenant, t.id),
    index('staff_trail_event').on(t.eventId, t.id),
    index('staff_trail_attendee').on(t.eventId, t.attendeeId),
    index('staff_trail_tag').on(t.eventId, t.attendeeTag),
    index('staff_trail_object').on(t.tenant, t.object),
  ],
);

/**
 * What a tenant is told of (docs/design/webhooks.md#events-of-tenants): ids, counts and times, and nothing of anybody. A row collects what happens at one
 * camera or room until it is closed; from then on it does not change, so that it is told as the same message however often.
 */
export const outgoingEvents = sqliteTable(
  'outgoing_events',
  {
    /** UUIDv7; the event's id for whoever receives it. */
    id: text().primaryKey(),
    tenant: text().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    type: text({ enum: TENANT_EVENTS }).notNull(),
    /** Id of the camera, or of the room. */
    subject: text().notNull(),
    /** JSON: the message without its head. */
    facts: text().notNull(),
    createdAt: integer().notNull(),
    /** It is closed then, and not before: so one camera, or room, is told of once in a while at most. */
    dueAt: integer().notNull(),
    closedAt: integer(),
    toldAt: integer(),
  },
  (t) => [
    uniqueIndex('outgoing_events_open').on(t.subject, t.type).where(sql`closed_at IS NULL`),
    index('outgoing_events_due').on(t.dueAt).where(sql`closed_at IS NULL`),
    index('outgoing_events_closed').on(t.closedAt).where(sql`closed_at IS NOT NULL AND told_at IS NULL`),
    index('outgoing_events_told').on(t.closedAt).where(sql`told_at IS NOT NULL`),
    index('outgoing_events_subject').on(t.subject, t.type, t.closedAt),
    index('outgoing_events_event').on(t.eventId),
  ],
);

/** Rooms with a capacity in which somebody moved, and what was told of them last. */
export const roomWatches = sqliteTable(
  'room_watches',
  {
    roomId: text()
      .primaryKey()
      .references(() => rooms.id),
    tenant: text().notNull(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    /** When its occupancy is held against its capacity: 0 where its movements have changed since, null where nothing comes by itself. */
    lookAt: integer(),
    /** How often its movements have changed: whoever has looked before does not say that it was looked at since. */
    changes: integer().notNull().default(1),
    /** The alert that was told last; null where none was, or it was withdrawn. */
    toldStartedAt: integer(),
    toldIsOver: integer({ mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    index('room_watches_due').on(t.lookAt).where(sql`look_at IS NOT NULL`),
    index('room_watches_event').on(t.eventId, t.lookAt),
  ],
);

export const enhancementJobs = sqliteTable(
  'enhancement_jobs',
  {
    id: text().primaryKey(),
    tenant: text().notNull(),
    createdBy: text().notNull(),
    status: text({ enum: ENHANCEMENT_STATUSES }).notNull(),
    /** 0..1. */
    progress: real().notNull().default(0),
    fidelity: real().notNull(),
    upscale: integer().notNull(),
    sourceKey: text().notNull(),
    /** Of the image as it was sent. */
    byteLength: integer().notNull().default(0),
    /**
     * Jobs are worked on by their turns, the lowest first. The jobs of a tenant have turns one apart, from the one on that is worked on when the first
     * comes. Null until the image is stored.
     */
    turn: integer(),
    resultKey: text(),
    originalWidth: integer(),
    originalHeight: integer(),
    enhancedWidth: integer(),
    enhancedHeight: integer(),
    faceRestoration: text({ enum: FACE_RESTORATIONS }),
    attempts: integer().notNull().default(0),
    /** Until then the attempt that began last has it; of a job that was given back, how long it waits. Any consumer takes it after that. */
    leaseUntil: integer().notNull().default(0),
    errorCode: text(),
    errorMessage: text(),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
    /** Image and result are deleted after this. */
    expiresAt: integer().notNull(),
  },
  (t) => [
    index('enhancement_jobs_tenant').on(t.tenant, t.createdAt),
    index('enhancement_jobs_expiry').on(t.expiresAt),
    index('enhancement_jobs_turn').on(t.turn, t.id).where(sql`status IN ('queued', 'processing')`),
    index('enhancement_jobs_waiting').on(t.tenant, t.turn, t.byteLength).where(sql`status IN ('queued', 'processing')`),
    index('enhancement_jobs_attempted').on(t.updatedAt).where(sql`attempts > 0`),
  ],
);

/** What a tenant has used of its quotas, in the window in which it last used any. */
export const tenantUsage = sqliteTable(
  'tenant_usage',
  {
    tenant: text().notNull(),
    resource: text({ enum: QUOTA_RESOURCES }).notNull(),
    window: text({ enum: QUOTA_WINDOWS }).notNull(),
    /** When that window began. */
    startsAt: integer().notNull(),
    amount: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenant, t.resource, t.window] })],
);

/** Tenants that asked to leave. From `leaveAt` on their key is destroyed, and what it sealed is deleted until `finishedAt`. */
export const departures = sqliteTable('departures', {
  tenant: text().primaryKey(),
  requestedBy: text().notNull(),
  requestedAt: integer().notNull(),
  /** Until then it can be stopped. */
  leaveAt: integer().notNull().default(0),
  stoppedAt: integer(),
  /** User id: of somebody of the tenant, or of an operator of the venue. */
  stoppedBy: text(),
  /** When the destruction of the key began. What is made later is no part of it. */
  leavingAt: integer(),
  /** The tenant's key is gone; one made after it belongs to a tenant that has come back. */
  keyDestroyedAt: integer(),
  finishedAt: integer(),
});

/** RBAC as data: the migration fills these from domain/events/permissions.ts; a test holds the two equal. */
export const permissions = sqliteTable('permissions', {
  name: text().$type<Permission>().primaryKey(),
  description: text().notNull(),
});
export const roles = sqliteTable('roles', {
  name: text().$type<EventRole>().primaryKey(),
  description: text().notNull(),
});
export const rolePermissions = sqliteTable(
  'role_permissions',
  {
    role: text()
      .$type<EventRole>()
      .notNull()
      .references(() => roles.name),
    permission: text()
      .$type<Permission>()
      .notNull()
      .references(() => permissions.name),
  },
  (t) => [primaryKey({ columns: [t.role, t.permission] })],
);
