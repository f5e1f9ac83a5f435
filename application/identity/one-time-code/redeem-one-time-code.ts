import { database } from '../../../data/database.ts';
import {
  readCodes,
  spendOneTimeCode,
  takeTryOfAddress,
  takeTryOfDay,
  takeTryOfPhone,
} from '../../../data/identity/one-time-codes.ts';
import { isShortCode, poolOf, TRIES_OF_SITE } from '../../../domain/identity/one-time-code.ts';
import { isEqual } from '../is-equal.ts';
import { codeHashesOf } from './code-hash.ts';
import { type CodeAsked, codeRowsOf, siteRowsOf } from './code-rows.ts';

/**
 * Whether this is a code sent to the phone number for the client, or for each: once, in date, and within the tries that the address, the number and, of six digits, all together
 * have. A long code counts for its address alone: nobody guesses one.
 *
 * @param clientId at which it is presented
 */
export async function redeemOneTimeCode(
  phone: string,
  code: string,
  clientAddress: string,
  env: Env,
  clientId = '',
): Promise<boolean> {
  const db = database(env.DB);
  const now = Date.now();
  const asked: CodeAsked = { phone, clientAddress, clientId };
  const [presented, presentedAnywhere, rows] = await Promise.all([
    codeHashesOf(phone, code, env, clientId),
    codeHashesOf(phone, code, env),
    codeRowsOf(db, asked, env),
  ]);
  const acquaintance = await takeTryOfAddress(db, rows, now);
  if (acquaintance === null) return false;
  const isShort = isShortCode(code);
  if (isShort) {
    const pool = poolOf(acquaintance, now);
    const site = pool === 'known' ? null : await siteRowsOf(db, asked, env);
    if (site !== null && (await takeTryOfAddress(db, site, now, TRIES_OF_SITE)) === null) return false;
    if (pool !== 'known' && !(await takeTryOfDay(db, rows, pool, now))) return false;
    if (!(await takeTryOfPhone(db, rows, now))) return false;
  }
  const counted = isShort ? 1 : 0;
  const right = await goodOf(presented, rows);
  const rightAnywhere = await goodOf(presentedAnywhere, { code: rows.anyCode });
  if (right !== null) return spendOneTimeCode(db, { rows, codeHash: right, counted, now });
  if (rightAnywhere === null) return false;
  return spendOneTimeCode(db, { rows: { ...rows, code: rows.anyCode }, codeHash: rightAnywhere, counted, now });

  /** All are compared, whatever was found. */
  async function goodOf(hashes: readonly string[], of: { readonly code: string }): Promise<string | null> {
    const good = await readCodes(db, of, now);
    return good.filter((codeHash) => hashes.filter((hash) => isEqual(codeHash, hash)).length > 0).at(0) ?? null;
  }
}
