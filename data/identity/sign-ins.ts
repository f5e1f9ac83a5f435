import { and, desc, eq, gte, lt, type SQL, sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '../../domain/calendar/durations.ts';
import { isCounted, type SignInType } from '../../domain/identity/sign-in-entry.ts';
import type { Database } from '../database.ts';
import { signIns } from '../schema/identity.ts';
import { sqlBatch } from '../sql-batch.ts';

export type SignInRow = Readonly<typeof signIns.$inferSelect>;

/** An entry as it is written: no code, token or secret has a place in it. */
export interface SignInEntry {
  readonly id: string;
  readonly userId: string;
  readonly type: SignInType;
  readonly reason?: string | null;
  readonly clientId?: string | null;
  readonly keyId?: string | null;
  readonly sessionId?: string | null;
  readonly device?: string | null;
  readonly place?: string | null;
  /** Unix milliseconds. */
  readonly at: number;
}

/**
 * The statement that writes an entry. One that is there already is counted once more where its type is counted by the hour, and else stays as it is.
 *
 * @param when condition of the batch under which it is written
 */
export function signInEntry(entry: SignInEntry, when: SQL = sql`true`): SQL {
  const { id, userId, type, reason, clientId, keyId, sessionId, device, place, at } = entry;
  const again = isCounted(type)
    ? sql`DO UPDATE SET times = times + 1, last_at = excluded.last_at, place = excluded.place, device = excluded.device`
    : sql`DO NOTHING`;
  return sql`
    INSERT INTO sign_ins (id, user_id, type, reason, client_id, key_id, session_id, device, place, created_at, last_at)
    SELECT ${id}, ${userId}, ${type}, ${reason ?? null}, ${clientId ?? null}, ${keyId ?? null}, ${sessionId ?? null},
           ${device ?? null}, ${place ?? null}, CAST(${at} AS INTEGER), CAST(${at} AS INTEGER)
    WHERE ${when} ON CONFLICT (id) ${again}`;
}

export async function addSignIn(db: Database, entry: SignInEntry): Promise<void> {
  await sqlBatch(db, [signInEntry(entry)]);
}

export interface SignInFilter {
  readonly userId: string;
  /** Unix milliseconds; null for any. */
  readonly from: number | null;
  readonly to: number | null;
  /** Id of the last entry of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** Entries of a user, newest first. */
export function listSignIns(db: Database, { userId, from, to, before, limit }: SignInFilter): Promise<SignInRow[]> {
  return db
    .select()
    .from(signIns)
    .where(
      and(
        eq(signIns.userId, userId),
        from === null ? undefined : gte(signIns.lastAt, from),
        to === null ? undefined : lt(signIns.createdAt, to),
        before === null ? undefined : lt(signIns.id, before),
      ),
    )
    .orderBy(desc(signIns.id))
    .limit(limit);
}

/** So long a device is remembered by which somebody has signed in. */
const DEVICE_KNOWN_MS = 90 * DAY_MS;

interface Device {
  readonly userId: string;
  /** As an entry has them. */
  readonly device: string | null;
  readonly place: string;
  readonly now: number;
}

/** Condition that a user has signed in by this device in this place before. */
export function isKnownDevice({ userId, device, place, now }: Device): SQL {
  return sql`EXISTS (SELECT 1 FROM sign_ins WHERE user_id = ${userId} AND id >= ${firstId(now - DEVICE_KNOWN_MS)} AND type = 'signed_in'
                     AND place = ${place} AND device IS ${device})`;
}

/** Wrong codes of the hour that `now` is in, of all users together. */
export async function countWrongCodes(db: Database, now: number): Promise<number> {
  const hour = now - (now % HOUR_MS);
  const [row] = await db.all<{ times: number }>(sql`
    SELECT coalesce(sum(times), 0) AS times FROM sign_ins
    WHERE id >= ${firstId(hour)} AND type = 'refused' AND reason = 'wrong_code'`);
  return row?.times ?? 0;
}

/** What all ids from a time on are above: a UUIDv7 begins with its time. */
export function firstId(time: number): string {
  const text = time.toString(16).padStart(12, '0');
  return `${text.slice(0, 8)}-${text.slice(8)}-`;
}
