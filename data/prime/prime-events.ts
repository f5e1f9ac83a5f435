import { and, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import type { Database } from '../database.ts';
import { primeEvents } from '../schema/broker.ts';

/** An event of the prime broker as it came. */
export interface PrimeEventRow {
  readonly id: string;
  /** SHA-256 of its body, in hex. */
  readonly digest: string;
  readonly receivedAt: number;
  /** Why no book took it, and its body; null for one that a book has. */
  readonly unclaimed: { readonly reason: string; readonly body: string } | null;
}

/** The digest of the body that an event came with first; null for one that has not come. */
export async function findPrimeEvent(db: Database, id: string): Promise<string | null> {
  const [row] = await db.select({ digest: primeEvents.digest }).from(primeEvents).where(eq(primeEvents.id, id));
  return row?.digest ?? null;
}

/** Writes down that an event came; one that is there stays as it is. Answers the digest that it has now. */
export async function recordPrimeEvent(
  db: Database,
  { id, digest, receivedAt, unclaimed }: PrimeEventRow,
): Promise<string> {
  await db
    .insert(primeEvents)
    .values({ id, digest, receivedAt, unclaimed: unclaimed?.reason ?? null, body: unclaimed?.body ?? null })
    .onConflictDoNothing();
  return (await findPrimeEvent(db, id)) ?? digest;
}

/** Forgets events that came before a time, at most so many; those that no book took stay. Answers how many. */
export async function deletePrimeEvents(db: Database, before: number, count: number): Promise<number> {
  const old = db
    .select({ id: primeEvents.id })
    .from(primeEvents)
    .where(and(isNull(primeEvents.unclaimed), lt(primeEvents.receivedAt, before)))
    .limit(count);
  const { meta } = await db.delete(primeEvents).where(inArray(primeEvents.id, old));
  return meta.changes;
}

/** An event that no book took. */
export interface KeptPrimeEvent {
  readonly id: string;
  readonly receivedAt: number;
  /** Why no book took it, in words. */
  readonly unclaimed: string;
  readonly body: string | null;
}

/** Events that no book took and nobody has seen to, the oldest first. */
export function listKeptPrimeEvents(db: Database, limit: number): Promise<KeptPrimeEvent[]> {
  return selectKept(db).orderBy(primeEvents.receivedAt, primeEvents.id).limit(limit);
}

/** Closes an event that no book took: from then on it is one that came. The audit trail keeps what it was. False where there is none. */
export async function resolvePrimeEvent(
  db: Database,
  { id, reason, now }: { readonly id: string; readonly reason: string; readonly now: number },
  action: OperatorAction,
): Promise<boolean> {
  const [kept] = await selectKept(db, eq(primeEvents.id, id));
  return changeOnce(db, {
    action,
    type: 'operator.prime_event_resolved',
    subject: id,
    details: { reason },
    before: kept ?? null,
    after: null,
    now,
    when: sql`EXISTS (SELECT 1 FROM prime_events WHERE id = ${id} AND unclaimed IS NOT NULL)`,
    writes: (takesPlace) => [
      sql`UPDATE prime_events SET unclaimed = NULL, body = NULL WHERE id = ${id} AND ${takesPlace}`,
    ],
  });
}

function selectKept(db: Database, which?: SQL) {
  return db
    .select({
      id: primeEvents.id,
      receivedAt: primeEvents.receivedAt,
      unclaimed: sql<string>`${primeEvents.unclaimed}`,
      body: primeEvents.body,
    })
    .from(primeEvents)
    .where(and(isNotNull(primeEvents.unclaimed), which))
    .$dynamic();
}
