import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { EventsDatabase } from '../database.ts';
import type { ScopeKey } from '../keys/scope-key.ts';
import { attendeeAliases, attendees } from '../schema.ts';

type AttendeeRow = typeof attendees.$inferSelect;

/** What is sealed of an attendee. */
export interface AttendeeProfile {
  readonly name: string;
  readonly email: string;
  /** What they have agreed to: in practice it says who has. */
  readonly consentText: string;
}

export interface Attendee extends AttendeeProfile {
  readonly id: string;
  readonly eventId: string;
  readonly consentAt: number;
  readonly consentBy: string;
  readonly createdAt: number;
}

/** As it is sealed. Of attendees of before the text of the consent lies beside it in the row. */
interface StoredProfile {
  readonly name: string;
  readonly email: string;
  readonly consent_text?: string;
}

export async function sealProfile(
  key: ScopeKey,
  attendeeId: string,
  { name, email, consentText }: AttendeeProfile,
): Promise<Buffer> {
  const profile: StoredProfile = { name, email, consent_text: consentText };
  const plain = new TextEncoder().encode(JSON.stringify(profile));
  return Buffer.from(await key.seal(plain, ['profile', attendeeId]));
}

export async function findAttendee(
  db: EventsDatabase,
  key: ScopeKey,
  eventId: string,
  id: string,
): Promise<Attendee | null> {
  const [row] = await db
    .select()
    .from(attendees)
    .where(and(eq(attendees.id, id), eq(attendees.eventId, eventId)));
  return row === undefined ? null : openAttendee(key, row);
}

/** Of an event that the caller has found, in order of registration. */
export async function listAttendees(
  db: EventsDatabase,
  key: ScopeKey,
  { eventId, after, limit }: { eventId: string; after: string | null; limit: number },
): Promise<Attendee[]> {
  const rows = await db
    .select()
    .from(attendees)
    .where(and(eq(attendees.eventId, eventId), after === null ? undefined : gt(attendees.id, after)))
    .orderBy(asc(attendees.id))
    .limit(limit);
  return Promise.all(rows.map((row) => openAttendee(key, row)));
}

/** Who somebody recognized is now. */
export interface KnownAs {
  readonly attendeeId: string;
  readonly name: string;
}

/**
 * Who those are that faces of these attendee ids belong to: after a merge the one they were merged into. Those who are no attendees (any
 * more) are left out.
 */
export async function attendeesKnownAs(
  db: EventsDatabase,
  key: ScopeKey,
  eventId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KnownAs>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: sql<string>`known.value`, attendee: attendees })
    .from(sql`json_each(${JSON.stringify(ids)}) AS known`)
    .leftJoin(attendeeAliases, and(sql`${attendeeAliases.id} = known.value`, eq(attendeeAliases.eventId, eventId)))
    .innerJoin(
      attendees,
      and(eq(attendees.id, sql`coalesce(${attendeeAliases.attendeeId}, known.value)`), eq(attendees.eventId, eventId)),
    );
  const known = rows.map(async ({ id, attendee }): Promise<[string, KnownAs]> => {
    const { id: attendeeId, name } = await openAttendee(key, attendee);
    return [id, { attendeeId, name }];
  });
  return new Map(await Promise.all(known));
}

/** Null where it was sealed under another key. */
export async function openProfile(
  key: ScopeKey,
  { id, sealedProfile }: Pick<AttendeeRow, 'id' | 'sealedProfile'>,
): Promise<StoredProfile | null> {
  const plain = await key.open(sealedProfile, ['profile', id]);
  return plain && (JSON.parse(new TextDecoder().decode(plain)) as StoredProfile);
}

async function openAttendee(key: ScopeKey, row: AttendeeRow): Promise<Attendee> {
  const profile = await openProfile(key, row);
  if (profile === null) throw new Error('the profile of an attendee does not open under the key of its event');
  const { name, email, consent_text } = profile;
  const { id, eventId, consentAt, consentBy, createdAt } = row;
  return { id, eventId, name, email, consentAt, consentBy, consentText: consent_text ?? row.consentText, createdAt };
}
