import { database } from '../../../data/database.ts';
import type { BrowserSession } from '../../../data/identity/browser-sessions.ts';
import { replaceRecoveryCodes, spendRecoveryCode } from '../../../data/identity/factors.ts';
import { RECOVERY_CODES } from '../../../domain/identity/factors.ts';
import { LONG_CODE_CHARACTERS, LONG_CODE_LENGTH } from '../../../domain/identity/one-time-code.ts';
import { derivedMac, derivedMacs } from '../authorization/derived-mac.ts';
import type { Caller } from '../caller.ts';
import { entryOf } from '../sign-ins/record-sign-in.ts';

/** Makes ten codes in place of those before, which are shown once: what is stored does not tell them. Null where the person may have none. */
export async function makeRecoveryCodes(
  env: Env,
  session: BrowserSession,
  caller: Caller,
): Promise<readonly string[] | null> {
  const { userId } = session;
  const codes = Array.from({ length: RECOVERY_CODES }, randomCode);
  const hashes = await Promise.all(codes.map((code) => derivedMac(env, PURPOSE, textOf(userId, code))));
  const entry = await entryOf({ userId, type: 'recovery_codes_made', caller }, env);
  return (await replaceRecoveryCodes(database(env.DB), hashes, session, entry)) ? codes : null;
}

/** Whether this is a code of the person's, which it spends. @param code as `typedCode` reads it */
export async function redeemRecoveryCode(env: Env, userId: string, code: string): Promise<boolean> {
  const db = database(env.DB);
  const hashes = await derivedMacs(env, PURPOSE, textOf(userId, code));
  for (const hash of hashes) if (await spendRecoveryCode(db, hash, userId, Date.now())) return true;
  return false;
}

const PURPOSE = 'recovery code';

function textOf(userId: string, code: string): string {
  return `${userId}\n${code}`;
}

/** Each character is equally likely: there are 32. */
function randomCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(LONG_CODE_LENGTH));
  return Array.from(bytes, (byte) => LONG_CODE_CHARACTERS[byte % LONG_CODE_CHARACTERS.length]).join('');
}
