import { eq } from 'drizzle-orm';
import type { EventsDatabase } from '../database.ts';
import type { ScopeKey } from '../keys/scope-key.ts';
import { attendees } from '../schema.ts';

/** The attendees of an event by the tags under which their photos are stored. */
export async function attendeeIdsByTag(
  db: EventsDatabase,
  key: ScopeKey,
  eventId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.select({ id: attendees.id }).from(attendees).where(eq(attendees.eventId, eventId));
  const tagged = rows.map(async ({ id }): Promise<[string, string]> => [await key.tag('attendee', id), id]);
  return new Map(await Promise.all(tagged));
}
