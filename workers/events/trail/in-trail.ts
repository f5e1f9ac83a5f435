import { uuidv7 } from 'uuidv7';
import { namesEvent } from '../../../application/events/collections/names-event.ts';
import { takeQuota } from '../../../application/events/quotas/take-quota.ts';
import { sealStaffReason } from '../../../application/events/trail/staff-trail.ts';
import { sha256Hex } from '../../../application/identity/sha256-hex.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { findCollection } from '../../../data/events/images/collections.ts';
import { findFace } from '../../../data/events/images/faces.ts';
import { findReview } from '../../../data/events/reviews/match-reviews.ts';
import { findCamera } from '../../../data/events/sites/cameras.ts';
import { findEntry } from '../../../data/events/timeline/timeline-entries.ts';
import { beginStaffEntry, dropStaffEntry, endStaffEntry } from '../../../data/events/trail/staff-trail.ts';
import type { StaffAct } from '../../../domain/events/staff-act.ts';
import { ownId } from '../../../domain/identity/own-id.ts';
import { type AppContext, principalOf } from '../../middleware/app-env.ts';
import type { Around } from '../../middleware/registered-route.ts';
import { answerRefusal } from '../answer-refusal.ts';
import { tenancyOf } from '../tenancy.ts';
import { ACT_OF_ROUTE } from './staff-acts.ts';

/** Nobody who fills the trail keeps others from taking back what was done. */
const TAKES_BACK: ReadonlySet<StaffAct> = new Set([
  'departure_stopped',
  'camera_unbound',
  'event_restored',
  'attendee_kept',
  'collection_restored',
]);

/**
 * Writes what staff do into their trail: before it is done, so that nothing is done or shown that nobody can see, and afterwards what came of it.
 * A request that is refused leaves no entry.
 */
export const inTrail: Around = ({ method, path }, handler) => {
  const act = ACT_OF_ROUTE[`${method} ${path}`];
  if (act === undefined) throw new Error(`say in staff-acts.ts whether ${method} ${path} changes or shows a person`);
  if (act === null) return handler;
  return async (c) => {
    const db = eventsDatabase(c.env.EVENTS_DB);
    const about = await aboutOf(c, path, act);
    const { tenant } = tenancyOf(c);
    const { userId } = principalOf(c);
    const counted = TAKES_BACK.has(act) ? null : await takeQuota(c.env, tenant, { trail_entries: 1 }, userId);
    if (counted?.ok === false) return answerRefusal(c, counted.error);
    const entry = {
      id: await entryIdOf(c.get('resourceId')),
      tenant,
      actor: userId,
      createdAt: Date.now(),
      ...about,
    };
    const isFirstTry = await beginStaffEntry(db, entry);
    const answer = await handler(c);
    if (answer.status >= 500) return answer;
    if (answer.status >= 400) {
      // A try before this one may have had its effect.
      if (isFirstTry) await dropStaffEntry(db, entry.id);
      return answer;
    }
    const reason =
      act === 'event_match_rule_set' || act === 'camera_match_rule_set' ? textOf(sentOf(c, 'json').reason) : null;
    const sealedReason = reason === null ? null : await sealStaffReason(c.env, entry, reason);
    await endStaffEntry(db, entry.id, { status: answer.status, sealedReason });
    return answer;
  };
};

/**
 * The same for every repetition of a request. Made of the id of what the request creates, and not that id itself: it may be an attendee's, who may be
 * erased.
 */
async function entryIdOf(resourceId: string | undefined): Promise<string> {
  if (resourceId === undefined) return uuidv7();
  const hash = await sha256Hex(`staff trail ${resourceId}`);
  const time = resourceId.slice(0, '00000000-0000-'.length);
  return `${time}7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

interface About {
  readonly act: StaffAct;
  readonly eventId: string | null;
  readonly attendeeId: string | null;
  readonly attendeeTag: string | null;
  readonly object: string | null;
}

/** To what and to whom it is done, as the request names them. */
async function aboutOf(c: AppContext, path: string, act: StaffAct): Promise<About> {
  const param = (name: string) => paramOf(c, name) ?? null;
  const json = sentOf(c, 'json');
  const form = sentOf(c, 'form');
  const [, first] = path.split('/');
  const about = { act, eventId: null, attendeeId: null, attendeeTag: null, object: null };
  switch (first) {
    case 'events':
      return {
        ...about,
        eventId: param('id'),
        attendeeId: textOf(json.attendee_id),
        object: textOf(json.invite_id),
      };
    case 'attendees':
      return {
        ...about,
        eventId: param('event_id'),
        // Who is merged is no attendee afterwards.
        attendeeId: textOf(json.into) ?? param('attendee_id'),
        object: param('photo_id'),
      };
    case 'register-attendee': {
      const added = textOf(form.attendee_id);
      const eventId = param('event_id');
      return added === null
        ? { ...about, eventId, attendeeId: c.get('resourceId') ?? null }
        : { ...about, act: 'photos_added', eventId, attendeeId: added };
    }
    default:
      return { ...about, ...(await placeOf(c, first ?? '')) };
  }
}

/** Of a route whose path names neither event nor attendee. */
async function placeOf(c: AppContext, first: string): Promise<Partial<About>> {
  const db = eventsDatabase(c.env.EVENTS_DB);
  const { tenant } = tenancyOf(c);
  const json = sentOf(c, 'json');
  if (first === 'timeline') {
    const entryId = paramOf(c, 'entry_id');
    if (entryId !== undefined)
      return { object: entryId, eventId: (await findEntry(db, tenant, entryId))?.eventId ?? null };
    return {
      eventId: textOf(json.event_id) ?? (ownId(c.req.query('event_id') ?? '') || null),
      attendeeId: textOf(json.attendee_id) ?? (ownId(c.req.query('attendee_id') ?? '') || null),
    };
  }
  const id = paramOf(c, 'id');
  if (first === 'reviews' && id !== undefined)
    return { object: id, eventId: (await findReview(db, tenant, id))?.eventId ?? null };
  if (first === 'cameras' && id !== undefined)
    return {
      object: [id, c.req.param('user_id') ?? []].flat().join('/'),
      eventId: (await findCamera(db, tenant, id))?.eventId ?? null,
    };
  if (c.req.path.includes('/v1/faces/') && id !== undefined) {
    const found = await findFace(db, tenant, id);
    const eventId = found?.collection.eventId ?? null;
    return { object: id, eventId, attendeeTag: eventId === null ? null : (found?.face.attendeeTag ?? null) };
  }
  if (id !== undefined) return { object: id };
  const collection = c.req.param('name') ?? textOf(sentOf(c, 'form').collection) ?? textOf(json.collection);
  if (collection === null || !namesEvent(collection)) return { object: collection };
  // One that was made before may have a name that is shaped like an id in capitals.
  const found = await findCollection(db, tenant, collection);
  const eventId = ownId(collection);
  return found === null ? { object: eventId, eventId } : { object: collection, eventId: found.eventId };
}

function paramOf(c: AppContext, name: string): string | undefined {
  const param = c.req.param(name);
  return param === undefined ? undefined : ownId(param);
}

/** What was sent and found valid; empty where nothing of that kind is taken. */
function sentOf(c: AppContext, kind: 'json' | 'form'): Readonly<Record<string, unknown>> {
  const valid = c.req.valid as (kind: string) => Readonly<Record<string, unknown>> | undefined;
  return valid.call(c.req, kind) ?? {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
