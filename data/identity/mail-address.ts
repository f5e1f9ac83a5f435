import { eq, sql } from 'drizzle-orm';
import type { MailLanguage } from '../../domain/mail/mail-kinds.ts';
import type { Database } from '../database.ts';
import { mailAddresses } from '../schema/mail.ts';
import { sqlBatch } from '../sql-batch.ts';
import { openSecret, sealSecret } from './sealed-secret.ts';

const contextOf = (userId: string): string => `mail address of ${userId}`;

/**
 * The confirmed mail address of a user; null where none is confirmed.
 *
 * @param masterKey IAM_KEY_ENCRYPTION_KEY
 */
export async function findMailAddress(db: Database, userId: string, masterKey: string): Promise<string | null> {
  const [row] = await db
    .select({ addressSealed: mailAddresses.addressSealed })
    .from(mailAddresses)
    .where(eq(mailAddresses.userId, userId));
  return row === undefined ? null : openSecret(row.addressSealed, masterKey, contextOf(userId));
}

export interface ConfirmedAddress {
  readonly userId: string;
  readonly address: string;
  /** `mailAddressHash` (`application/mail/mail-addresses.ts`). */
  readonly addressHash: string;
  readonly language: MailLanguage;
  /** Unix milliseconds. */
  readonly confirmedAt: number;
}

/**
 * The confirmed address of a user from now on. False where another user has it.
 *
 * @param masterKey IAM_KEY_ENCRYPTION_KEY
 */
export async function putMailAddress(db: Database, confirmed: ConfirmedAddress, masterKey: string): Promise<boolean> {
  const { userId, address, addressHash, language, confirmedAt } = confirmed;
  const sealed = await sealSecret(address, masterKey, contextOf(userId));
  const [written] = await sqlBatch(db, [
    sql`
      INSERT INTO mail_addresses (user_id, address_sealed, address_hash, language, confirmed_at)
      SELECT ${userId}, ${sealed}, ${addressHash}, ${language}, CAST(${confirmedAt} AS INTEGER)
      WHERE NOT EXISTS (SELECT 1 FROM mail_addresses WHERE address_hash = ${addressHash} AND user_id <> ${userId})
      ON CONFLICT (user_id) DO UPDATE SET
        address_sealed = excluded.address_sealed, address_hash = excluded.address_hash,
        language = excluded.language, confirmed_at = excluded.confirmed_at
      RETURNING user_id`,
  ]);
  return (written ?? []).length > 0;
}

/** Whose confirmed address has this hash; null where nobody's. */
export async function findUserOfMailAddress(db: Database, addressHash: string): Promise<string | null> {
  const [row] = await db
    .select({ userId: mailAddresses.userId })
    .from(mailAddresses)
    .where(eq(mailAddresses.addressHash, addressHash));
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
