import { database } from '../../../data/database.ts';
import { readCodes, spendOneTimeCode, takeTryOfAddress, takeTryOfDay } from '../../../data/identity/one-time-codes.ts';
import { poolOf } from '../../../domain/identity/one-time-code.ts';
import { isEqual } from '../is-equal.ts';
import { addressHashOf, codeHashOf } from './code-hash.ts';

/** Whether this is a code sent to the phone number: once, in date, and within the tries that the address has. */
export async function redeemOneTimeCode(
  phone: string,
  code: string,
  clientAddress: string,
  env: Env,
): Promise<boolean> {
  const db = database(env.DB);
  const now = Date.now();
  const [presented, address] = await Promise.all([
    codeHashOf(phone, code, env),
    addressHashOf(phone, clientAddress, env),
  ]);
  const acquaintance = await takeTryOfAddress(db, address, now);
  if (acquaintance === null) return false;
  const pool = poolOf(acquaintance, now);
  if (pool !== 'known' && !(await takeTryOfDay(db, phone, pool, now))) return false;
  const good = await readCodes(db, phone, now);
  const isRight = good.filter((codeHash) => isEqual(codeHash, presented)).length > 0;
  return isRight && spendOneTimeCode(db, { phone, address, codeHash: presented, now });
}
