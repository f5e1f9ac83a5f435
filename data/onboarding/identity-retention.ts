import { type SQL, sql } from 'drizzle-orm';
import {
  DOCUMENTS_KEPT_MS,
  DRAFT_KEPT_MS,
  FACTS_KEPT_MS,
  REFUSED_KEPT_MS,
} from '../../domain/onboarding/identity-state.ts';
import type { Database } from '../database.ts';
import { sqlBatch } from '../sql-batch.ts';
import { NO_HELD_APPROVAL } from './held-approvals.ts';
import { type IdentityRow, KEEP_MATCHES } from './identities.ts';

/** Identities whose documents the law no longer asks for: the account's user was deactivated so long ago. An account has no other end. */
export async function listDocumentsOutOfTime(db: Database, now: number, limit: number): Promise<string[]> {
  const [rows] = await sqlBatch<[{ id: string }[]]>(db, [
    sql`SELECT identities.id FROM identities JOIN users ON users.id = identities.user_id
        WHERE shredded_at IS NULL AND users.deactivated_at < CAST(${now - DOCUMENTS_KEPT_MS} AS INTEGER)
          AND EXISTS (SELECT 1 FROM identity_documents WHERE identity = identities.id) LIMIT ${limit}`,
  ]);
  return rows.map(({ id }) => id);
}

/** Nobody of these was let in by it, now or ever: the trail tells of each account whose identity counted once. */
const WAS_NEVER_LET_IN: SQL = sql`(state NOT IN ('APPROVED', 'EXPIRED') AND held_until IS NULL AND applied = 1
  AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = identities.account AND a.kyc_status = 'completed')
  AND NOT EXISTS (SELECT 1 FROM domain_events e WHERE e.subject = identities.account AND e.type GLOB 'operator.*' AND e.type = 'operator.account_facts'
    AND 'completed' IN (e.payload ->> '$.before.kycStatus', e.payload ->> '$.after.kycStatus')))`;

const isOutOfTime = (now: number): SQL => sql`(
  EXISTS (SELECT 1 FROM users WHERE users.id = identities.user_id AND users.deactivated_at < CAST(${now - FACTS_KEPT_MS} AS INTEGER))
  OR (submission IS NOT NULL AND updated_at < CAST(${now - REFUSED_KEPT_MS} AS INTEGER) AND ${WAS_NEVER_LET_IN})
  OR (state = 'DRAFT' AND submission IS NULL AND updated_at < CAST(${now - DRAFT_KEPT_MS} AS INTEGER)))`;

/** Of what was handed in: it waits for a decision, or for its person. */
const IS_UNDECIDED: SQL = sql`state IN ('SUBMITTED', 'IN_REVIEW', 'ASKED_BACK')`;

/** Takes up identities whose key is to be destroyed: out of time, never handed in and long left alone, or where that was begun and cut off. Those come first that were taken up the longest ago: what fails keeps back nothing behind it. */
export async function takeIdentitiesToShred(db: Database, now: number, limit: number): Promise<string[]> {
  const [rows] = await sqlBatch<[{ id: string }[]]>(db, [
    sql`UPDATE identities SET asked_at = ${now} WHERE id IN (SELECT id FROM identities WHERE (shredded_at IS NULL AND ${isOutOfTime(now)})
          OR (shredded_at IS NOT NULL AND (facts <> '' OR submission IS NULL OR ${IS_UNDECIDED} OR EXISTS (SELECT 1 FROM identity_documents WHERE identity = identities.id)))
        ORDER BY asked_at LIMIT ${limit}) RETURNING id`,
  ]);
  return rows.map(({ id }) => id);
}

/**
 * From here on nothing is stated or shown under it, and nobody is let in by it: what is undecided is refused, or out of date as the approval of before that counts until now. What a provider found is
 * told no longer: it may name somebody. False where it is no longer out of time.
 */
export async function claimForShredding(db: Database, id: string, now: number): Promise<boolean> {
  const [rows] = await sqlBatch(db, [
    sql`UPDATE identities SET shredded_at = coalesce(shredded_at, ${now}), reason = NULL, version = version + 1,
          state = CASE WHEN NOT ${IS_UNDECIDED} THEN state WHEN held_until IS NULL THEN 'REFUSED' ELSE 'EXPIRED' END
        WHERE id = ${id} AND (shredded_at IS NOT NULL OR ${isOutOfTime(now)}) RETURNING id`,
  ]);
  return rows?.length === 1;
}

const partyMatch = (id: string, column: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM identity_parties p WHERE p.identity = ${id} AND p.${column} = 'match')`;

/**
 * The person's key and documents are gone. One that was never handed in goes with its row, so that the person may begin anew; where it had taken the place of another one, it stays in that place. A match of a party stays as one of the entity. An approval ends with what it came of: nobody could say any more whom it
 * has let in.
 */
export async function recordIdentityShredded(db: Database, id: string): Promise<void> {
  await sqlBatch(db, [
    sql`DELETE FROM identity_documents WHERE identity = ${id}`,
    sql`DELETE FROM identity_statements WHERE identity = ${id}`,
    sql`UPDATE identities SET sanctions = CASE WHEN ${partyMatch(id, sql`sanctions`)} THEN 'match' ELSE sanctions END,
          adverse_media = CASE WHEN ${partyMatch(id, sql`adverse_media`)} THEN 'match' ELSE adverse_media END WHERE id = ${id}`,
    sql`DELETE FROM identity_parties WHERE identity = ${id}`,
    sql`UPDATE identities SET facts = '', expires_at = min(expires_at, shredded_at), held_until = min(held_until, shredded_at) WHERE id = ${id} AND submission IS NOT NULL`,
    // What had taken the place of another one stays, with what was found: whoever begins once more is looked at by an operator.
    sql`UPDATE identities SET facts = '', state = 'REFUSED', submission = id WHERE id = ${id} AND submission IS NULL AND needs_person = 1`,
    sql`DELETE FROM identities WHERE id = ${id} AND submission IS NULL`,
  ]);
}

/**
 * Begins an identity anew in the place of one of which nothing is left but what was decided. An operator looks at what is handed in: nobody can say any more who it was. A match stays one.
 *
 * @returns false where something of the former is left, or it counts still
 */
export async function replaceShredded(
  db: Database,
  { id: former }: Pick<IdentityRow, 'id'>,
  id: string,
  now: number,
): Promise<boolean> {
  const [rows] = await sqlBatch(db, [
    sql`UPDATE identities SET id = ${id}, state = 'DRAFT', subject = 'person', facts = '', attested = '[]', version = 1, needs_person = 1, ${KEEP_MATCHES},
          submission = NULL, submitted_at = NULL, provider = NULL, reference = NULL, asked_at = 0, expires_at = NULL, decided_at = NULL, decided_by = NULL, reason = NULL, change_id = NULL,
          ${NO_HELD_APPROVAL}, shredded_at = NULL, changes = 0, changes_since = 0, created_at = ${now}, updated_at = ${now}
        WHERE id = ${former} AND shredded_at IS NOT NULL AND facts = '' AND state <> 'APPROVED' AND held_until IS NULL AND applied = 1
          AND NOT EXISTS (SELECT 1 FROM identity_documents WHERE identity = ${former}) RETURNING id`,
  ]);
  return rows?.length === 1;
}
