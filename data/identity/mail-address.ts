import { eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { MailLanguage } from '../../domain/mail/mail-kinds.ts';
import type { Database } from '../database.ts';
import { mailAddresses } from '../schema/mail.ts';
import { sqlBatch } from '../sql-batch.ts';
import { openSecret, sealSecret } from './sealed-secret.ts';

/** What the seal of an address is bound to. */
export const mailAddressContext = (userId: string): string => `mail address of ${userId}`;

/** A confirmed address, as it stands. */
export interface HeldAddress {
  /** Null where no stated key opens it: it is theirs all the same. */
  readonly address: string | null;
  readonly sealed: string;
  readonly language: MailLanguage;
}

/**
 * The confirmed mail address of a user as it stands; null where none is confirmed.
 *
 * @param masterKey IAM_KEY_ENCRYPTION_KEY
 */
export async function findHeldAddress(db: Database, userId: string, masterKey: string): Promise<HeldAddress | null> {
  const [row] = await db
    .select({ sealed: mailAddresses.addressSealed, language: mailAddresses.language })
    .from(mailAddresses)
    .where(eq(mailAddresses.userId, userId));
  if (row === undefined) return null;
  return { ...row, address: await openMailAddress(row.sealed, userId, masterKey) };
}

/** A sealed address of a user; null where no stated key opens it. */
export async function openMailAddress(sealed: string, userId: string, masterKey: string): Promise<string | null> {
  try {
    return await openSecret(sealed, masterKey, mailAddressContext(userId));
  } catch {
    return null;
  }
}

/** The same without the rest; null, too, where no stated key opens it. @internal */
export async function findMailAddress(db: Database, userId: string, masterKey: string): Promise<string | null> {
  return (await findHeldAddress(db, userId, masterKey))?.address ?? null;
}

export interface ConfirmedAddress {
  readonly userId: string;
  readonly address: string;
  /** `mailAddressHashes` (`application/mail/mail-addresses.ts`): under each key, the newest first. */
  readonly addressHashes: readonly string[];
  readonly language: MailLanguage;
  /** Unix milliseconds. */
  readonly confirmedAt: number;
}

/** Whether an address may become a user's: nobody else has it, and what they had is as it was read. */
export function mayConfirm({ userId, addressHashes }: ConfirmedAddress, before: HeldAddress | null): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM mail_addresses WHERE address_hash IN ${[...addressHashes]} AND user_id <> ${userId})
    AND (SELECT address_sealed FROM mail_addresses WHERE user_id = ${userId}) IS ${before?.sealed ?? null}`;
}

/**
 * The confirmed address of a user from now on. False where it may not be.
 *
 * @param told statements that tell of it, under the conditions `mayConfirm` and `when`
 * @param ended statements of what it follows from, under the condition that it was written
 * @param masterKey IAM_KEY_ENCRYPTION_KEY
 */
export async function putMailAddress(
  db: Database,
  confirmed: ConfirmedAddress,
  {
    before,
    when,
    told,
    ended,
  }: {
    readonly before: HeldAddress | null;
    readonly when: SQL;
    readonly told: readonly SQL[];
    readonly ended: (isWritten: SQL) => readonly SQL[];
  },
  masterKey: string,
): Promise<boolean> {
  const { userId, addressHashes, confirmedAt } = confirmed;
  const write = await mailAddressWrite(confirmed, masterKey, sql`${when} AND ${mayConfirm(confirmed, before)}`);
  const isWritten = sql`EXISTS (SELECT 1 FROM mail_addresses WHERE user_id = ${userId} AND address_hash = ${addressHashes[0]} AND confirmed_at = CAST(${confirmedAt} AS INTEGER))`;
  const results = await sqlBatch(db, [...told, write, ...ended(isWritten)]);
  return (results[told.length] ?? []).length > 0;
}

/**
 * The same as a statement of a batch, which answers a row where it was written.
 *
 * @param masterKey IAM_KEY_ENCRYPTION_KEY
 * @param when condition under which it is written
 */
export async function mailAddressWrite(
  { userId, address, addressHashes, language, confirmedAt }: ConfirmedAddress,
  masterKey: string,
  when: SQL,
): Promise<SQL> {
  const sealed = await sealSecret(address, masterKey, mailAddressContext(userId));
  return sql`
    INSERT INTO mail_addresses (user_id, address_sealed, address_hash, language, confirmed_at)
    SELECT ${userId}, ${sealed}, ${addressHashes[0]}, ${language}, CAST(${confirmedAt} AS INTEGER)
    WHERE ${when} AND NOT (${isMailAddressOfAnother({ userId, addressHashes })})
    ON CONFLICT (user_id) DO UPDATE SET
      address_sealed = excluded.address_sealed, address_hash = excluded.address_hash,
      language = excluded.language, confirmed_at = excluded.confirmed_at
    RETURNING user_id`;
}

/** Condition that somebody else has confirmed the address. */
export function isMailAddressOfAnother({
  userId,
  addressHashes,
}: Pick<ConfirmedAddress, 'userId' | 'addressHashes'>): SQL {
  return sql`EXISTS (SELECT 1 FROM mail_addresses WHERE address_hash IN ${[...addressHashes]} AND user_id <> ${userId})`;
}

/** Whose confirmed address has one of these hashes; null where nobody's. */
export async function findUserOfMailAddress(db: Database, addressHashes: readonly string[]): Promise<string | null> {
  const [row] = await db
    .select({ userId: mailAddresses.userId })
    .from(mailAddresses)
    .where(inArray(mailAddresses.addressHash, [...addressHashes]));
  return row?.userId ?? null;
}

/** In which language a user is written to; null where no address is confirmed. */
export async function findMailLanguage(db: Database, userId: string): Promise<MailLanguage | null> {
  const [row] = await db
    .select({ language: mailAddresses.language })
    .from(mailAddresses)
    .where(eq(mailAddresses.userId, userId));
  return row?.language ?? null;
}

export async function putMailLanguage(db: Database, userId: string, language: MailLanguage): Promise<void> {
  await db.update(mailAddresses).set({ language }).where(eq(mailAddresses.userId, userId));
}
