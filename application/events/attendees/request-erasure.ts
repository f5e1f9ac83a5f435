import { findAttendee } from '../../../data/events/attendees/attendees.ts';
import {
  type Erasure,
  endErasureWait,
  findErasure,
  forgetErasure,
  requestErasure,
  takeErasureBack,
} from '../../../data/events/attendees/erasures.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { openEventCollection } from '../collections/open-collection.ts';
import { notFound } from '../not-found.ts';
import { eraseAttendee } from './erase-attendee.ts';

/** Long enough to be seen over a weekend, and well within the month that the law gives. */
const ERASURE_WAIT_MS = 3 * DAY_MS;

export interface AttendeeOf {
  readonly tenant: string;
  readonly eventId: string;
  readonly attendeeId: string;
}

/**
 * Asks that everything held on an attendee is erased. It waits, so that it can be taken back; a second person who asks for the same ends
 * the wait, and it is done with this call. Answers what waits, or null where nothing is held any more.
 */
export async function askErasure(
  env: Env,
  { tenant, eventId, attendeeId }: AttendeeOf,
  requestedBy: string,
): Promise<Result<Erasure | null, ApiError>> {
  const open = await openEventCollection(env, tenant, eventId);
  if (open === null) return err(notFound('event'));
  const db = eventsDatabase(env.EVENTS_DB);
  const now = Date.now();
  const isAttendee = (await findAttendee(db, open.key, eventId, attendeeId)) !== null;
  const before = await findErasure(db, eventId, attendeeId);
  if (before === null && !isAttendee) return err(notFound('attendee'));
  const asked = { attendeeId, tenant, eventId, requestedBy, requestedAt: now, eraseAt: now + ERASURE_WAIT_MS };
  const stands = before ?? (await requestErasure(db, asked));
  if (stands.eraseAt > now && stands.requestedBy === requestedBy) return ok(stands);
  // Kept in between, it is asked for anew, and waits.
  if (!(await endErasureWait(db, attendeeId, now))) return ok(await requestErasure(db, asked));
  await carryOutErasure(env, stands);
  return ok(null);
}

/** Erases whoever is to be erased, and forgets last that it was asked for: interrupted, the hourly sweep repeats it whole. */
export async function carryOutErasure(env: Env, { tenant, eventId, attendeeId }: Erasure): Promise<void> {
  const open = await openEventCollection(env, tenant, eventId);
  if (open === null) return;
  await eraseAttendee(env, open, attendeeId);
  await forgetErasure(eventsDatabase(env.EVENTS_DB), attendeeId);
}

/** Takes an erasure back while it waits. */
export async function keepAttendee(
  env: Env,
  { tenant, eventId, attendeeId }: AttendeeOf,
): Promise<Result<null, ApiError>> {
  const open = await openEventCollection(env, tenant, eventId);
  if (open === null) return err(notFound('event'));
  const db = eventsDatabase(env.EVENTS_DB);
  if (await takeErasureBack(db, { eventId, attendeeId, now: Date.now() })) return ok(null);
  const isUnderWay = (await findErasure(db, eventId, attendeeId)) !== null;
  return err(isUnderWay ? apiError('CONFLICT', 'the attendee is being erased') : notFound('erasure'));
}
