import { eq, sql } from 'drizzle-orm';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import { attendees } from '../schema.ts';

/** Of every tenant, attendees whose tag of the address is that of before. */
export async function listUnfolded(db: EventsDatabase, limit: number): Promise<(typeof attendees.$inferSelect)[]> {
  return db.select().from(attendees).where(eq(attendees.emailFold, false)).orderBy(attendees.id).limit(limit);
}

/** Null leaves the tag as it is. So does one that another attendee of the event has: the two were registered as two. */
export async function recordEmailTags(
  db: EventsDatabase,
  tags: readonly { readonly id: string; readonly tag: string | null }[],
): Promise<void> {
  await sqlBatch(
    db,
    tags.flatMap(({ id, tag }) => [
      ...(tag === null ? [] : [sql`UPDATE OR IGNORE attendees SET email_tag = ${tag} WHERE id = ${id}`]),
      sql`UPDATE attendees SET email_fold = 1 WHERE id = ${id}`,
    ]),
  );
}
