import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { identities } from '../schema/onboarding.ts';
import { sqlBatch } from '../sql-batch.ts';

type IdentityRow = Readonly<typeof identities.$inferSelect>;

/** Assignments that end the approval of before, of which nothing is left. */
export const NO_HELD_APPROVAL: SQL = sql`held_until = NULL, held_submission = NULL, held_provider = NULL, held_reference = NULL`;

/** Assignments of a handing in: the approval that stands, if one does, counts while it is decided on. One that counts already goes on. */
export const HOLD_APPROVAL: SQL = sql`held_until = CASE state WHEN 'APPROVED' THEN expires_at ELSE held_until END,
          held_submission = CASE state WHEN 'APPROVED' THEN submission ELSE held_submission END,
          held_provider = CASE state WHEN 'APPROVED' THEN provider ELSE held_provider END,
          held_reference = CASE state WHEN 'APPROVED' THEN reference ELSE held_reference END`;

/** Whose approval of before came of a handing in, and counts still. */
export async function findIdentityOfHeld(db: Database, submission: string): Promise<IdentityRow | null> {
  return (await db.select().from(identities).where(sql`held_submission = ${submission}`).get()) ?? null;
}

/** Approvals of before whose own end has come, the longest ago first. */
export async function listOutdatedHeld(db: Database, now: number, limit: number): Promise<string[]> {
  const [rows] = await sqlBatch<[{ id: string }[]]>(db, [
    sql`SELECT id FROM identities INDEXED BY identities_held WHERE held_until <= CAST(${now} AS INTEGER) ORDER BY held_until LIMIT ${limit}`,
  ]);
  return rows.map(({ id }) => id);
}

interface EndOfHeld {
  readonly id: string;
  readonly changeId: string;
  readonly decidedBy: string;
}

/** Ends an approval of before whose own end has come, once. What was handed in anew stays where it is. */
export async function expireHeld(db: Database, { id, changeId, decidedBy }: EndOfHeld, now: number): Promise<boolean> {
  const [rows] = await sqlBatch(db, [
    sql`UPDATE identities SET ${NO_HELD_APPROVAL}, decided_at = ${now}, decided_by = ${decidedBy}, change_id = ${changeId}, applied = 0, updated_at = ${now}
        WHERE id = ${id} AND held_until <= CAST(${now} AS INTEGER) RETURNING id`,
  ]);
  return rows?.length === 1;
}
