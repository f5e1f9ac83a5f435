import { and, eq, inArray, isNull, lt } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { primeEvents } from '../schema.ts';

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
