import { database } from '../../data/database.ts';
import { findUserOfMailAddress, putMailAddress } from '../../data/identity/mail-address.ts';
import { addressIdentity } from '../../domain/mail/mail-address.ts';
import type { MailLanguage } from '../../domain/mail/mail-kinds.ts';
import { derivedMac } from '../identity/authorization/derived-mac.ts';

/** What is stored beside a sealed address, so that the same one is found again: a keyed hash. */
export function mailAddressHash(env: Env, address: string): Promise<string> {
  return derivedMac(env, 'mail address', addressIdentity(address));
}

/** Writes down that a person has proved to read an address. False where another user has confirmed it. */
export async function confirmMailAddress(
  env: Env,
  { userId, address, language }: { readonly userId: string; readonly address: string; readonly language: MailLanguage },
): Promise<boolean> {
  const addressHash = await mailAddressHash(env, address);
  const confirmed = { userId, address, addressHash, language, confirmedAt: Date.now() };
  return putMailAddress(database(env.DB), confirmed, env.IAM_KEY_ENCRYPTION_KEY);
}

/** Who has confirmed an address; null where nobody has. */
export async function userOfMailAddress(env: Env, address: string): Promise<string | null> {
  return findUserOfMailAddress(database(env.DB), await mailAddressHash(env, address));
}
