import type { Database } from '../../../data/database.ts';
import { type CodeRows, clearForSubject, SITE } from '../../../data/identity/one-time-codes.ts';
import { findUserByPhone } from '../../../data/identity/users.ts';
import { rateSubjectsOf } from '../../../domain/limits/address.ts';
import { addressHashOf, numberHashOf, siteHashOf } from './code-hash.ts';

/** Characters of a hash, of 64 values each: 262,144 places for all numbers that are nobody's, and as many for the addresses that ask for them. */
const PLACE_CHARACTERS = 3;

const placeOf = (hash: string): string => `nobody:${hash.slice(0, PLACE_CHARACTERS)}`;

/** For which number a code is asked or tried, from where, at which client; empty where at none. */
export interface CodeAsked {
  readonly phone: string;
  readonly clientAddress: string;
  readonly clientId: string;
}

/**
 * Under which rows a number and an address are counted. Numbers that are nobody's share so many places, of which the last number has each: however many are
 * asked for, no more rows are there. A place is freed of the number before, by the statements that run for every number.
 */
export function codeRowsOf(db: Database, { phone, clientAddress, clientId }: CodeAsked, env: Env): Promise<CodeRows> {
  const address = { hash: addressHashOf(phone, clientAddress, env), usersSubject: '' };
  return rowsOf(db, { phone, clientId }, address, env);
}

/** The same of all lines that one subscriber may command together; null where that is one address. */
export async function siteRowsOf(
  db: Database,
  { phone, clientAddress, clientId }: CodeAsked,
  env: Env,
): Promise<CodeRows | null> {
  if (rateSubjectsOf(clientAddress).length === 1) return null;
  const site = { hash: siteHashOf(phone, clientAddress, env), usersSubject: SITE };
  return rowsOf(db, { phone, clientId }, site, env);
}

async function rowsOf(
  db: Database,
  { phone, clientId }: Pick<CodeAsked, 'phone' | 'clientId'>,
  { hash, usersSubject }: { readonly hash: Promise<string>; readonly usersSubject: string },
  env: Env,
): Promise<CodeRows> {
  const [user, number, address] = await Promise.all([findUserByPhone(db, phone), numberHashOf(phone, env), hash]);
  const of =
    user === null
      ? { phone: placeOf(number), phoneSubject: number, address: placeOf(address), addressSubject: address }
      : { phone, phoneSubject: '', address, addressSubject: usersSubject };
  const rows: CodeRows = { ...of, code: `${of.phone} ${clientId}`, anyCode: `${of.phone} ` };
  await clearForSubject(db, rows);
  return rows;
}
