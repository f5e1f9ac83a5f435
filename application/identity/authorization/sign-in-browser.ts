import { database } from '../../../data/database.ts';
import {
  type BrowserSession,
  createBrowserSession,
  endBrowserSession,
  findBrowserSession,
} from '../../../data/identity/browser-sessions.ts';
import { findUserByPhone } from '../../../data/identity/users.ts';
import { isPhoneNumber } from '../../../domain/identity/phone-number.ts';
import { redeemOneTimeCode } from '../one-time-code/redeem-one-time-code.ts';
import { randomSecret } from '../random-secret.ts';
import { sha256Hex } from '../sha256-hex.ts';

const CODE = /^\d{6}$/;
const SESSION_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Signs a browser in by a one-time code. @returns what the browser is to keep; null for whatever does not fit together */
export async function signInBrowser(
  env: Env,
  { phone, code, clientAddress }: { readonly phone: string; readonly code: string; readonly clientAddress: string },
): Promise<string | null> {
  if (!isPhoneNumber(phone) || !CODE.test(code)) return null;
  const db = database(env.DB);
  // Before the user is read: a kill switch that is pulled from here on ends what comes of it.
  const createdAt = Date.now();
  const user = await findUserByPhone(db, phone);
  const isRight = await redeemOneTimeCode(phone, code, clientAddress, env);
  if (user === null || !isRight) return null;
  const token = randomSecret();
  const session = { hash: await sha256Hex(token), userId: user.id, createdAt };
  return (await createBrowserSession(db, session, Date.now())) ? token : null;
}

/** The session of a browser, by what it has kept; null for none that is good. */
export async function sessionOfBrowser(env: Env, token: string | undefined): Promise<BrowserSession | null> {
  if (token === undefined || !SESSION_TOKEN.test(token)) return null;
  return findBrowserSession(database(env.DB), await sha256Hex(token), Date.now());
}

export function signOutBrowser(env: Env, session: BrowserSession): Promise<void> {
  return endBrowserSession(database(env.DB), session.hash);
}
