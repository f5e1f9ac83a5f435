import { type SQL, sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { database } from '../../data/database.ts';
import {
  type ConfirmedAddress,
  findHeldAddress,
  type HeldAddress,
  mayConfirm,
  putMailAddress,
} from '../../data/identity/mail-address.ts';
import { addressIdentity, maskedAddress } from '../../domain/mail/mail-address.ts';
import type { MailLanguage } from '../../domain/mail/mail-kinds.ts';
import { mailAddressHashes } from './mail-addresses.ts';
import { carryMail, mailRow } from './post-mail.ts';

/** Writers that lost a race against another change of the same address try again. */
const TRIES_MAX = 3;

/** What an address that is written down follows from, in the same batch. */
interface Following {
  /** Condition under which it is written. */
  readonly when: SQL;
  /** Statements that end it, under the condition that they get. */
  readonly ended: (isWritten: SQL) => readonly SQL[];
}

const NOTHING: Following = { when: sql`true`, ended: () => [] };

/**
 * Writes down that a person has proved to read an address, and tells the one that they had before, in the same batch. False where another user has confirmed it, or it follows from
 * something that is there no more.
 */
export async function confirmMailAddress(
  env: Env,
  { userId, address, language }: { readonly userId: string; readonly address: string; readonly language: MailLanguage },
  following: Following = NOTHING,
): Promise<boolean> {
  const db = database(env.DB);
  const addressHashes = await mailAddressHashes(env, address);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const before = await findHeldAddress(db, userId, env.IAM_KEY_ENCRYPTION_KEY);
    const confirmed = { userId, address, addressHashes, language, confirmedAt: Date.now() };
    const id = `address_changed:${uuidv7()}`;
    const told = isOther(before, address) ? [await changedMail(env, id, before, confirmed, following.when)] : [];
    if (await putMailAddress(db, confirmed, { before, told, ...following }, env.IAM_KEY_ENCRYPTION_KEY)) {
      if (told.length > 0) await carryMail(env, [id]);
      return true;
    }
    const after = await findHeldAddress(db, userId, env.IAM_KEY_ENCRYPTION_KEY);
    if (after?.sealed === before?.sealed) return false;
  }
  throw new Error('the mail address of a user kept changing');
}

function isOther(before: HeldAddress | null, address: string): before is HeldAddress {
  return before !== null && (before.address === null || addressIdentity(before.address) !== addressIdentity(address));
}

/** To the address of before: whoever takes an account over confirms their own. */
function changedMail(env: Env, id: string, before: HeldAddress, confirmed: ConfirmedAddress, when: SQL) {
  const facts = { address: maskedAddress(confirmed.address), at: new Date(confirmed.confirmedAt).toISOString() };
  const { address, language } = before;
  const { userId } = confirmed;
  const mail = { id, kind: 'address_changed', language, facts } as const;
  // One that does not open waits as it lies sealed (`messageOf`).
  const reader = address === null ? { userId, to: null } : { userId: null, to: address };
  return mailRow(env, { ...mail, ...reader }, sql`${when} AND ${mayConfirm(confirmed, before)}`);
}
