import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { accreditationRecords } from '../schema/accounts.ts';

export type AccreditationRecord = Readonly<typeof accreditationRecords.$inferSelect>;

/** Adds a record; one under this id stays as it is. */
export async function addAccreditationRecord(db: Database, record: AccreditationRecord): Promise<void> {
  await db.insert(accreditationRecords).values(record).onConflictDoNothing();
}

/** Records of one account that a list shows, and that its accreditation rests on. */
const RECORDS_MAX = 1_000;

/** Newest first. */
export function listAccreditationRecords(db: Database, account: string): Promise<AccreditationRecord[]> {
  return db
    .select()
    .from(accreditationRecords)
    .where(eq(accreditationRecords.account, account))
    .orderBy(desc(accreditationRecords.id))
    .limit(RECORDS_MAX);
}

/** Ends all records of an account that have not ended. */
export async function endAccreditationRecords(
  db: Database,
  account: string,
  {
    endedAt,
    endedBy,
    endedReason,
  }: { readonly endedAt: number; readonly endedBy: string; readonly endedReason: string },
): Promise<void> {
  await db
    .update(accreditationRecords)
    .set({ endedAt, endedBy, endedReason })
    .where(and(eq(accreditationRecords.account, account), isNull(accreditationRecords.endedAt)));
}

/** Accounts that count as verified, and whose last verification by a third party has expired. */
export async function listAccountsWithExpiredVerification(db: Database, now: number, limit: number): Promise<string[]> {
  const rows = await db.all<{ account: string }>(sql`
    SELECT DISTINCT r.account FROM accreditation_records r JOIN accounts a ON a.id = r.account
    WHERE r.kind = 'third_party' AND r.expires_at <= ${now} AND r.ended_at IS NULL
      AND a.accreditation_status = 'completed' AND a.accreditation_type = '506c'
      AND NOT EXISTS (SELECT 1 FROM accreditation_records v
                      WHERE v.account = r.account AND v.kind = 'third_party' AND v.expires_at > ${now} AND v.ended_at IS NULL)
    LIMIT ${limit}`);
  return rows.map(({ account }) => account);
}
