import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import type { BrowserSession } from '../../../data/identity/browser-sessions.ts';
import { stopRecovery } from '../../../data/identity/factor-recoveries.ts';
import { findEnrolled, removePasskey, removeTotp } from '../../../data/identity/factors.ts';
import { findUser } from '../../../data/identity/users.ts';
import type { MailLanguage } from '../../../domain/mail/mail-kinds.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { describeBug } from '../../log/describe-bug.ts';
import { postMail } from '../../mail/post-mail.ts';
import type { Caller } from '../caller.ts';
import { invalidateUser } from '../invalidate-gates.ts';
import { entryOf } from '../sign-ins/record-sign-in.ts';
import { FIRST_FACTOR_ADDED, tellByPhone } from '../tell-by-phone.ts';
import type { Ceremony } from './challenge.ts';
import { enrolPasskey } from './passkeys.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import { confirmTotpEnrolment } from './totp.ts';

/** A person at the page of their factors. */
export interface FactorOwner {
  readonly session: BrowserSession;
  readonly caller: Caller & { later(work: Promise<unknown>): void };
  readonly language: MailLanguage;
}

/** Adds a passkey, and mails it. False for whatever does not hold. */
export async function addOwnPasskey(
  env: Env,
  { session, caller, language }: FactorOwner,
  terms: { readonly ceremony: Ceremony; readonly written: string; readonly name: string },
): Promise<boolean> {
  const name = await enrolPasskey(env, session, terms, caller);
  if (name !== null) await added(env, { session, caller, language }, `Passkey: ${name}`);
  return name !== null;
}

export async function removeOwnPasskey(env: Env, owner: FactorOwner, id: string): Promise<boolean> {
  const { session, caller } = owner;
  const { userId } = session;
  const entry = await entryOf({ userId, type: 'factor_removed', reason: 'passkey', caller }, env);
  const name = await removePasskey(database(env.DB), id, session, entry);
  if (name !== null) await removed(env, owner, `Passkey: ${name}`);
  return name !== null;
}

export async function confirmOwnTotp(env: Env, owner: FactorOwner, typed: string): Promise<boolean> {
  const isConfirmed = await confirmTotpEnrolment(env, owner.session, typed, owner.caller);
  if (isConfirmed) await added(env, owner, 'TOTP');
  return isConfirmed;
}

export async function removeOwnTotp(env: Env, owner: FactorOwner): Promise<boolean> {
  const { session, caller } = owner;
  const { userId } = session;
  const entry = await entryOf({ userId, type: 'factor_removed', reason: 'totp', caller }, env);
  const isRemoved = await removeTotp(database(env.DB), session, entry);
  if (isRemoved) await removed(env, owner, 'TOTP');
  return isRemoved;
}

/** Makes other recovery codes, and mails that. Null where the person may have none. */
export async function makeOwnRecoveryCodes(env: Env, owner: FactorOwner): Promise<readonly string[] | null> {
  const codes = await makeRecoveryCodes(env, owner.session, owner.caller);
  if (codes !== null) tell(env, owner, 'factor_added', 'Recovery codes');
  return codes;
}

/** Stops a recovery that an operator has begun, by a browser that has shown more than a code by SMS. */
export async function stopOwnRecovery(env: Env, { session, caller }: FactorOwner): Promise<boolean> {
  const { userId, method } = session;
  if (method === 'code') return false;
  return stopRecovery(database(env.DB), userId, await entryOf({ userId, type: 'recovery_stopped', caller }, env));
}

/** The first factor is told by phone, too: few have a confirmed mail address, and from now on the phone alone does not open the account. */
async function added(env: Env, owner: FactorOwner, factor: string): Promise<void> {
  const { userId } = owner.session;
  tell(env, owner, 'factor_added', factor);
  const { passkeys, totp } = await findEnrolled(database(env.DB), userId);
  if (passkeys + (totp ? 1 : 0) !== 1) return;
  await invalidateUser(env, userId);
  const user = await findUser(database(env.DB), userId);
  await tellByPhone(env, [user?.phone ?? null], FIRST_FACTOR_ADDED);
}

/** Every other session has ended. */
async function removed(env: Env, owner: FactorOwner, factor: string): Promise<void> {
  tell(env, owner, 'factor_removed', factor);
  await invalidateUser(env, owner.session.userId);
}

/** Mails that a recovery code was used, and how many are left. */
export async function tellOfSpentCode(env: Env, userId: string, { device }: Caller): Promise<void> {
  const { recoveryCodesLeft } = await findEnrolled(database(env.DB), userId);
  const factor = `Recovery code, used; ${recoveryCodesLeft} left`;
  await mailOf(env, { userId, device, language: 'en' }, 'factor_removed', factor);
}

function tell(
  env: Env,
  { session: { userId }, caller: { device, later }, language }: FactorOwner,
  kind: 'factor_added' | 'factor_removed',
  factor: string,
): void {
  later(mailOf(env, { userId, device, language }, kind, factor));
}

/** What was changed stands, whether or not it can be told. */
async function mailOf(
  env: Env,
  { userId, device, language }: Pick<Caller, 'device'> & { readonly userId: string; readonly language: MailLanguage },
  kind: 'factor_added' | 'factor_removed',
  factor: string,
): Promise<void> {
  const facts = { factor, at: new Date().toISOString(), ...(device === null ? {} : { device }) };
  try {
    await postMail(env, { id: uuidv7(), userId, to: null, kind, language, facts });
  } catch (error) {
    log('error', 'a mail on a factor was not posted', describeBug(error));
  }
}
