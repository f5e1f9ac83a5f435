import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import {
  type BrowserSession,
  createBrowserSession,
  endBrowserSession,
  endOwnBrowserSession,
  findBrowserSession,
  isSignedIn,
} from '../../../data/identity/browser-sessions.ts';
import { stopRecovery } from '../../../data/identity/factor-recoveries.ts';
import { findEnrolled } from '../../../data/identity/factors.ts';
import { findUserByPhone } from '../../../data/identity/users.ts';
import { type Enrolled, hasSecondFactor, type SignInMethod } from '../../../domain/identity/factors.ts';
import { typedCode } from '../../../domain/identity/one-time-code.ts';
import type { SignInRefusal } from '../../../domain/identity/sign-in-entry.ts';
import { newDeviceMail, newDeviceMailId } from '../../mail/new-device-mail.ts';
import { carryMail } from '../../mail/post-mail.ts';
import { type Caller, placeOf } from '../caller.ts';
import type { Ceremony } from '../factors/challenge.ts';
import { tellOfSpentCode } from '../factors/own-factors.ts';
import { userOfPasskey } from '../factors/passkeys.ts';
import { type FirstStep, redeemSecondFactor } from '../factors/second-step.ts';
import type { CodeClient } from '../one-time-code/issue-one-time-code.ts';
import { numberAsKept } from '../one-time-code/number-as-kept.ts';
import { redeemOneTimeCode } from '../one-time-code/redeem-one-time-code.ts';
import { randomSecret } from '../random-secret.ts';
import { sha256Hex } from '../sha256-hex.ts';
import { entryOf, recordSignIn } from '../sign-ins/record-sign-in.ts';

const SESSION_TOKEN = /^[A-Za-z0-9_-]{43}$/;

type LaterCaller = Caller & { later(work: Promise<unknown>): void };

/** Where codes for signing in by a browser are asked for and good: no client is called so. */
export function browserClient(env: Pick<Env, 'IAM_ISSUER'>): CodeClient {
  return { id: '*browser', name: new URL(env.IAM_ISSUER).host };
}

/** What came of a right code: what the browser is to keep, or that a second factor is asked for. */
type CodeOutcome =
  | { readonly type: 'signed_in'; readonly token: string }
  | { readonly type: 'second_factor'; readonly first: FirstStep; readonly enrolled: Enrolled };

/** Signs a browser in by a one-time code. Who has a second factor does not get in by it alone. @returns null for whatever does not fit together */
export async function signInBrowser(
  env: Env,
  { phone: asked, written }: { readonly phone: string; readonly written: string },
  caller: LaterCaller,
): Promise<CodeOutcome | null> {
  const db = database(env.DB);
  const code = typedCode(written);
  const phone = code === null ? null : await numberAsKept(db, asked);
  if (code === null || phone === null) return null;
  // Before the user is read: a kill switch that is pulled from here on ends what comes of it.
  const at = Date.now();
  const user = await findUserByPhone(db, phone);
  const { id: clientId } = browserClient(env);
  const isRight = await redeemOneTimeCode(phone, code, caller.clientAddress, env, clientId);
  if (user === null) return null;
  const { id: userId } = user;
  if (!isRight) {
    refuse(env, userId, 'wrong_code', caller);
    return null;
  }
  const first = { userId, phone, at };
  const enrolled = await findEnrolled(db, userId);
  if (hasSecondFactor(enrolled)) return { type: 'second_factor', first, enrolled };
  const token = await beginSession(env, { ...first, method: 'code' }, caller);
  return token === null ? null : { type: 'signed_in', token };
}

/** Signs a browser in by a second factor after the code. @returns what the browser is to keep; null for whatever does not fit together */
export async function signInBySecondFactor(
  env: Env,
  first: FirstStep,
  written: string,
  caller: LaterCaller,
): Promise<string | null> {
  const { userId } = first;
  const method = await redeemSecondFactor(env, userId, written, caller.clientAddress);
  if (method !== null) {
    if (method === 'code_and_recovery') caller.later(tellOfSpentCode(env, userId, caller));
    return beginSession(env, { ...first, method }, caller);
  }
  refuse(env, userId, 'wrong_second_factor', caller);
  return null;
}

/** Signs a browser in by a passkey. @returns what the browser is to keep; null for whatever does not hold */
export async function signInByPasskey(
  env: Env,
  ceremony: Ceremony,
  credential: string,
  caller: LaterCaller,
): Promise<string | null> {
  const at = Date.now();
  const user = await userOfPasskey(env, ceremony, credential);
  if (user === null) return null;
  return beginSession(env, { userId: user.id, phone: null, at, method: 'passkey' }, caller);
}

async function beginSession(
  env: Env,
  {
    userId,
    phone,
    at: createdAt,
    method,
  }: Omit<FirstStep, 'phone'> & { readonly phone: string | null; readonly method: SignInMethod },
  caller: LaterCaller,
): Promise<string | null> {
  const token = randomSecret();
  const place = await placeOf(userId, caller.clientAddress, env);
  const session = { hash: await sha256Hex(token), userId, createdAt, method, device: caller.device, place };
  const signInId = uuidv7();
  const told = await newDeviceMail(env, { userId, signInId, caller, now: createdAt }, isSignedIn(session.hash));
  if (!(await createBrowserSession(database(env.DB), session, { phone, now: Date.now() }, [told]))) return null;
  // Who shows a second factor has not lost it. A code by SMS alone says nothing of that: whoever has taken the phone has that, too.
  if (method !== 'code') {
    const entry = await entryOf({ userId, type: 'recovery_stopped', caller }, env);
    await stopRecovery(database(env.DB), userId, entry);
  }
  const { id: clientId } = browserClient(env);
  caller.later(recordSignIn(env, { id: signInId, userId, type: 'signed_in', reason: method, clientId, caller }));
  caller.later(carryMail(env, [newDeviceMailId(signInId)]));
  return token;
}

function refuse(env: Env, userId: string, reason: SignInRefusal, caller: LaterCaller): void {
  caller.later(recordSignIn(env, { userId, type: 'refused', reason, clientId: browserClient(env).id, caller }));
}

/** The session of a browser, by what it has kept; null for none that is good. */
export async function sessionOfBrowser(env: Env, token: string | undefined): Promise<BrowserSession | null> {
  if (token === undefined || !SESSION_TOKEN.test(token)) return null;
  return findBrowserSession(database(env.DB), await sha256Hex(token), Date.now());
}

export function signOutBrowser(env: Env, session: BrowserSession): Promise<void> {
  return endBrowserSession(database(env.DB), session.hash);
}

/** A person ends one of their browsers, and with it what it has asked for. @returns false where there is none */
export async function endBrowser(
  env: Env,
  browser: Pick<BrowserSession, 'userId' | 'hash'>,
  caller: Caller,
): Promise<boolean> {
  const stopped = await entryOf({ userId: browser.userId, type: 'address_change_stopped', caller }, env);
  return endOwnBrowserSession(database(env.DB), browser, stopped);
}
