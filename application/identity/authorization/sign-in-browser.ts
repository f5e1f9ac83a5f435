import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import {
  type BrowserSession,
  createBrowserSession,
  endBrowserSession,
  findBrowserSession,
  isSignedIn,
} from '../../../data/identity/browser-sessions.ts';
import { findUserByPhone } from '../../../data/identity/users.ts';
import { typedCode } from '../../../domain/identity/one-time-code.ts';
import { isPhoneNumber } from '../../../domain/identity/phone-number.ts';
import type { SignInRefusal } from '../../../domain/identity/sign-in-entry.ts';
import { newDeviceMail, newDeviceMailId } from '../../mail/new-device-mail.ts';
import { carryMail } from '../../mail/post-mail.ts';
import type { Caller } from '../caller.ts';
import type { CodeClient } from '../one-time-code/issue-one-time-code.ts';
import { redeemOneTimeCode } from '../one-time-code/redeem-one-time-code.ts';
import { randomSecret } from '../random-secret.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { recordSignIn } from '../sign-ins/record-sign-in.ts';

const SESSION_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Where codes for signing in by a browser are asked for and good: no client is called so. */
export function browserClient(env: Pick<Env, 'IAM_ISSUER'>): CodeClient {
  return { id: '*browser', name: new URL(env.IAM_ISSUER).host };
}

/** Signs a browser in by a one-time code. @returns what the browser is to keep; null for whatever does not fit together */
export async function signInBrowser(
  env: Env,
  { phone, written }: { readonly phone: string; readonly written: string },
  caller: Caller & { later(work: Promise<unknown>): void },
): Promise<string | null> {
  const code = isPhoneNumber(phone) ? typedCode(written) : null;
  if (code === null) return null;
  const db = database(env.DB);
  // Before the user is read: a kill switch that is pulled from here on ends what comes of it.
  const createdAt = Date.now();
  const user = await findUserByPhone(db, phone);
  const { id: clientId } = browserClient(env);
  const isRight = await redeemOneTimeCode(phone, code, caller.clientAddress, env, clientId);
  if (user === null) return null;
  const { id: userId } = user;
  if (!isRight) {
    const reason: SignInRefusal = 'wrong_code';
    caller.later(recordSignIn(env, { userId, type: 'refused', reason, clientId, caller }));
    return null;
  }
  const token = randomSecret();
  const session = { hash: await sha256Hex(token), userId, createdAt };
  const signInId = uuidv7();
  const told = await newDeviceMail(env, { userId, signInId, caller, now: createdAt }, isSignedIn(session.hash));
  if (!(await createBrowserSession(db, session, { phone, now: Date.now() }, [told]))) return null;
  caller.later(recordSignIn(env, { id: signInId, userId, type: 'signed_in', clientId, caller }));
  caller.later(carryMail(env, [newDeviceMailId(signInId)]));
  return token;
}

/** The session of a browser, by what it has kept; null for none that is good. */
export async function sessionOfBrowser(env: Env, token: string | undefined): Promise<BrowserSession | null> {
  if (token === undefined || !SESSION_TOKEN.test(token)) return null;
  return findBrowserSession(database(env.DB), await sha256Hex(token), Date.now());
}

export function signOutBrowser(env: Env, session: BrowserSession): Promise<void> {
  return endBrowserSession(database(env.DB), session.hash);
}
