import { eventsDatabase } from '../../../data/events/database.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import type { ScopeKey } from '../../../data/events/keys/scope-key.ts';
import { eventScope } from '../../../data/events/sites/events.ts';
import {
  deleteStaffEntries,
  listStaffEntries,
  type StaffEntry,
  type TrailPage,
} from '../../../data/events/trail/staff-trail.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { TRAIL_KEPT_YEARS } from '../../../domain/events/event-bounds.ts';

export type TrailEntry = Omit<StaffEntry, 'sealedReason' | 'attendeeTag'> & {
  /** Null where none was stated, and once the key of the event is destroyed. */
  readonly reason: string | null;
};

/** Seals why somebody did something, which may name somebody; null where the event has no key. */
export async function sealStaffReason(
  env: Env,
  { id, tenant, eventId }: Pick<StaffEntry, 'id' | 'tenant' | 'eventId'>,
  reason: string,
): Promise<Buffer | null> {
  const key = await keyOf(env, tenant, eventId);
  return key === null ? null : Buffer.from(await key.seal(new TextEncoder().encode(reason), ['staff_trail', id]));
}

/** The trail of the staff, the latest first. */
export async function readStaffTrail(env: Env, page: TrailPage): Promise<TrailEntry[]> {
  const entries = await listStaffEntries(eventsDatabase(env.EVENTS_DB), page);
  return Promise.all(
    entries.map(async ({ sealedReason, attendeeTag: _, ...entry }) => {
      if (sealedReason === null) return { ...entry, reason: null };
      const key = await keyOf(env, entry.tenant, entry.eventId);
      const plain = key === null ? null : await key.open(sealedReason, ['staff_trail', entry.id]);
      return { ...entry, reason: plain === null ? null : new TextDecoder().decode(plain) };
    }),
  );
}

/** Entries of one statement: a longer one would hold all others up. */
const ENTRIES_PER_STEP = 5_000;
const YEAR_MS = 366 * DAY_MS;

/** Deletes entries whose time is over. */
export async function sweepStaffTrail(env: Env): Promise<void> {
  const before = Date.now() - TRAIL_KEPT_YEARS * YEAR_MS;
  let isMore = true;
  while (isMore) isMore = await deleteStaffEntries(eventsDatabase(env.EVENTS_DB), before, ENTRIES_PER_STEP);
}

async function keyOf(env: Env, tenant: string, eventId: string | null): Promise<ScopeKey | null> {
  if (eventId === null) return null;
  return openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY).open(eventScope({ tenant, id: eventId }));
}
