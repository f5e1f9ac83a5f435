import { type SQL, sql } from 'drizzle-orm';
import type { IdentitySubject } from '../../domain/onboarding/identity-state.ts';
import type { PartyFinding } from '../../domain/onboarding/identity-verification.ts';
import type { Database } from '../database.ts';
import { type identities, type identityDocuments, identityParties } from '../schema/onboarding.ts';
import { sqlBatch } from '../sql-batch.ts';
import { openToPerson } from './person-changes.ts';

export type PartyRow = Readonly<typeof identityParties.$inferSelect>;

/** Who was named at a handing in, and what was found of each. */
export function listParties(db: Database, submission: string): Promise<PartyRow[]> {
  return db.select().from(identityParties).where(sql`submission = ${submission}`);
}

/** Names the parties of a handing in that stands. A match of one at a handing in of before stays one. */
export const partiesWrite = (submission: string, parties: readonly string[]): SQL => {
  const matchOf = (column: SQL): SQL => sql`CASE WHEN max(${column} = 'match') = 1 THEN 'match' ELSE 'unchecked' END`;
  return sql`INSERT INTO identity_parties (submission, party, identity, sanctions, adverse_media, checked_at)
      SELECT identities.submission, named.value, identities.id, ${matchOf(sql`before.sanctions`)}, ${matchOf(sql`before.adverse_media`)},
        max(CASE WHEN before.sanctions = 'match' OR before.adverse_media = 'match' THEN before.checked_at END)
      FROM identities JOIN json_each(${JSON.stringify(parties)}) AS named
        LEFT JOIN identity_parties before ON before.identity = identities.id AND before.party = named.value
      WHERE identities.submission = ${submission} GROUP BY named.value
      ON CONFLICT DO NOTHING`;
};

/**
 * What was found of the parties of handings in: of those that were named at them, and of no other. Nothing found later makes it milder.
 *
 * @param submissions selects the handings in, where they are decided in the same batch
 */
export function partyFindingsWrite(findings: readonly PartyFinding[], submissions: SQL): SQL {
  const found = findings.map((finding) => {
    if (finding.type === 'pending') return { party: finding.party, finding: finding.type };
    const { party, type, sanctions, adverseMedia, checkedAt } = finding;
    const expiresAt = type === 'verified' ? finding.expiresAt : null;
    const reason = type === 'verified' ? null : finding.reason;
    return { party, finding: type, sanctions, adverseMedia, checkedAt, expiresAt, reason };
  });
  const worse = (column: 'sanctions' | 'adverse_media', told: 'sanctions' | 'adverseMedia'): SQL => {
    const now = sql.raw(`coalesce(found.value ->> '${told}', 'unchecked')`);
    const before = sql.raw(`identity_parties.${column}`);
    return sql`CASE WHEN ${before} = 'match' OR ${now} = 'unchecked' THEN ${before} ELSE ${now} END`;
  };
  const rank = (finding: SQL): SQL =>
    sql`CASE ${finding} WHEN 'pending' THEN 0 WHEN 'verified' THEN 1 WHEN 'review' THEN 2 ELSE 3 END`;
  const isMilder = sql`${rank(sql.raw("found.value ->> 'finding'"))} < ${rank(sql.raw('identity_parties.finding'))}`;
  return sql`UPDATE identity_parties SET sanctions = ${worse('sanctions', 'sanctions')}, adverse_media = ${worse('adverse_media', 'adverseMedia')},
        checked_at = max(coalesce(identity_parties.checked_at, 0), coalesce(found.value ->> 'checkedAt', identity_parties.checked_at)),
        finding = CASE WHEN ${isMilder} THEN identity_parties.finding ELSE found.value ->> 'finding' END,
        expires_at = CASE WHEN ${isMilder} THEN identity_parties.expires_at ELSE found.value ->> 'expiresAt' END,
        reason = CASE WHEN ${isMilder} THEN identity_parties.reason ELSE found.value ->> 'reason' END
      FROM json_each(${JSON.stringify(found)}) AS found
      WHERE submission IN (${submissions}) AND party = found.value ->> 'party'`;
}

/**
 * The account is another's than was begun with: what was stated goes, and what was shown is taken back.
 *
 * @returns the documents that were taken back, whose bytes may go; null where it has changed meanwhile, or was handed in once
 */
export async function changeSubject(
  db: Database,
  { id, version }: Pick<typeof identities.$inferSelect, 'id' | 'version'>,
  subject: IdentitySubject,
  now: number,
): Promise<Pick<typeof identityDocuments.$inferSelect, 'id' | 'object'>[] | null> {
  const [changed, documents] = await sqlBatch<[{ id: string }[], { id: string; object: string }[]]>(db, [
    sql`UPDATE identities SET subject = ${subject}, facts = '', attested = '[]', version = version + 1, updated_at = ${now}
        WHERE id = ${id} AND version = ${version} AND state = 'DRAFT' AND submission IS NULL AND shredded_at IS NULL RETURNING id`,
    sql`UPDATE identity_documents SET stored_at = NULL
        WHERE identity = ${id} AND stored_at IS NOT NULL
          AND EXISTS (SELECT 1 FROM identities WHERE id = ${id} AND version = CAST(${version + 1} AS INTEGER) AND subject = ${subject} AND submission IS NULL AND facts = '')
        RETURNING id, object`,
  ]);
  return changed.length === 1 ? documents : null;
}

/** Ends the approval of an entity of which something is to be stated anew, once; false where it may be renewed, or is decided otherwise by now. */
export async function reopenApproval(
  db: Database,
  { id, changeId, decidedBy }: { readonly id: string; readonly changeId: string; readonly decidedBy: string },
  now: number,
): Promise<boolean> {
  const [rows] = await sqlBatch(db, [
    sql`UPDATE identities SET state = 'EXPIRED', reason = NULL, decided_at = ${now}, decided_by = ${decidedBy}, change_id = ${changeId}, applied = 0,
          version = version + 1, updated_at = ${now}
        WHERE id = ${id} AND state = 'APPROVED' AND subject = 'entity' AND applied = 1 AND shredded_at IS NULL AND ${openToPerson(now)} IS NOT TRUE RETURNING id`,
  ]);
  return rows?.length === 1;
}
