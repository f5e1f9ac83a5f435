import { database } from '../../../data/database.ts';
import { readCodes, spendOneTimeCode, takeTryOfAddress, takeTryOfDay } from '../../../data/identity/one-time-codes.ts';
import { poolOf, TRIES_OF_SITE } from '../../../domain/identity/one-time-code.ts';
import { isEqual } from '../is-equal.ts';
import { codeHashOf } from './code-hash.ts';
import { codeRowsOf, siteRowsOf } from './code-rows.ts';

/** Whether this is a code sent to the phone number: once, in date, and within the tries that the address has. */
export async function redeemOneTimeCode(
  phone: string,
  code: string,
  clientAddress: string,
  env: Env,
): Promise<boolean> {
  const db = database(env.DB);
  const now = Date.now();
  const [presented, rows] = await Promise.all([
    codeHashOf(phone, code, env),
    codeRowsOf(db, phone, clientAddress, env),
  ]);
  const acquaintance = await takeTryOfAddress(db, rows, now);
  if (acquaintance === null) return false;
  const pool = poolOf(acquaintance, now);
  const site = pool === 'known' ? null : await siteRowsOf(db, phone, clientAddress, env);
  if (site !== null && (await takeTryOfAddress(db, site, now, TRIES_OF_SITE)) === null) return false;
  if (pool !== 'known' && !(await takeTryOfDay(db, rows, pool, now))) return false;
  const good = await readCodes(db, rows, now);
  const isRight = good.filter((codeHash) => isEqual(codeHash, presented)).length > 0;
  return isRight && spendOneTimeCode(db, { rows, codeHash: presented, now });
}
