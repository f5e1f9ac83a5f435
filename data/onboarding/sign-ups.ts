import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { ComplianceFacts } from '../../domain/accounts/account.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import {
  FIRST_PHONE_CODES_MAX,
  MAIL_CODE_PAUSE_MS,
  MAIL_CODE_TRIES_MAX,
  MAIL_CODES_MAX,
  MAIL_PAUSE_MS,
  MAILS_OF_ADDRESSEE_MAX,
  MAILS_OF_ASKER_MAX,
  MAILS_OF_ASKERS_MAX,
  PHONE_CODES_MAX,
  PHONE_CODES_OF_ADDRESS_MAX,
  PHONE_CODES_OF_DAY_MAX,
  SIGN_UPS_MAX,
  SIGN_UPS_OF_ADDRESS_MAX,
} from '../../domain/onboarding/sign-up.ts';
import { createOnce } from '../create-once.ts';
import type { Database } from '../database.ts';
import { type ConfirmedAddress, isMailAddressOfAnother, mailAddressWrite } from '../identity/mail-address.ts';
import { signUps } from '../schema/onboarding.ts';
import { sqlBatch } from '../sql-batch.ts';

export type SignUpRow = Readonly<typeof signUps.$inferSelect>;

type NewSignUp = Pick<
  SignUpRow,
  'id' | 'address' | 'mailHash' | 'facts' | 'codeHash' | 'codeExpiresAt' | 'userId' | 'createdAt' | 'expiresAt'
>;

/** Whether the mail address may be sent another mail now, because the address asks: by what all have together, or by what is its own. */
function mayBeMailed({ mailHash, address }: Pick<SignUpRow, 'mailHash' | 'address'>, now: number): SQL {
  const since = sql`CAST(${now - DAY_MS} AS INTEGER)`;
  const sent = sql`SELECT coalesce(sum(mails), 0) FROM sign_ups WHERE mail_hash = ${mailHash} AND created_at > ${since}`;
  return sql`((${sent}) < CAST(${MAILS_OF_ADDRESSEE_MAX} AS INTEGER)
    OR (SELECT max(mailed_at) FROM sign_ups WHERE mail_hash = ${mailHash} AND created_at > ${since}) < CAST(${now - MAIL_PAUSE_MS} AS INTEGER)
    OR ((${sent} AND address = ${address}) < CAST(${MAILS_OF_ASKER_MAX} AS INTEGER) AND (${sent}) < CAST(${MAILS_OF_ASKERS_MAX} AS INTEGER)))`;
}

interface Begun {
  /** Whether the code is to be mailed. Whoever asks does not see it. */
  readonly isMailed: boolean;
  /** Unfinished sign-ups of all strangers together. */
  readonly open: number;
}

/** Stores a sign-up that is about to be mailed a code, or none where the mail address has had as many as may be; null where its address or everybody together has begun as many as may be. */
export async function addSignUp(db: Database, row: NewSignUp, now: number): Promise<Begun | null> {
  const { id, address, mailHash, facts, codeHash, codeExpiresAt, userId, createdAt, expiresAt } = row;
  const isMailed = mayBeMailed(row, now);
  const [made, open] = await sqlBatch<[{ mails: number }[], { count: number }[]]>(db, [
    sql`INSERT INTO sign_ups (id, address, mail_hash, facts, code_hash, code_expires_at, mails, mailed_at, codes_asked, code_asked_at, user_id, created_at, expires_at)
        SELECT ${id}, ${address}, ${mailHash}, ${facts}, CASE WHEN ${isMailed} THEN ${codeHash} ELSE '' END, ${codeExpiresAt}, ${isMailed}, CASE WHEN ${isMailed} THEN ${now} ELSE 0 END,
               1, ${now}, ${userId}, ${createdAt}, ${expiresAt}
        WHERE (SELECT count(*) FROM sign_ups WHERE address = ${address} AND created_at > CAST(${now - DAY_MS} AS INTEGER)) < CAST(${SIGN_UPS_OF_ADDRESS_MAX} AS INTEGER)
          AND (SELECT count(*) FROM sign_ups WHERE completed_at IS NULL) < CAST(${SIGN_UPS_MAX} AS INTEGER)
        RETURNING mails`,
    sql`SELECT count(*) AS count FROM sign_ups WHERE completed_at IS NULL`,
  ]);
  return made[0] === undefined ? null : { isMailed: made[0].mails === 1, open: open[0]?.count ?? 0 };
}

/** One that is neither over nor done. */
export async function findSignUp(db: Database, id: string, now: number): Promise<SignUpRow | null> {
  const isOpen = and(eq(signUps.id, id), gt(signUps.expiresAt, now), sql`${signUps.completedAt} IS NULL`);
  return (await db.select().from(signUps).where(isOpen).get()) ?? null;
}

interface Renewed {
  /** How many mails the sign-up has had; null where none goes now: whoever asks does not see it. */
  readonly mails: number | null;
}

/** Puts another code in the place of the one before, where the mail address may be sent another mail now; null where the sign-up may not ask for one now. */
export async function renewMailCode(
  db: Database,
  { id, mailHash, address }: Pick<SignUpRow, 'id' | 'mailHash' | 'address'>,
  { codeHash, codeExpiresAt }: Pick<SignUpRow, 'codeHash' | 'codeExpiresAt'>,
  now: number,
): Promise<Renewed | null> {
  const isMailed = mayBeMailed({ mailHash, address }, now);
  const [changed] = await sqlBatch<[{ mails: number; isMailed: number }[]]>(db, [
    sql`UPDATE sign_ups SET codes_asked = codes_asked + 1, code_asked_at = ${now}, mails = mails + ${isMailed}, mailed_at = CASE WHEN ${isMailed} THEN ${now} ELSE mailed_at END,
          code_hash = CASE WHEN ${isMailed} THEN ${codeHash} ELSE code_hash END, code_expires_at = CASE WHEN ${isMailed} THEN ${codeExpiresAt} ELSE code_expires_at END,
          code_tries = CASE WHEN ${isMailed} THEN 0 ELSE code_tries END
        WHERE id = ${id} AND mail_confirmed_at IS NULL AND codes_asked < CAST(${MAIL_CODES_MAX} AS INTEGER)
          AND code_asked_at <= CAST(${now - MAIL_CODE_PAUSE_MS} AS INTEGER)
        RETURNING mails, mailed_at = code_asked_at AS isMailed`,
  ]);
  const [row] = changed;
  return row === undefined ? null : { mails: row.isMailed === 1 ? row.mails : null };
}

/** Uses up a try before anything is compared. @returns the hash of the code that is good; null where there is no try or no code left */
export async function takeMailTry(db: Database, id: string, now: number): Promise<string | null> {
  const [rows] = await sqlBatch<[{ codeHash: string }[]]>(db, [
    sql`UPDATE sign_ups SET code_tries = code_tries + 1
        WHERE id = ${id} AND code_tries < CAST(${MAIL_CODE_TRIES_MAX} AS INTEGER) AND code_expires_at > CAST(${now} AS INTEGER) AND mail_confirmed_at IS NULL
        RETURNING code_hash AS codeHash`,
  ]);
  return rows[0]?.codeHash ?? null;
}

/** The code serves once. */
export async function confirmMailAddress(db: Database, id: string, codeHash: string, now: number): Promise<boolean> {
  const [rows] = await sqlBatch(db, [
    sql`UPDATE sign_ups SET mail_confirmed_at = ${now}, code_hash = ''
        WHERE id = ${id} AND code_hash = ${codeHash} AND code_hash <> '' AND mail_confirmed_at IS NULL RETURNING id`,
  ]);
  return rows?.length === 1;
}

/** Writes down what a person has said; false where it has changed meanwhile. Another phone is not confirmed. */
export async function changeSignUp(
  db: Database,
  { id, facts: before }: Pick<SignUpRow, 'id' | 'facts'>,
  change: { readonly facts: string; readonly phoneConfirmedAt: number | null },
): Promise<boolean> {
  const [rows] = await sqlBatch(db, [
    sql`UPDATE sign_ups SET facts = ${change.facts}, phone_confirmed_at = ${change.phoneConfirmedAt}
        WHERE id = ${id} AND facts = ${before} AND mail_confirmed_at IS NOT NULL AND completed_at IS NULL RETURNING id`,
  ]);
  return rows?.length === 1;
}

/**
 * Counts a message with a code before it is sent. The last part of what everybody has in a day is kept for addresses that have had few: one that has many does not keep the others out.
 *
 * @returns how many messages everybody has had; null where the sign-up, its address or everybody together has had as many as may be
 */
export async function takePhoneCode(
  db: Database,
  { id, address }: Pick<SignUpRow, 'id' | 'address'>,
  now: number,
): Promise<number | null> {
  const since = sql`CAST(${now - DAY_MS} AS INTEGER)`;
  const ofAddress = sql`(SELECT sum(phone_codes) FROM sign_ups WHERE address = ${address} AND created_at > ${since})`;
  const [rows, sent] = await sqlBatch<[{ id: string }[], { sent: number }[]]>(db, [
    sql`UPDATE sign_ups SET phone_codes = phone_codes + 1
        WHERE id = ${id} AND mail_confirmed_at IS NOT NULL AND phone_codes < CAST(${PHONE_CODES_MAX} AS INTEGER)
          AND ${ofAddress} < CAST(${PHONE_CODES_OF_ADDRESS_MAX} AS INTEGER)
          AND (SELECT sum(phone_codes) FROM sign_ups)
            < CASE WHEN ${ofAddress} < CAST(${FIRST_PHONE_CODES_MAX} AS INTEGER) THEN CAST(${PHONE_CODES_OF_DAY_MAX} AS INTEGER) ELSE CAST(${PHONE_CODES_OF_DAY_MAX / 2} AS INTEGER) END
        RETURNING id`,
    sql`SELECT sum(phone_codes) AS sent FROM sign_ups`,
  ]);
  return rows.length === 1 ? (sent[0]?.sent ?? 0) : null;
}

interface SignedUp {
  /** Of user and account. */
  readonly id: string;
  /** Id of the sign-up. */
  readonly signUp: string;
  readonly owner: string;
  readonly name: string;
  readonly phone: string;
  readonly facts: ComplianceFacts;
  /** The address as it was confirmed. */
  readonly mail: ConfirmedAddress;
}

interface SignedUpTerms {
  readonly requestId: string;
  readonly now: number;
  /** IAM_KEY_ENCRYPTION_KEY. */
  readonly masterKey: string;
}

/**
 * Makes the user with their account and mail address, and ends the sign-up, in one batch, once: what the person has said stands there from then on. The row of the sign-up counts for its
 * address until its day is over. The trail does not name the person: who may see accounts finds them by id.
 *
 * @returns false where the phone number or the mail address has become somebody's
 */
export async function createSignedUp(
  db: Database,
  { id, signUp, owner, name, phone, facts, mail }: SignedUp,
  { requestId, now, masterKey }: SignedUpTerms,
): Promise<boolean> {
  const isMade = sql`EXISTS (SELECT 1 FROM users WHERE id = ${id} AND phone = ${phone})`;
  const address = await mailAddressWrite(mail, masterKey, isMade);
  return createOnce(db, {
    action: { id, actor: id, requestId },
    type: 'person.signed_up',
    subject: id,
    after: { id, owner, roles: ['trader'], account: facts },
    now,
    conflict: sql`SELECT 1 FROM users WHERE id = ${id} OR phone = ${phone} UNION ALL SELECT 1 WHERE ${isMailAddressOfAnother(mail)}`,
    inserts: (takesPlace) => [
      sql`INSERT INTO users (id, owner, phone, email, name, roles, service, created_at)
          SELECT ${id}, ${owner}, ${phone}, ${mail.address}, ${name}, '["trader"]', 0, ${now} WHERE ${takesPlace} ON CONFLICT DO NOTHING`,
      sql`INSERT INTO accounts (id, owner, user_id, kyc_status, accreditation_status, accreditation_type, us_person, annual_income, net_worth, frozen, created_at)
          SELECT ${id}, ${owner}, ${id}, ${facts.kycStatus}, ${facts.accreditationStatus}, ${facts.accreditationType}, ${facts.usPerson ? 1 : 0},
                 ${facts.annualIncome}, ${facts.netWorth}, ${facts.frozen ? 1 : 0}, ${now} WHERE ${takesPlace} ON CONFLICT DO NOTHING`,
      address,
      sql`UPDATE sign_ups SET completed_at = ${now}, facts = '', code_hash = '' WHERE id = ${signUp} AND completed_at IS NULL AND ${takesPlace}`,
    ],
  });
}

/** Whether a sign-up of the last day has led to an account. */
export async function isSignUpCompleted(db: Database, id: string, now: number): Promise<boolean> {
  const isDone = and(eq(signUps.id, id), gt(signUps.expiresAt, now), sql`${signUps.completedAt} IS NOT NULL`);
  return (await db.select({ id: signUps.id }).from(signUps).where(isDone).get()) !== undefined;
}
