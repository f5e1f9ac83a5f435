import { desc, eq, sql } from 'drizzle-orm';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { Database } from '../database.ts';
import { accreditationRecords } from '../schema/accounts.ts';
import { isEndedByOperator } from './accreditation-ends.ts';

export type AccreditationRecord = Readonly<typeof accreditationRecords.$inferSelect>;

/**
 * Adds the person's own word, unless an operator has ended their accreditation; a record under this id stays as it is. Who has given it within a day, of the
 * same text, has given it: records stay for good, and are no more for being asked for again.
 *
 * @returns whether it is there
 */
export async function addAttestation(
  db: Database,
  record: Pick<AccreditationRecord, 'id' | 'account' | 'textVersion' | 'text' | 'at' | 'actor' | 'createdAt'>,
): Promise<boolean> {
  const { id, account, textVersion, text, at, actor, createdAt } = record;
  const isGiven = sql`EXISTS (
    SELECT 1 FROM accreditation_records WHERE account = ${account} AND kind = 'self_attestation' AND text_version = ${textVersion}
      AND ended_at IS NULL AND created_at > CAST(${createdAt - DAY_MS} AS INTEGER))`;
  await db.run(sql`
    INSERT INTO accreditation_records (id, account, kind, text_version, text, at, actor, created_at)
    SELECT ${id}, ${account}, 'self_attestation', ${textVersion}, ${text}, ${at}, ${actor}, ${createdAt}
    WHERE NOT ${isEndedByOperator(account)} AND NOT ${isGiven} ON CONFLICT DO NOTHING`);
  const added = await db.all(sql`
    SELECT 1 WHERE EXISTS (SELECT 1 FROM accreditation_records WHERE id = ${id}) OR (${isGiven} AND NOT ${isEndedByOperator(account)})`);
  return added.length === 1;
}

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

/** Accounts that count as verified, and whose last verification by a third party has expired; chance decides which come first. */
export async function listAccountsWithExpiredVerification(db: Database, now: number, limit: number): Promise<string[]> {
  const rows = await db.all<{ account: string }>(sql`
    SELECT DISTINCT r.account FROM accreditation_records r JOIN accounts a ON a.id = r.account
    WHERE r.kind = 'third_party' AND r.expires_at <= ${now} AND r.ended_at IS NULL
      AND a.accreditation_status = 'completed' AND a.accreditation_type = '506c'
      AND NOT EXISTS (SELECT 1 FROM accreditation_records v
                      WHERE v.account = r.account AND v.kind = 'third_party' AND v.expires_at > ${now} AND v.ended_at IS NULL)
    ORDER BY random() LIMIT ${limit}`);
  return rows.map(({ account }) => account);
}

/** What a check of a partner's investor has found of one account; `actor` begins with SCREENED_BY. */
export type ScreenedAccreditation = Pick<AccreditationRecord, 'id' | 'account' | 'at' | 'actor' | 'createdAt'> & {
  readonly verifier: string;
  readonly evidence: string;
  readonly expiresAt: number;
};

/** Actors of records that follow from checks of investors begin so. */
export const SCREENED_BY = 'screening:';

/** Adds what a check has found, once for its id, unless an operator has ended the account's accreditation. */
export async function addScreenedAccreditation(db: Database, record: ScreenedAccreditation): Promise<void> {
  const { id, account, verifier, evidence, at, expiresAt, actor, createdAt } = record;
  await db.run(sql`
    INSERT INTO accreditation_records (id, account, kind, verifier, evidence, at, expires_at, actor, created_at)
    SELECT ${id}, ${account}, 'third_party', ${verifier}, ${evidence}, ${at}, ${expiresAt}, ${actor}, ${createdAt}
    WHERE NOT ${isEndedByOperator(account)} ON CONFLICT DO NOTHING`);
}

/** Ends what checks have found of an account before: the last has failed. */
export async function endScreenedAccreditation(
  db: Database,
  account: string,
  {
    endedAt,
    endedBy,
    endedReason,
  }: { readonly endedAt: number; readonly endedBy: string; readonly endedReason: string },
): Promise<void> {
  await db.run(sql`
    UPDATE accreditation_records SET ended_at = ${endedAt}, ended_by = ${endedBy}, ended_reason = ${endedReason}
    WHERE account = ${account} AND ended_at IS NULL AND actor GLOB ${`${SCREENED_BY}*`}`);
}
