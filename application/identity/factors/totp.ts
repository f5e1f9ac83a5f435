import { database } from '../../../data/database.ts';
import type { BrowserSession } from '../../../data/identity/browser-sessions.ts';
import {
  beginTotp,
  confirmTotp,
  findTotp,
  spendTotpStep,
  type TotpFactor,
  takeTryOfTotp,
  totpContext,
} from '../../../data/identity/factors.ts';
import { openSecret, sealSecret } from '../../../data/identity/sealed-secret.ts';
import { ENROLMENT_MS_MAX } from '../../../domain/identity/factors.ts';
import { newTotpSecret, totpStep } from '../../../domain/identity/totp.ts';
import type { Caller } from '../caller.ts';
import { entryOf } from '../sign-ins/record-sign-in.ts';

/** Begins an enrolment; false where the person has an app already, or is signed out. */
export async function beginTotpEnrolment(env: Env, session: BrowserSession): Promise<boolean> {
  const sealed = await sealSecret(newTotpSecret(), env.IAM_KEY_ENCRYPTION_KEY, totpContext(session.userId));
  return beginTotp(database(env.DB), sealed, session, Date.now());
}

/** The secret of an enrolment that is not confirmed, for the browser session that has begun it within ten minutes; null for none. */
export async function secretToEnrol(env: Env, { userId, hash }: BrowserSession): Promise<string | null> {
  const factor = await findTotp(database(env.DB), userId);
  return factor === null || !isEnrolling(factor, hash, Date.now()) ? null : secretOf(env, factor);
}

/** What another browser has begun its person neither sees nor confirms: whoever did that knows the secret. */
function isEnrolling({ confirmedAt, browserHash, createdAt }: TotpFactor, hash: string, now: number): boolean {
  return confirmedAt === null && browserHash === hash && createdAt > now - ENROLMENT_MS_MAX;
}

/** Confirms an enrolment by a code of it. */
export async function confirmTotpEnrolment(
  env: Env,
  session: BrowserSession,
  typed: string,
  caller: Caller,
): Promise<boolean> {
  const { userId } = session;
  const db = database(env.DB);
  const factor = await findTotp(db, userId);
  if (factor === null || !isEnrolling(factor, session.hash, Date.now())) return false;
  const secret = await secretOf(env, factor);
  const entry = await entryOf({ userId, type: 'factor_added', reason: 'totp', caller }, env);
  const step = totpStep(secret, typed, { lastStep: 0, needsTwo: false, now: entry.at });
  if (step === null) return false;
  return confirmTotp(db, { secretSealed: factor.secretSealed, step, now: entry.at }, session, entry);
}

/** Whether this is a code of the person's app, which it uses up. It counts as a wrong one before it is compared. */
export async function redeemTotp(env: Env, userId: string, typed: string): Promise<boolean> {
  const db = database(env.DB);
  const now = Date.now();
  const needsTwo = await takeTryOfTotp(db, userId, now);
  const factor = needsTwo === null ? null : await findTotp(db, userId);
  const secret = factor === null ? null : await secretOf(env, factor);
  if (factor === null || secret === null || needsTwo === null) return false;
  const step = totpStep(secret, typed, { lastStep: factor.lastStep, needsTwo, now });
  return step !== null && spendTotpStep(db, { userId, step, now });
}

function secretOf(
  env: Env,
  { userId, secretSealed }: { readonly userId: string; readonly secretSealed: string },
): Promise<string> {
  return openSecret(secretSealed, env.IAM_KEY_ENCRYPTION_KEY, totpContext(userId));
}
