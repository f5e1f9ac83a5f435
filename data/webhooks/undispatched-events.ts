import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { domainEvents } from '../schema/audit.ts';

/** An event as it was written. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  /** Of an event that partners receive: its security. */
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

/** What nobody was told of yet, in the order in which it was written. */
export function listUndispatched(db: Database, limit: number): Promise<StoredEvent[]> {
  return db.select(EVENT).from(domainEvents).where(isNull(domainEvents.dispatchedAt)).orderBy(sql`rowid`).limit(limit);
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
