import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm';
import { ACCESS_TOKEN_LIFETIME_S } from '../../domain/identity/token-lifetime.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import type { Database } from '../database.ts';
import { mailMessage, type PostedMail } from '../mail/mail-messages.ts';
import { factorRecoveries } from '../schema/identity.ts';
import { sqlBatch } from '../sql-batch.ts';
import { endTokensOf } from './revocations.ts';
import { endSessionsOf } from './sessions.ts';
import { type SignInEntry, signInEntry } from './sign-ins.ts';
import type { Held } from './taken-back.ts';

export type FactorRecovery = Readonly<typeof factorRecoveries.$inferSelect>;

/** The recovery of a user that waits; null for none. */
export async function findWaitingRecovery(db: Database, userId: string): Promise<FactorRecovery | null> {
  const of = and(eq(factorRecoveries.userId, userId), eq(factorRecoveries.state, 'waiting'));
  return (await db.select().from(factorRecoveries).where(of).get()) ?? null;
}

export async function findRecovery(db: Database, id: string): Promise<FactorRecovery | null> {
  return (await db.select().from(factorRecoveries).where(eq(factorRecoveries.id, id)).get()) ?? null;
}

/** Those that may take effect, in the order in which they came due. */
export function listDueRecoveries(db: Database, now: number, limit: number): Promise<FactorRecovery[]> {
  return db
    .select()
    .from(factorRecoveries)
    .where(and(eq(factorRecoveries.state, 'waiting'), lte(factorRecoveries.dueAt, now)))
    .orderBy(asc(factorRecoveries.dueAt))
    .limit(limit);
}

/**
 * Writes down that a recovery is asked for, with the mail that tells of it; false where one waits, or there is nothing to remove. That of an account which somebody else has got into ends every session and token, as a kill switch does.
 *
 * @param ends what was good for the user without them, for the trail; null where it goes on
 */
export async function askForRecovery(
  db: Database,
  {
    userId,
    reason,
    compromised,
    now,
    dueAt,
  }: Pick<FactorRecovery, 'userId' | 'reason' | 'compromised' | 'dueAt'> & { readonly now: number },
  told: PostedMail,
  ends: (Held & { readonly orders: number; readonly sessions: number }) | null,
  action: OperatorAction,
): Promise<boolean> {
  return changeOnce(db, {
    action,
    type: 'operator.factor_recovery_asked',
    subject: userId,
    details: { reason, compromised, ...(ends === null ? {} : { ends }) },
    before: null,
    after: { dueAt },
    now,
    when: sql`NOT EXISTS (SELECT 1 FROM factor_recoveries WHERE user_id = ${userId} AND state = 'waiting')
      AND (EXISTS (SELECT 1 FROM passkeys WHERE user_id = ${userId})
        OR EXISTS (SELECT 1 FROM totp_factors WHERE user_id = ${userId} AND confirmed_at IS NOT NULL))`,
    writes: (takesPlace) => [
      sql`INSERT INTO factor_recoveries (id, user_id, asked_by, reason, asked_at, due_at, compromised)
          SELECT ${action.id}, ${userId}, ${action.actor}, ${reason}, CAST(${now} AS INTEGER), CAST(${dueAt} AS INTEGER), ${compromised ? 1 : 0} WHERE ${takesPlace}`,
      mailMessage(told, takesPlace),
      ...(compromised
        ? [
            ...endSessionsOf(userId, now, now + ACCESS_TOKEN_LIFETIME_S * 1_000, takesPlace),
            ...endTokensOf(userId, now, takesPlace),
          ]
        : []),
    ],
  });
}

/** Stops the recovery of somebody who has shown that they have not lost their factors; false where none waits that a factor stops. */
export async function stopRecovery(db: Database, userId: string, entry: SignInEntry): Promise<boolean> {
  const waits = sql`user_id = ${userId} AND state = 'waiting' AND compromised = 0`;
  const [, stopped] = await sqlBatch(db, [
    signInEntry(entry, sql`EXISTS (SELECT 1 FROM factor_recoveries WHERE ${waits})`),
    sql`UPDATE factor_recoveries SET state = 'stopped', ended_at = ${entry.at} WHERE ${waits} RETURNING id`,
  ]);
  return stopped?.length === 1;
}

/** The same by an operator, whatever the recovery is of; false where none waits. */
export async function stopRecoveryOf(
  db: Database,
  { userId, reason, entry }: { readonly userId: string; readonly reason: string; readonly entry: SignInEntry },
  action: OperatorAction,
): Promise<boolean> {
  const waits = sql`user_id = ${userId} AND state = 'waiting'`;
  return changeOnce(db, {
    action,
    type: 'operator.factor_recovery_stopped',
    subject: userId,
    details: { reason },
    before: { state: 'waiting' },
    after: { state: 'stopped' },
    now: entry.at,
    when: sql`EXISTS (SELECT 1 FROM factor_recoveries WHERE ${waits})`,
    writes: (takesPlace) => [
      signInEntry(entry, takesPlace),
      sql`UPDATE factor_recoveries SET state = 'stopped', ended_at = ${entry.at} WHERE ${waits} AND ${takesPlace}`,
    ],
  });
}

/** Has a recovery take effect, whole or not at all: every factor goes, and every session. False where it waits no more, or is not due. */
export async function completeRecovery(
  db: Database,
  { id, userId }: Pick<FactorRecovery, 'id' | 'userId'>,
  entry: SignInEntry,
  told: PostedMail,
): Promise<boolean> {
  const { at: now } = entry;
  const takesPlace: SQL = sql`EXISTS (SELECT 1 FROM factor_recoveries WHERE id = ${id} AND state = 'waiting' AND due_at <= CAST(${now} AS INTEGER))`;
  const results = await sqlBatch(db, [
    ...['passkeys', 'totp_factors', 'recovery_codes'].map(
      (table) => sql`DELETE FROM ${sql.identifier(table)} WHERE user_id = ${userId} AND ${takesPlace}`,
    ),
    ...endSessionsOf(userId, now, now + ACCESS_TOKEN_LIFETIME_S * 1_000, takesPlace),
    signInEntry(entry, takesPlace),
    mailMessage(told, takesPlace),
    sql`UPDATE factor_recoveries SET state = 'done', ended_at = ${now} WHERE id = ${id} AND ${takesPlace} RETURNING id`,
  ]);
  return results.at(-1)?.length === 1;
}
