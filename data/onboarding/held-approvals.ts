import { type SQL, sql } from 'drizzle-orm';
import type { PartyFinding, Screening } from '../../domain/onboarding/identity-verification.ts';
import type { Database } from '../database.ts';
import { identities } from '../schema/onboarding.ts';
import { sqlBatch } from '../sql-batch.ts';
import { partyFindingsWrite } from './entities.ts';

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

/**
 * Ends an approval of before for what its provider has found of it since: refused, so is whoever was handed in anew; of a match that somebody has to look at, an operator decides on what
 * was handed in.
 */
export async function endHeldByProvider(
  db: Database,
  {
    submission,
    isRefused,
    screening: { sanctions, adverseMedia, checkedAt },
    reason,
    decidedBy,
    changeId,
    parties,
  }: {
    /** Of the approval of before. */
    readonly submission: string;
    readonly isRefused: boolean;
    readonly screening: Screening;
    readonly reason: string;
    readonly decidedBy: string;
    readonly changeId: string;
    /** What was found against parties of an entity; of a person nothing. */
    readonly parties: readonly PartyFinding[];
  },
  now: number,
): Promise<boolean> {
  const to = isRefused ? sql`'REFUSED'` : sql`CASE state WHEN 'ASKED_BACK' THEN state ELSE 'IN_REVIEW' END`;
  // A party that is named as before in what was handed in anew is the same one.
  const both = sql`SELECT submission FROM identities WHERE held_submission = ${submission}
    UNION SELECT held_submission FROM identities WHERE held_submission = ${submission}`;
  const [, rows] = await sqlBatch(db, [
    partyFindingsWrite(parties, both),
    sql`UPDATE identities SET state = ${to}, reason = ${reason}, sanctions = ${sanctions}, adverse_media = ${adverseMedia}, checked_at = ${checkedAt}, needs_person = 1,
          ${NO_HELD_APPROVAL}, decided_at = ${now}, decided_by = ${decidedBy}, change_id = ${changeId}, applied = 0, version = version + 1, updated_at = ${now}
        WHERE held_submission = ${submission} RETURNING id`,
  ]);
  return rows?.length === 1;
}
