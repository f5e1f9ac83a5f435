import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { accreditationEnds } from '../schema/accounts.ts';
import { sqlBatch } from '../sql-batch.ts';

export type AccreditationEnd = Readonly<typeof accreditationEnds.$inferSelect>;

/** Condition that an operator has ended the accreditation of an account, and none has allowed another since. */
export function isEndedByOperator(account: string): SQL {
  return sql`EXISTS (SELECT 1 FROM accreditation_ends WHERE account = ${account} AND lifted_at IS NULL)`;
}

/**
 * An operator ends all that an account's accreditation rests on, once for the action's id: its records end, the requests that they follow from are revoked, and
 * one that waits for its provider waits for an operator. In one batch, so that no finding comes in between.
 */
export async function endAccreditationOf(
  db: Database,
  { id, account, reason, actor, createdAt }: Omit<AccreditationEnd, 'liftedAt' | 'liftedBy' | 'applied'>,
): Promise<void> {
  const isFirst = sql`NOT EXISTS (SELECT 1 FROM accreditation_ends WHERE id = ${id})`;
  await sqlBatch(db, [
    sql`UPDATE accreditation_records SET ended_at = ${createdAt}, ended_by = ${actor}, ended_reason = ${reason}
        WHERE account = ${account} AND ended_at IS NULL AND ${isFirst}`,
    sql`UPDATE accreditation_verifications SET state = 'REVOKED', reason = ${reason}, ended_at = ${createdAt}, ended_by = ${actor}
        WHERE account = ${account} AND state = 'VERIFIED' AND expires_at > ${createdAt} AND ${isFirst}`,
    sql`UPDATE accreditation_verifications SET state = 'IN_REVIEW'
        WHERE account = ${account} AND state = 'REQUESTED' AND ${isFirst}`,
    sql`INSERT INTO accreditation_ends (id, account, reason, actor, created_at, applied)
        VALUES (${id}, ${account}, ${reason}, ${actor}, ${createdAt}, 0) ON CONFLICT DO NOTHING`,
  ]);
}

/** The last end by an operator since which none has allowed another accreditation; null where there is none. */
export async function findStandingEnd(db: Database, account: string): Promise<AccreditationEnd | null> {
  const found = db
    .select()
    .from(accreditationEnds)
    .where(and(eq(accreditationEnds.account, account), isNull(accreditationEnds.liftedAt)))
    .orderBy(desc(accreditationEnds.id));
  return (await found.limit(1).get()) ?? null;
}

/** The account's facts follow from it. */
export async function noteEndApplied(db: Database, id: string): Promise<void> {
  await db.update(accreditationEnds).set({ applied: true }).where(eq(accreditationEnds.id, id));
}

/** Ends from which facts do not follow yet; chance decides which come first, so none that cannot be applied keeps back another. */
export function listEndsToApply(db: Database, before: number, limit: number): Promise<AccreditationEnd[]> {
  return db
    .select()
    .from(accreditationEnds)
    .where(and(eq(accreditationEnds.applied, false), lt(accreditationEnds.createdAt, before)))
    .orderBy(sql`random()`)
    .limit(limit);
}
