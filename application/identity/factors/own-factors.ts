import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import type { BrowserSession } from '../../../data/identity/browser-sessions.ts';
import { removePasskey, removeTotp } from '../../../data/identity/factors.ts';
import type { MailLanguage } from '../../../domain/mail/mail-kinds.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { describeBug } from '../../log/describe-bug.ts';
import { postMail } from '../../mail/post-mail.ts';
import type { Caller } from '../caller.ts';
import { entryOf } from '../sign-ins/record-sign-in.ts';
import type { Ceremony } from './challenge.ts';
import { enrolPasskey } from './passkeys.ts';
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
  if (name !== null) tell(env, { session, caller, language }, 'factor_added', `Passkey: ${name}`);
  return name !== null;
}

export async function removeOwnPasskey(env: Env, owner: FactorOwner, id: string): Promise<boolean> {
  const { session, caller } = owner;
  const { userId } = session;
  const entry = await entryOf({ userId, type: 'factor_removed', reason: 'passkey', caller }, env);
  const name = await removePasskey(database(env.DB), id, session, entry);
  if (name !== null) tell(env, owner, 'factor_removed', `Passkey: ${name}`);
  return name !== null;
}

export async function confirmOwnTotp(env: Env, owner: FactorOwner, typed: string): Promise<boolean> {
  const isConfirmed = await confirmTotpEnrolment(env, owner.session, typed, owner.caller);
  if (isConfirmed) tell(env, owner, 'factor_added', 'TOTP');
  return isConfirmed;
}

export async function removeOwnTotp(env: Env, owner: FactorOwner): Promise<boolean> {
  const { session, caller } = owner;
  const { userId } = session;
  const entry = await entryOf({ userId, type: 'factor_removed', reason: 'totp', caller }, env);
  const isRemoved = await removeTotp(database(env.DB), session, entry);
  if (isRemoved) tell(env, owner, 'factor_removed', 'TOTP');
  return isRemoved;
}

/** What was changed stands, whether or not it can be told. */
function tell(
  env: Env,
  { session: { userId }, caller: { device, later }, language }: FactorOwner,
  kind: 'factor_added' | 'factor_removed',
  factor: string,
): void {
  const facts = { factor, at: new Date().toISOString(), ...(device === null ? {} : { device }) };
  const mail = { id: uuidv7(), userId, to: null, kind, language, facts };
  later(
    postMail(env, mail).catch((error: unknown) =>
      log('error', 'a mail on a factor was not posted', describeBug(error)),
    ),
  );
}
