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

/** Who asks for something that a second person ends. */
export interface Asker {
  readonly userId: string;
  /** Whether by a token of client credentials: a machine may begin a wait, and is nobody's second person. */
  readonly isMachine: boolean;
}

/**
 * Asks that everything held on an attendee is erased. It waits, so that it can be taken back; a second person who asks for the same ends
 * the wait, and it is done with this call. Answers what waits, or null where nothing is held any more.
 */
export async function askErasure(
  env: Env,
  { tenant, eventId, attendeeId }: AttendeeOf,
  { userId, isMachine }: Asker,
): Promise<Result<Erasure | null, ApiError>> {
  const open = await openEventCollection(env, tenant, eventId);
  if (open === null) return err(notFound('event'));
  const db = eventsDatabase(env.EVENTS_DB);
  const now = Date.now();
  const asked = {
    attendeeId,
    tenant,
    eventId,
    requestedBy: userId,
    byMachine: isMachine,
    requestedAt: now,
    eraseAt: now + ERASURE_WAIT_MS,
  };
  // What stands before is what a second person ends; asked for by this very call, it waits.
  const before = await findErasure(db, eventId, attendeeId);
  const ends = before !== null && (await endErasureWait(db, { attendeeId, person: isMachine ? null : userId, now }));
  if (ends) {
    await carryOutErasure(env, before);
    return ok(null);
  }
  const stands = await requestErasure(db, asked);
  return stands === null ? err(notFound('attendee')) : ok(stands);
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
