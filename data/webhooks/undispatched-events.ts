import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { domainEvents } from '../schema/audit.ts';

/** An event as it was written. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  /** Of an event that partners receive: its security; of a transfer of the bridge, its organization. */
  readonly subject: string;
  /** JSON. */
  readonly payload: string;
}

/** In `dispatched_at` of an event that could not be told: for people to look at. */
const UNTELLABLE = -1;

const EVENT = {
  id: domainEvents.id,
  type: domainEvents.type,
  subject: domainEvents.subject,
  payload: domainEvents.payload,
};

/** Events that wait, and whether more of them may. */
interface WaitingEvents {
  readonly events: readonly StoredEvent[];
  readonly hasMore: boolean;
}

/** Both conditions stand as written here in the indices that they are read by. */
const OF_OTHERS = sql`dispatched_at IS NULL AND type NOT GLOB 'bridge.*'`;
const OF_BRIDGE = sql`dispatched_at IS NULL AND type GLOB 'bridge.*'`;

/** What nobody was told of yet, in the order in which it was written; events of the bridge's tenants are left out. */
export async function listUndispatched(db: Database, limit: number): Promise<WaitingEvents> {
  const events = await db.select(EVENT).from(domainEvents).where(OF_OTHERS).orderBy(sql`rowid`).limit(limit);
  return { events, hasMore: events.length === limit };
}

/**
 * What tenants of the bridge were not told of yet: of each tenant as many as of any other, its oldest in the order in which they were written. So one with many keeps none of another waiting.
 */
export async function listUndispatchedOfBridge(db: Database, limit: number): Promise<WaitingEvents> {
  const tenants = await db.all<{ subject: string }>(sql`
    WITH RECURSIVE waiting (subject) AS (
      SELECT (SELECT min(subject) FROM domain_events WHERE ${OF_BRIDGE})
      UNION ALL
      SELECT (SELECT min(subject) FROM domain_events WHERE ${OF_BRIDGE} AND subject > waiting.subject) FROM waiting WHERE subject IS NOT NULL
    )
    SELECT subject FROM waiting WHERE subject IS NOT NULL LIMIT CAST(${limit} AS INTEGER)`);
  if (tenants.length === 0) return { events: [], hasMore: false };
  const share = Math.floor(limit / tenants.length);
  const subjects = JSON.stringify(tenants.map(({ subject }) => subject));
  const events = await db.all<StoredEvent>(sql`
    SELECT e.id, e.type, e.subject, e.payload FROM json_each(${subjects}) t
    JOIN domain_events e ON e.rowid IN (
      SELECT rowid FROM domain_events WHERE ${OF_BRIDGE} AND subject = t.value ORDER BY rowid LIMIT CAST(${share} AS INTEGER))
    ORDER BY e.rowid`);
  return { events, hasMore: tenants.length === limit || events.length >= share };
}

/** @param at Unix milliseconds; null for events that could not be told */
export async function markDispatched(db: Database, ids: readonly string[], at: number | null): Promise<void> {
  if (ids.length === 0) return;
  const json = JSON.stringify(ids);
  await db
    .update(domainEvents)
    .set({ dispatchedAt: at ?? UNTELLABLE })
    .where(
      and(inArray(domainEvents.id, sql`(SELECT value FROM json_each(${json}))`), isNull(domainEvents.dispatchedAt)),
    );
}

/** Events of one type under these ids, told or not. */
export function findEvents(db: Database, type: string, ids: readonly string[]): Promise<StoredEvent[]> {
  const json = JSON.stringify(ids);
  return db
    .select(EVENT)
    .from(domainEvents)
    .where(and(inArray(domainEvents.id, sql`(SELECT value FROM json_each(${json}))`), eq(domainEvents.type, type)));
}
