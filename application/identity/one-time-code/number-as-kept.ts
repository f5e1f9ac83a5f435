import type { Database } from '../../../data/database.ts';
import { findSpelling } from '../../../data/identity/users.ts';
import { phoneNumberOf, spellingsOf } from '../../../domain/identity/phone-number.ts';

/**
 * The number that somebody has written as it is kept; of a user from before there was one form, as they have it. Every door that takes a number asks here, so that a phone is one user's in
 * whichever spelling. Null for what is no international number.
 */
export async function numberAsKept(db: Database, written: string): Promise<string | null> {
  const number = phoneNumberOf(written);
  return number === null ? null : findSpelling(db, spellingsOf(number));
}
