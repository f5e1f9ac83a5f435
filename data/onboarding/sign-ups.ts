import { and, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { ComplianceFacts } from '../../domain/accounts/account.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import {
  MAIL_CODE_PAUSE_MS,
  MAIL_CODE_TRIES_MAX,
  MAIL_CODES_MAX,
  MAIL_PAUSE_MS,
  MAILS_OF_ADDRESSEE_MAX,
  PHONE_CODES_MAX,
  PHONE_CODES_OF_ADDRESS_MAX,
  PHONE_CODES_OF_DAY_MAX,
  SIGN_UPS_MAX,
  SIGN_UPS_OF_ADDRESS_MAX,
} from '../../domain/onboarding/sign-up.ts';
import { createOnce } from '../create-once.ts';
import type { Database } from '../database.ts';
import { signUps } from '../schema/onboarding.ts';
import { sqlBatch } from '../sql-batch.ts';

export type SignUpRow = Readonly<typeof signUps.$inferSelect>;

type NewSignUp = Pick<
  SignUpRow,
  'id' | 'address' | 'mailHash' | 'facts' | 'codeHash' | 'codeExpiresAt' | 'userId' | 'createdAt' | 'expiresAt'
>;

/** Whether the mail address may be sent another mail now. */
function mayBeMailed(mailHash: string, now: number): SQL {
  const since = sql`CAST(${now - DAY_MS} AS INTEGER)`;
  return sql`((SELECT coalesce(sum(mails), 0) FROM sign_ups WHERE mail_hash = ${mailHash} AND created_at > ${since}) < CAST(${MAILS_OF_ADDRESSEE_MAX} AS INTEGER)
    OR (SELECT max(mailed_at) FROM sign_ups WHERE mail_hash = ${mailHash} AND created_at > ${since}) < CAST(${now - MAIL_PAUSE_MS} AS INTEGER))`;
}

/** Stores a sign-up that is about to be mailed a code; false where its address, the mail address or everybody together has begun as many as may be. */
export async function addSignUp(db: Database, row: NewSignUp, now: number): Promise<boolean> {
  const { id, address, mailHash, facts, codeHash, codeExpiresAt, userId, createdAt, expiresAt } = row;
  const [made] = await sqlBatch(db, [
    sql`INSERT INTO sign_ups (id, address, mail_hash, facts, code_hash, code_expires_at, mails, mailed_at, user_id, created_at, expires_at)
        SELECT ${id}, ${address}, ${mailHash}, ${facts}, ${codeHash}, ${codeExpiresAt}, 1, ${now}, ${userId}, ${createdAt}, ${expiresAt}
        WHERE (SELECT count(*) FROM sign_ups WHERE address = ${address} AND created_at > CAST(${now - DAY_MS} AS INTEGER)) < CAST(${SIGN_UPS_OF_ADDRESS_MAX} AS INTEGER)
          AND (SELECT count(*) FROM sign_ups WHERE completed_at IS NULL) < CAST(${SIGN_UPS_MAX} AS INTEGER)
          AND ${mayBeMailed(mailHash, now)}
        RETURNING id`,
  ]);
  return made?.length === 1;
}

/** One that is neither over nor done. */
export async function findSignUp(db: Database, id: string, now: number): Promise<SignUpRow | null> {
  const isOpen = and(eq(signUps.id, id), gt(signUps.expiresAt, now), sql`${signUps.completedAt} IS NULL`);
  return (await db.select().from(signUps).where(isOpen).get()) ?? null;
}

/** Puts another code in the place of the one before; false where another may not be mailed now. */
export async function renewMailCode(
  db: Database,
  { id, mailHash }: Pick<SignUpRow, 'id' | 'mailHash'>,
  { codeHash, codeExpiresAt }: Pick<SignUpRow, 'codeHash' | 'codeExpiresAt'>,
  now: number,
): Promise<boolean> {
  const [changed] = await sqlBatch(db, [
    sql`UPDATE sign_ups SET code_hash = ${codeHash}, code_expires_at = ${codeExpiresAt}, code_tries = 0, mails = mails + 1, mailed_at = ${now}
        WHERE id = ${id} AND mail_confirmed_at IS NULL AND mails < CAST(${MAIL_CODES_MAX} AS INTEGER)
          AND mailed_at <= CAST(${now - MAIL_CODE_PAUSE_MS} AS INTEGER) AND ${mayBeMailed(mailHash, now)}
        RETURNING id`,
  ]);
  return changed?.length === 1;
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

/** Counts a message with a code before it is sent; false where the sign-up, its address or everybody together has had as many as may be. */
export async function takePhoneCode(
  db: Database,
  { id, address }: Pick<SignUpRow, 'id' | 'address'>,
  now: number,
): Promise<boolean> {
  const since = sql`CAST(${now - DAY_MS} AS INTEGER)`;
  const [rows] = await sqlBatch(db, [
    sql`UPDATE sign_ups SET phone_codes = phone_codes + 1
        WHERE id = ${id} AND mail_confirmed_at IS NOT NULL AND phone_codes < CAST(${PHONE_CODES_MAX} AS INTEGER)
          AND (SELECT sum(phone_codes) FROM sign_ups WHERE address = ${address} AND created_at > ${since}) < CAST(${PHONE_CODES_OF_ADDRESS_MAX} AS INTEGER)
          AND (SELECT sum(phone_codes) FROM sign_ups) < CAST(${PHONE_CODES_OF_DAY_MAX} AS INTEGER)
        RETURNING id`,
  ]);
  return rows?.length === 1;
}

interface SignedUp {
  /** Of user and account. */
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly mail: string;
  /** `mailAddressHash` (`application/mail/mail-addresses.ts`). */
  readonly mailHash: string;
  readonly phone: string;
  readonly facts: ComplianceFacts;
}

/**
 * Makes the user and their account in one batch, once. The trail does not name the person: who may see accounts finds them by id.
 *
 * @returns false where the phone number or the mail address has become somebody's
 */
export function createSignedUp(
  db: Database,
  { id, owner, name, mail, mailHash, phone, facts }: SignedUp,
  { requestId, now }: { readonly requestId: string; readonly now: number },
): Promise<boolean> {
  return createOnce(db, {
    action: { id, actor: id, requestId },
    type: 'person.signed_up',
    subject: id,
    after: { id, owner, roles: ['trader'], account: facts },
    now,
    conflict: sql`SELECT 1 FROM users WHERE id = ${id} OR phone = ${phone} UNION ALL SELECT 1 FROM mail_addresses WHERE address_hash = ${mailHash} AND user_id <> ${id}`,
    inserts: (takesPlace) => [
      sql`INSERT INTO users (id, owner, phone, email, name, roles, service, created_at)
          SELECT ${id}, ${owner}, ${phone}, ${mail}, ${name}, '["trader"]', 0, ${now} WHERE ${takesPlace} ON CONFLICT DO NOTHING`,
      sql`INSERT INTO accounts (id, owner, user_id, kyc_status, accreditation_status, accreditation_type, us_person, annual_income, net_worth, frozen, created_at)
          SELECT ${id}, ${owner}, ${id}, ${facts.kycStatus}, ${facts.accreditationStatus}, ${facts.accreditationType}, ${facts.usPerson ? 1 : 0},
                 ${facts.annualIncome}, ${facts.netWorth}, ${facts.frozen ? 1 : 0}, ${now} WHERE ${takesPlace} ON CONFLICT DO NOTHING`,
    ],
  });
}

/** It has led to an account: what the person has said stands there. Its row counts for its address until its day is over. */
export async function completeSignUp(db: Database, id: string, now: number): Promise<void> {
  await sqlBatch(db, [
    sql`UPDATE sign_ups SET completed_at = ${now}, facts = '', code_hash = '' WHERE id = ${id} AND completed_at IS NULL`,
  ]);
}
