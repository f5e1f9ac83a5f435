import { type SQL, sql } from 'drizzle-orm';
import { DOCUMENTS_KEPT_MS, DRAFT_KEPT_MS, FACTS_KEPT_MS } from '../../domain/onboarding/identity-state.ts';
import type { Database } from '../database.ts';
import { sqlBatch } from '../sql-batch.ts';

/** Identities whose documents the law no longer asks for: the account's user was deactivated so long ago. An account has no other end. */
export async function listDocumentsOutOfTime(db: Database, now: number, limit: number): Promise<string[]> {
  const [rows] = await sqlBatch<[{ id: string }[]]>(db, [
    sql`SELECT identities.id FROM identities JOIN users ON users.id = identities.user_id
        WHERE shredded_at IS NULL AND users.deactivated_at < CAST(${now - DOCUMENTS_KEPT_MS} AS INTEGER)
          AND EXISTS (SELECT 1 FROM identity_documents WHERE identity = identities.id) LIMIT ${limit}`,
  ]);
  return rows.map(({ id }) => id);
}

const isOutOfTime = (now: number): SQL => sql`(
  EXISTS (SELECT 1 FROM users WHERE users.id = identities.user_id AND users.deactivated_at < CAST(${now - FACTS_KEPT_MS} AS INTEGER))
  OR (state = 'DRAFT' AND submission IS NULL AND updated_at < CAST(${now - DRAFT_KEPT_MS} AS INTEGER)))`;

/** Identities whose key is to be destroyed: out of time, never handed in and long left alone, or where that was begun and cut off. */
export async function listIdentitiesToShred(db: Database, now: number, limit: number): Promise<string[]> {
  const [rows] = await sqlBatch<[{ id: string }[]]>(db, [
    sql`SELECT id FROM identities WHERE (shredded_at IS NULL AND ${isOutOfTime(now)})
          OR (shredded_at IS NOT NULL AND (facts <> '' OR submission IS NULL OR EXISTS (SELECT 1 FROM identity_documents WHERE identity = identities.id)))
        LIMIT ${limit}`,
  ]);
  return rows.map(({ id }) => id);
}

/** From here on nothing is stated or shown under it. False where it is no longer out of time. */
export async function claimForShredding(db: Database, id: string, now: number): Promise<boolean> {
  const [rows] = await sqlBatch(db, [
    sql`UPDATE identities SET shredded_at = coalesce(shredded_at, ${now}) WHERE id = ${id} AND (shredded_at IS NOT NULL OR ${isOutOfTime(now)}) RETURNING id`,
  ]);
  return rows?.length === 1;
}

/** The person's key and documents are gone. One that was never handed in goes with its row, so that the person may begin anew. */
export async function recordIdentityShredded(db: Database, id: string): Promise<void> {
  await sqlBatch(db, [
    sql`DELETE FROM identity_documents WHERE identity = ${id}`,
    sql`DELETE FROM identity_statements WHERE identity = ${id}`,
    sql`DELETE FROM identity_parties WHERE identity = ${id}`,
    sql`UPDATE identities SET facts = '' WHERE id = ${id} AND submission IS NOT NULL`,
    sql`DELETE FROM identities WHERE id = ${id} AND submission IS NULL`,
  ]);
}
