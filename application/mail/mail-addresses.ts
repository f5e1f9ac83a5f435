import { database } from '../../data/database.ts';
import { findUserOfMailAddress } from '../../data/identity/mail-address.ts';
import { addressIdentity, MAIL_ADDRESS_HASH } from '../../domain/mail/mail-address.ts';
import { derivedMac, derivedMacs } from '../identity/authorization/derived-mac.ts';

/** What is stored beside a sealed address, so that the same one is found again: a keyed hash. */
export function mailAddressHash(env: Env, address: string): Promise<string> {
  return derivedMac(env, MAIL_ADDRESS_HASH, addressIdentity(address));
}

/** The same under each key, the newest first: addresses are found while their hashes are being made anew. */
export function mailAddressHashes(env: Env, address: string): Promise<string[]> {
  return derivedMacs(env, MAIL_ADDRESS_HASH, addressIdentity(address));
}

/** Who has confirmed an address; null where nobody has. */
export async function userOfMailAddress(env: Env, address: string): Promise<string | null> {
  return findUserOfMailAddress(database(env.DB), await mailAddressHashes(env, address));
}
