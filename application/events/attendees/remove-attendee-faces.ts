import { findAttendee } from '../../../data/events/attendees/attendees.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import { openEventCollection } from '../collections/open-collection.ts';
import { removeFaces } from '../faces/remove-faces.ts';
import { notFound } from '../not-found.ts';

/** Deletes the faces and photographs of an attendee, who stays and is recognized no more. Answers how many faces there were. */
export async function removeAttendeeFaces(
  env: Env,
  tenant: string,
  eventId: string,
  attendeeId: string,
): Promise<Result<number, ApiError>> {
  const open = await openEventCollection(env, tenant, eventId);
  if (open === null) return err(notFound('event'));
  const attendee = await findAttendee(eventsDatabase(env.EVENTS_DB), open.key, eventId, attendeeId);
  if (attendee === null) return err(notFound('attendee'));
  return ok(await removeFaces(env, open, await open.key.tag('attendee', attendeeId)));
}
