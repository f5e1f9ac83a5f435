import { and, asc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { ADDRESS_CHANGES_OF_DAY_MAX } from '../../domain/mail/address-change.ts';
import { MAIL_CODE_PAUSE_MS, MAIL_CODE_TRIES_MAX } from '../../domain/onboarding/sign-up.ts';
import type { Database } from '../database.ts';
import { mailAddressChanges } from '../schema/mail.ts';
import { sqlBatch } from '../sql-batch.ts';
import { isSignedIn, stands } from './browser-sessions.ts';
import { type SignInEntry, signInEntry } from './sign-ins.ts';

export type MailAddressChange = Readonly<typeof mailAddressChanges.$inferSelect>;

/** What the seal of an address that is asked for is bound to. */
export const addressChangeContext = (id: string): string => `change of a mail address ${id}`;

type NewChange = Omit<MailAddressChange, 'codeTries' | 'state' | 'dueAt' | 'endedAt'>;

/** What is left of a change that has ended. */
const FORGOTTEN = sql`address_sealed = '', code_hash = ''`;

/**
 * Writes down that a user asks for another address, with the mail that has its code. One whose code was not shown lapses.
 *
 * @param mailed its statement, under the condition that it gets
 * @returns false beyond what a user may ask for in a day, shortly after the last one, while one waits, or where the browser is signed in no more
 */
export async function askForAddressChange(
  db: Database,
  change: NewChange,
  mailed: (when: SQL) => SQL,
  entry: SignInEntry,
): Promise<boolean> {
  const {
    id,
    userId,
    addressSealed,
    language,
    codeHash,
    codeExpiresAt,
    browser,
    method,
    signedInAt,
    askedAt: now,
  } = change;
  const isAsked = sql`EXISTS (SELECT 1 FROM mail_address_changes WHERE id = ${id})`;
  const mayAsk = sql`${isSignedIn(browser)} AND ${stands(sql`${userId}`, sql`CAST(${signedInAt} AS INTEGER)`)}
    AND NOT EXISTS (SELECT 1 FROM mail_address_changes WHERE user_id = ${userId} AND (state = 'waiting' OR asked_at > CAST(${now - MAIL_CODE_PAUSE_MS} AS INTEGER)))
    AND (SELECT count(*) FROM mail_address_changes WHERE user_id = ${userId} AND asked_at > CAST(${now - DAY_MS} AS INTEGER)) < CAST(${ADDRESS_CHANGES_OF_DAY_MAX} AS INTEGER)`;
  const results = await sqlBatch(db, [
    sql`UPDATE mail_address_changes SET state = 'lapsed', ended_at = ${now}, ${FORGOTTEN} WHERE user_id = ${userId} AND state = 'asked' AND ${mayAsk}`,
    sql`INSERT INTO mail_address_changes (id, user_id, address_sealed, language, code_hash, code_expires_at, browser, method, signed_in_at, asked_at)
        SELECT ${id}, ${userId}, ${addressSealed}, ${language}, ${codeHash}, ${codeExpiresAt}, ${browser}, ${method}, ${signedInAt}, ${now} WHERE ${mayAsk}`,
    mailed(isAsked),
    signInEntry(entry, isAsked),
    sql`SELECT 1 WHERE ${isAsked}`,
  ]);
  return results.at(-1)?.length === 1;
}

/** The change of a user that is under way; null for none, and for one whose code is out of date. */
export async function findOpenAddressChange(
  db: Database,
  userId: string,
  now: number,
): Promise<MailAddressChange | null> {
  const isOpen = sql`(${mailAddressChanges.state} = 'waiting' OR (${mailAddressChanges.state} = 'asked' AND ${mailAddressChanges.codeExpiresAt} > ${now}))`;
  return (
    (await db
      .select()
      .from(mailAddressChanges)
      .where(
        and(eq(mailAddressChanges.userId, userId), inArray(mailAddressChanges.state, ['asked', 'waiting']), isOpen),
      )
      .get()) ?? null
  );
}

/** Uses up a try before anything is compared. @returns the hash of the code that is good; null where there is no try or no code left */
export async function takeAddressTry(db: Database, id: string, now: number): Promise<string | null> {
  const [rows] = await sqlBatch<[{ codeHash: string }[]]>(db, [
    sql`UPDATE mail_address_changes SET code_tries = code_tries + 1
        WHERE id = ${id} AND state = 'asked' AND code_tries < CAST(${MAIL_CODE_TRIES_MAX} AS INTEGER) AND code_expires_at > CAST(${now} AS INTEGER)
        RETURNING code_hash AS codeHash`,
  ]);
  return rows[0]?.codeHash ?? null;
}

/** The code was shown: from here on the change waits. It serves once. @param told the statement that tells of it, under the condition that it gets */
export async function confirmAddressChange(
  db: Database,
  { id, codeHash, dueAt }: { readonly id: string; readonly codeHash: string; readonly dueAt: number },
  told: (when: SQL) => Promise<SQL>,
): Promise<boolean> {
  const isGood = sql`EXISTS (SELECT 1 FROM mail_address_changes WHERE id = ${id} AND state = 'asked' AND code_hash = ${codeHash} AND code_hash <> '')`;
  const results = await sqlBatch(db, [
    await told(isGood),
    sql`UPDATE mail_address_changes SET state = 'waiting', due_at = ${dueAt}, code_hash = '' WHERE id = ${id} AND ${isGood} RETURNING id`,
  ]);
  return results.at(-1)?.length === 1;
}

/** Stops what a user has asked for; false where nothing is under way. */
export async function stopAddressChange(db: Database, userId: string, entry: SignInEntry): Promise<boolean> {
  const isOpen = sql`user_id = ${userId} AND state IN ('asked', 'waiting')`;
  const [, stopped] = await sqlBatch(db, [
    signInEntry(entry, sql`EXISTS (SELECT 1 FROM mail_address_changes WHERE ${isOpen})`),
    sql`UPDATE mail_address_changes SET state = 'stopped', ended_at = ${entry.at}, ${FORGOTTEN} WHERE ${isOpen} RETURNING id`,
  ]);
  return stopped?.length === 1;
}

/** Those that may take effect, in the order in which they came due. */
export function listDueAddressChanges(db: Database, now: number, limit: number): Promise<MailAddressChange[]> {
  return db
    .select()
    .from(mailAddressChanges)
    .where(and(eq(mailAddressChanges.state, 'waiting'), lte(mailAddressChanges.dueAt, now)))
    .orderBy(asc(mailAddressChanges.dueAt))
    .limit(limit);
}

/** That a change takes effect now: it waits, its time has come, and its person has ended nothing of theirs since they signed in to ask, nor is their account being taken back from somebody else. */
export function takesEffect({ id, userId, signedInAt }: MailAddressChange, now: number): SQL {
  return sql`EXISTS (SELECT 1 FROM mail_address_changes WHERE id = ${id} AND state = 'waiting' AND due_at <= CAST(${now} AS INTEGER))
    AND ${stands(sql`${userId}`, sql`CAST(${signedInAt} AS INTEGER)`)}`;
}

/** The statement that writes a confirmed address where operators and the claim `email` read it. */
export function emailWrite(userId: string, address: string, when: SQL): SQL {
  return sql`UPDATE users SET email = ${address} WHERE id = ${userId} AND ${when}`;
}

/** The statement that ends a change which has taken effect. */
export function doneWith(id: string, now: number, when: SQL): SQL {
  return sql`UPDATE mail_address_changes SET state = 'done', ended_at = ${now}, ${FORGOTTEN} WHERE id = ${id} AND state = 'waiting' AND ${when} RETURNING id`;
}

/** Lets a change that could not take effect wait for longer. */
export async function putOffAddressChange(db: Database, id: string, dueAt: number): Promise<void> {
  await sqlBatch(db, [sql`UPDATE mail_address_changes SET due_at = ${dueAt} WHERE id = ${id} AND state = 'waiting'`]);
}

/** Ends a change that may not take effect. */
export async function lapseAddressChange(db: Database, id: string, now: number): Promise<void> {
  await sqlBatch(db, [
    sql`UPDATE mail_address_changes SET state = 'lapsed', ended_at = ${now}, ${FORGOTTEN} WHERE id = ${id} AND state = 'waiting'`,
  ]);
}
