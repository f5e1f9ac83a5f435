import { sql } from 'drizzle-orm';
import type { TaskFacts } from '../../domain/tasks/own-tasks.ts';
import type { Database } from '../database.ts';
import { sqlBatch } from '../sql-batch.ts';

/** The newest requests that are looked through: an account has ten open ones at most. */
const REQUESTS_MAX = 200;
const RECORDS_MAX = 100;

interface AskedFor {
  readonly userId: string;
  readonly account: string;
  /** What an accreditation of this kind rests on; null where there is none. */
  readonly kind: 'third_party' | 'self_attestation' | null;
  /** Unix milliseconds. */
  readonly now: number;
}

/** What of a person and their account may wait for them, in one call. */
export async function readTaskFacts(
  db: Database,
  { userId, account, kind, now }: AskedFor,
): Promise<Omit<TaskFacts, 'accreditation' | 'isKnown'> & { readonly accreditationEndsAt: number | null }> {
  const [[identity], [recovery], records, deposits] = await sqlBatch<
    [
      NonNullable<TaskFacts['identity']>[],
      NonNullable<TaskFacts['recovery']>[],
      { readonly endsAt: number | null }[],
      TaskFacts['deposits'][number][],
    ]
  >(db, [
    sql`SELECT state, updated_at AS updatedAt, expires_at AS expiresAt FROM identities WHERE user_id = ${userId}`,
    sql`SELECT asked_at AS askedAt, due_at AS dueAt FROM factor_recoveries WHERE user_id = ${userId} AND state = 'waiting'`,
    sql`SELECT expires_at AS endsAt FROM accreditation_records
        WHERE account = ${account} AND kind = ${kind} AND ended_at IS NULL
          AND (expires_at IS NULL OR expires_at > CAST(${now} AS INTEGER)) LIMIT ${RECORDS_MAX}`,
    sql`SELECT id, created_at AS createdAt FROM (
          SELECT id, type, state, created_at FROM transfer_requests
          WHERE account = ${account} ORDER BY id DESC LIMIT ${REQUESTS_MAX})
        WHERE type = 'deposit' AND state = 'approved'`,
  ]);
  const ends = records.map(({ endsAt }) => endsAt);
  const isEndless = ends.length === 0 || ends.includes(null);
  const accreditationEndsAt = isEndless ? null : Math.max(...ends.map((end) => end ?? 0));
  return { identity: identity ?? null, recovery: recovery ?? null, deposits, accreditationEndsAt };
}
