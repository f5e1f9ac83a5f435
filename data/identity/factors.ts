import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { ENROLMENT_MS_MAX, type Enrolled, PASSKEYS_MAX, type SignInMethod } from '../../domain/identity/factors.ts';
import { WRONG_CODES_MS } from '../../domain/identity/one-time-code.ts';
import { ACCESS_TOKEN_LIFETIME_S } from '../../domain/identity/token-lifetime.ts';
import { WRONG_TOTP_MAX } from '../../domain/identity/totp.ts';
import type { Database } from '../database.ts';
import { passkeys, recoveryCodes, totpFactors } from '../schema/identity.ts';
import { sqlBatch } from '../sql-batch.ts';
import { type BrowserSession, stands } from './browser-sessions.ts';
import { endSessionsOf } from './sessions.ts';
import { type SignInEntry, signInEntry } from './sign-ins.ts';

export type Passkey = Readonly<typeof passkeys.$inferSelect>;
/** What the seal of an app's secret is bound to. */
export const totpContext = (userId: string): string => `totp of ${userId}`;

export type TotpFactor = Readonly<typeof totpFactors.$inferSelect>;

/** That a browser is signed in still, as whatever gives a lasting right asks in its own statement. */
function isSignedIn({ hash, userId, createdAt }: BrowserSession) {
  return sql`${stands(sql`${userId}`, sql`CAST(${createdAt} AS INTEGER)`)}
    AND EXISTS (SELECT 1 FROM browser_sessions WHERE hash = ${hash} AND user_id = ${userId})`;
}

/** What a person has enrolled, with how many recovery codes are left. */
export async function findEnrolled(
  db: Database,
  userId: string,
): Promise<Enrolled & { readonly recoveryCodesLeft: number }> {
  const [[row]] = await sqlBatch<[{ passkeys: number; totp: number; codes: number }[]]>(db, [
    sql`SELECT (SELECT count(*) FROM passkeys WHERE user_id = ${userId}) AS passkeys,
          (SELECT count(*) FROM totp_factors WHERE user_id = ${userId} AND confirmed_at IS NOT NULL) AS totp,
          (SELECT count(*) FROM recovery_codes WHERE user_id = ${userId} AND used_at IS NULL) AS codes`,
  ]);
  return { passkeys: row?.passkeys ?? 0, totp: row?.totp === 1, recoveryCodesLeft: row?.codes ?? 0 };
}

export function listPasskeys(db: Database, userId: string): Promise<Passkey[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id))
    .limit(PASSKEYS_MAX);
}

export async function findPasskey(db: Database, id: string): Promise<Passkey | null> {
  return (await db.select().from(passkeys).where(eq(passkeys.id, id)).get()) ?? null;
}

/** Uses up a challenge; false where it was used before. Of those who ask at once, one is told true. */
export async function spendChallenge(db: Database, hash: string, expiresAt: number): Promise<boolean> {
  const [used] = await sqlBatch(db, [
    sql`INSERT INTO used_challenges (hash, expires_at) VALUES (${hash}, ${expiresAt}) ON CONFLICT DO NOTHING RETURNING hash`,
  ]);
  return used?.length === 1;
}

const tokensEnd = (now: number): number => now + ACCESS_TOKEN_LIFETIME_S * 1_000;

/**
 * What goes with adding a factor. The browser has shown it beside the code by SMS, so its session is no longer one by SMS alone. With the first one every other session by SMS alone ends:
 * whoever has such a session may have it by a stolen code.
 */
function withAdded({ hash, userId }: BrowserSession, method: SignInMethod, now: number, isAdded: SQL): SQL[] {
  const isFirst = sql`(SELECT count(*) FROM passkeys WHERE user_id = ${userId})
    + (SELECT count(*) FROM totp_factors WHERE user_id = ${userId} AND confirmed_at IS NOT NULL) = 1`;
  return [
    sql`UPDATE browser_sessions SET method = ${method} WHERE hash = ${hash} AND method = 'code' AND ${isAdded}`,
    ...endSessionsOf(userId, now, tokensEnd(now), sql`${isAdded} AND ${isFirst}`, {
      browser: hash,
      othersThan: 'code',
    }),
  ];
}

/** What goes with removing a factor, once its entry is written: every other session ends, as the factor may have opened it. */
function withRemoved({ hash, userId }: BrowserSession, { id, at }: SignInEntry): SQL[] {
  const isRemoved = sql`EXISTS (SELECT 1 FROM sign_ins WHERE id = ${id})`;
  return endSessionsOf(userId, at, tokensEnd(at), isRemoved, { browser: hash });
}

/** Stores a passkey with its entry; false where the person has as many as they may, the browser is signed out, or somebody has the same one. */
export async function addPasskey(
  db: Database,
  { id, userId, publicKey, counter, transports, name, createdAt }: Omit<Passkey, 'usedAt'>,
  session: BrowserSession,
  entry: SignInEntry,
): Promise<boolean> {
  const isAdded = sql`EXISTS (SELECT 1 FROM passkeys WHERE id = ${id} AND user_id = ${userId} AND created_at = CAST(${createdAt} AS INTEGER))`;
  const [added] = await sqlBatch(db, [
    sql`INSERT INTO passkeys (id, user_id, public_key, counter, transports, name, created_at)
        SELECT ${id}, ${userId}, ${publicKey}, CAST(${counter} AS INTEGER), ${JSON.stringify(transports)}, ${name}, CAST(${createdAt} AS INTEGER)
        WHERE ${isSignedIn(session)} AND (SELECT count(*) FROM passkeys WHERE user_id = ${userId}) < CAST(${PASSKEYS_MAX} AS INTEGER)
        ON CONFLICT DO NOTHING RETURNING id`,
    signInEntry(entry, isAdded),
    ...withAdded(session, 'passkey', entry.at, isAdded),
  ]);
  return added?.length === 1;
}

/** Writes down that a passkey has signed: its count goes up, unless it keeps none. False where it goes back: somebody has a copy. */
export async function countPasskeyUse(
  db: Database,
  { id, counter, now }: { readonly id: string; readonly counter: number; readonly now: number },
): Promise<boolean> {
  const [used] = await sqlBatch(db, [
    sql`UPDATE passkeys SET counter = ${counter}, used_at = ${now}
        WHERE id = ${id} AND (counter < ${counter} OR (counter = 0 AND ${counter} = 0)) RETURNING id`,
  ]);
  return used?.length === 1;
}

/** @returns its name; null where there is no such passkey of theirs, or the browser is signed out */
export async function removePasskey(
  db: Database,
  id: string,
  session: BrowserSession,
  entry: SignInEntry,
): Promise<string | null> {
  const { userId } = session;
  const isTheirs = sql`EXISTS (SELECT 1 FROM passkeys WHERE id = ${id} AND user_id = ${userId}) AND ${isSignedIn(session)}`;
  const [, removed] = await sqlBatch<[unknown[], { name: string }[], ...unknown[][]]>(db, [
    signInEntry(entry, isTheirs),
    sql`DELETE FROM passkeys WHERE id = ${id} AND user_id = ${userId} AND ${isSignedIn(session)} RETURNING name`,
    WITHOUT_FACTORS(userId),
    ...withRemoved(session, entry),
  ]);
  return removed[0]?.name ?? null;
}

/** Recovery codes stand in for a factor: without one there are none. */
const WITHOUT_FACTORS = (userId: string) => sql`DELETE FROM recovery_codes WHERE user_id = ${userId}
  AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = ${userId})
  AND NOT EXISTS (SELECT 1 FROM totp_factors WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`;

export async function findTotp(db: Database, userId: string): Promise<TotpFactor | null> {
  return (await db.select().from(totpFactors).where(eq(totpFactors.userId, userId)).get()) ?? null;
}

/** Begins an enrolment, in place of one that was not confirmed; false where there is one that was, or the browser is signed out. */
export async function beginTotp(
  db: Database,
  secretSealed: string,
  session: BrowserSession,
  now: number,
): Promise<boolean> {
  const { userId, hash } = session;
  const [begun] = await sqlBatch(db, [
    sql`INSERT INTO totp_factors (user_id, secret_sealed, created_at, browser_hash)
        SELECT ${userId}, ${secretSealed}, CAST(${now} AS INTEGER), ${hash} WHERE ${isSignedIn(session)}
        ON CONFLICT (user_id) DO UPDATE SET secret_sealed = excluded.secret_sealed, created_at = excluded.created_at, browser_hash = excluded.browser_hash
        WHERE confirmed_at IS NULL RETURNING user_id`,
  ]);
  return begun?.length === 1;
}

/** Confirms the enrolment of this very secret, in the browser that has begun it, by a code of a step, which is used up. */
export async function confirmTotp(
  db: Database,
  { secretSealed, step, now }: { readonly secretSealed: string; readonly step: number; readonly now: number },
  session: BrowserSession,
  entry: SignInEntry,
): Promise<boolean> {
  const { userId, hash } = session;
  const isConfirmed = sql`EXISTS (SELECT 1 FROM totp_factors WHERE user_id = ${userId} AND secret_sealed = ${secretSealed} AND confirmed_at = CAST(${now} AS INTEGER))`;
  const [confirmed] = await sqlBatch(db, [
    sql`UPDATE totp_factors SET confirmed_at = ${now}, last_step = ${step}, browser_hash = NULL
        WHERE user_id = ${userId} AND secret_sealed = ${secretSealed} AND confirmed_at IS NULL AND browser_hash = ${hash}
          AND created_at > CAST(${now - ENROLMENT_MS_MAX} AS INTEGER) AND ${isSignedIn(session)} RETURNING user_id`,
    signInEntry(entry, isConfirmed),
    ...withAdded(session, 'code_and_totp', now, isConfirmed),
  ]);
  return confirmed?.length === 1;
}

export async function removeTotp(db: Database, session: BrowserSession, entry: SignInEntry): Promise<boolean> {
  const { userId } = session;
  const isTheirs = sql`EXISTS (SELECT 1 FROM totp_factors WHERE user_id = ${userId} AND confirmed_at IS NOT NULL) AND ${isSignedIn(session)}`;
  const [, removed] = await sqlBatch<[unknown[], { confirmedAt: number | null }[], ...unknown[][]]>(db, [
    signInEntry(entry, isTheirs),
    sql`DELETE FROM totp_factors WHERE user_id = ${userId} AND ${isSignedIn(session)} RETURNING confirmed_at AS confirmedAt`,
    WITHOUT_FACTORS(userId),
    ...withRemoved(session, entry),
  ]);
  return removed[0] !== undefined && removed[0].confirmedAt !== null;
}

/**
 * Counts a code as a wrong one before it is compared.
 *
 * @returns whether two codes are asked for; null for who has no such factor
 */
export async function takeTryOfTotp(db: Database, userId: string, now: number): Promise<boolean | null> {
  const { wrongCodes, wrongSince } = totpFactors;
  const [row] = await db
    .update(totpFactors)
    .set({
      wrongCodes: sql`${wrongCodes} + 1`,
      wrongSince: sql`case when ${wrongCodes} = 0 then ${now} else ${wrongSince} end`,
    })
    .where(and(eq(totpFactors.userId, userId), sql`${totpFactors.confirmedAt} IS NOT NULL`))
    .returning({ wrongCodes: totpFactors.wrongCodes });
  return row === undefined ? null : row.wrongCodes > WRONG_TOTP_MAX;
}

/** Uses up a step; false where it, or a later one, was used before. A right code is no wrong one, and forgets those before it once the first is 30 days old. */
export async function spendTotpStep(
  db: Database,
  { userId, step, now }: { readonly userId: string; readonly step: number; readonly now: number },
): Promise<boolean> {
  const [used] = await sqlBatch(db, [
    sql`UPDATE totp_factors SET last_step = ${step},
          wrong_codes = CASE WHEN wrong_since <= ${now - WRONG_CODES_MS} THEN 0 ELSE max(0, wrong_codes - 1) END
        WHERE user_id = ${userId} AND confirmed_at IS NOT NULL AND last_step < ${step} RETURNING user_id`,
  ]);
  return used?.length === 1;
}

/** Other codes in place of those before; false where the person has nothing that they would stand in for, or the browser is signed out. */
export async function replaceRecoveryCodes(
  db: Database,
  hashes: readonly string[],
  session: BrowserSession,
  entry: SignInEntry,
): Promise<boolean> {
  const { userId } = session;
  const { at: now } = entry;
  const may = sql`${isSignedIn(session)} AND (EXISTS (SELECT 1 FROM passkeys WHERE user_id = ${userId})
    OR EXISTS (SELECT 1 FROM totp_factors WHERE user_id = ${userId} AND confirmed_at IS NOT NULL))`;
  const [, made] = await sqlBatch(db, [
    sql`DELETE FROM recovery_codes WHERE user_id = ${userId} AND ${may}`,
    sql`INSERT INTO recovery_codes (hash, user_id, created_at)
        SELECT value, ${userId}, CAST(${now} AS INTEGER) FROM json_each(${JSON.stringify(hashes)}) WHERE ${may} RETURNING hash`,
    signInEntry(entry, may),
  ]);
  return made?.length === hashes.length;
}

/** Spends a code; false for one that is not theirs, or was spent. */
export async function spendRecoveryCode(db: Database, hash: string, userId: string, now: number): Promise<boolean> {
  const used = await db
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(and(eq(recoveryCodes.hash, hash), eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
    .returning({ hash: recoveryCodes.hash });
  return used.length === 1;
}
