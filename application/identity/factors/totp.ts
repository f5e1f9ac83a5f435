import { database } from '../../../data/database.ts';
import type { BrowserSession } from '../../../data/identity/browser-sessions.ts';
import { beginTotp, confirmTotp, findTotp, spendTotpStep, takeTryOfTotp } from '../../../data/identity/factors.ts';
import { openSecret, sealSecret } from '../../../data/identity/sealed-secret.ts';
import { newTotpSecret, totpStep } from '../../../domain/identity/totp.ts';
import { derivedMac } from '../authorization/derived-mac.ts';
import type { Caller } from '../caller.ts';
import { entryOf } from '../sign-ins/record-sign-in.ts';

const KEY_NAME_CHARACTERS = 12;

/** Begins an enrolment; false where the person has an app already, or is signed out. */
export async function beginTotpEnrolment(env: Env, session: BrowserSession): Promise<boolean> {
  const sealed = await sealedUnderNamedKey(env, newTotpSecret(), session.userId);
  return beginTotp(database(env.DB), sealed, session, Date.now());
}

/** The secret of an enrolment that is not confirmed, for its person alone; null for none. */
export async function secretToEnrol(env: Env, userId: string): Promise<string | null> {
  const factor = await findTotp(database(env.DB), userId);
  return factor === null || factor.confirmedAt !== null ? null : secretOf(env, factor);
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
  const secret = factor === null || factor.confirmedAt !== null ? null : await secretOf(env, factor);
  if (factor === null || secret === null) return false;
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

/** The name of the key stands before what it has sealed, so that a row says which key opens it once there are two. */
async function sealedUnderNamedKey(env: Env, secret: string, userId: string): Promise<string> {
  return `${await keyName(env)}:${await sealSecret(secret, env.IAM_KEY_ENCRYPTION_KEY, contextOf(userId))}`;
}

/** Null where another key has sealed it: then nobody knows the secret. */
async function secretOf(
  env: Env,
  { userId, secretSealed }: { readonly userId: string; readonly secretSealed: string },
): Promise<string | null> {
  const [name, sealed = ''] = secretSealed.split(':');
  if (name !== (await keyName(env))) return null;
  return openSecret(sealed, env.IAM_KEY_ENCRYPTION_KEY, contextOf(userId));
}

async function keyName(env: Env): Promise<string> {
  return (await derivedMac(env, 'name of the key', '')).slice(0, KEY_NAME_CHARACTERS);
}

function contextOf(userId: string): string {
  return `totp of ${userId}`;
}
