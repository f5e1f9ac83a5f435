import { database } from '../../../data/database.ts';
import { spendOneTimeCode, tryOneTimeCode } from '../../../data/identity/one-time-codes.ts';
import { isEqual } from '../is-equal.ts';
import { codeHashOf } from './code-hash.ts';

/** Whether this is the code sent to the phone number: once, in date, within its tries. */
export async function redeemOneTimeCode(phone: string, code: string, env: Env): Promise<boolean> {
  const db = database(env.DB);
  const presented = await codeHashOf(phone, code, env);
  const stored = await tryOneTimeCode(db, phone, Date.now());
  return stored !== null && isEqual(stored, presented) && spendOneTimeCode(db, phone, stored);
}
