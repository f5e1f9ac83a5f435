import type { Database } from '../../../data/database.ts';
import { type CodeRows, clearForSubject } from '../../../data/identity/one-time-codes.ts';
import { findUserByPhone } from '../../../data/identity/users.ts';
import { addressHashOf, numberHashOf } from './code-hash.ts';

/** Characters of a hash, of 64 values each: 262,144 places for all numbers that are nobody's, and as many for the addresses that ask for them. */
const PLACE_CHARACTERS = 3;

const placeOf = (hash: string): string => `nobody:${hash.slice(0, PLACE_CHARACTERS)}`;

/**
 * Under which rows a number and an address are counted. Numbers that are nobody's share so many places, of which the last number has each: however many are
 * asked for, no more rows are there. A place is freed of the number before, by the statements that run for every number.
 */
export async function codeRowsOf(db: Database, phone: string, clientAddress: string, env: Env): Promise<CodeRows> {
  const [user, number, address] = await Promise.all([
    findUserByPhone(db, phone),
    numberHashOf(phone, env),
    addressHashOf(phone, clientAddress, env),
  ]);
  const rows: CodeRows =
    user === null
      ? { phone: placeOf(number), phoneSubject: number, address: placeOf(address), addressSubject: address }
      : { phone, phoneSubject: '', address, addressSubject: '' };
  await clearForSubject(db, rows);
  return rows;
}
