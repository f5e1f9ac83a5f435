import { uuidv7 } from 'uuidv7';
import { organizationExists } from '../../data/accounts/organizations.ts';
import { database } from '../../data/database.ts';
import { createBrowserSession } from '../../data/identity/browser-sessions.ts';
import { openSecret, sealSecret } from '../../data/identity/sealed-secret.ts';
import {
  addSignUp,
  changeSignUp,
  confirmMailAddress as confirmMailCode,
  createSignedUp,
  findSignUp,
  isSignUpCompleted,
  renewMailCode,
  type SignUpRow,
  takeMailTry,
  takePhoneCode,
} from '../../data/onboarding/sign-ups.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { typedCode } from '../../domain/identity/one-time-code.ts';
import { widestSubjectOf } from '../../domain/limits/address.ts';
import { mailboxOf } from '../../domain/mail/mail-address.ts';
import type { MailLanguage } from '../../domain/mail/mail-kinds.ts';
import {
  MAIL_CODE_MS_MAX,
  nextStep,
  PHONE_CODES_OF_DAY_MAX,
  SIGN_UP_MS_MAX,
  SIGN_UPS_MAX,
  type SignUpStep,
} from '../../domain/onboarding/sign-up.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { log } from '../../durable-objects/log/log.ts';
import { derivedMac } from '../identity/authorization/derived-mac.ts';
import { browserClient } from '../identity/authorization/sign-in-browser.ts';
import { type Caller, placeOf } from '../identity/caller.ts';
import { isEqual } from '../identity/is-equal.ts';
import { issueOneTimeCode } from '../identity/one-time-code/issue-one-time-code.ts';
import { numberAsKept } from '../identity/one-time-code/number-as-kept.ts';
import { otpSenderOf } from '../identity/one-time-code/otp-sender-of.ts';
import { redeemOneTimeCode } from '../identity/one-time-code/redeem-one-time-code.ts';
import { randomSecret } from '../identity/random-secret.ts';
import { sha256Hex } from '../identity/sha256-hex.ts';
import { recordSignIn } from '../identity/sign-ins/record-sign-in.ts';
import { mailAddressHash, mailAddressHashes, userOfMailAddress } from '../mail/mail-addresses.ts';
import { mailCodeHash, sixDigits, typedMailCode } from '../mail/mail-code.ts';
import { isMailCarried } from '../mail/mailers/mailer-of.ts';
import { postMail } from '../mail/post-mail.ts';
import { UNPROVEN } from '../operator/open-user-account.ts';

/** What a person has said, sealed in their row. */
interface SignUpFacts {
  readonly mail: string;
  readonly name: string;
  readonly phone: string;
}

/** A sign-up that is under way. */
export interface SignUp extends SignUpFacts {
  readonly row: SignUpRow;
  readonly step: SignUpStep;
}

/** The organization whose customers sign up by themselves: the var SIGNUP_ORGANIZATION. Null where nobody does, and where no mail is carried: an address could not be confirmed. */
export async function signUpOrganization(env: Env): Promise<string | null> {
  const owner = env.SIGNUP_ORGANIZATION as string;
  if (!isMailCarried(env)) return null;
  return owner !== '' && (await organizationExists(database(env.DB), owner)) ? owner : null;
}

/** The sign-up of a browser, by what it has kept; null for none that is open. */
export async function signUpOf(env: Env, token: string | undefined): Promise<SignUp | null> {
  if (token === undefined) return null;
  const row = await findSignUp(database(env.DB), await sha256Hex(token), Date.now());
  if (row === null) return null;
  const facts = JSON.parse(await openSecret(row.facts, env.IAM_KEY_ENCRYPTION_KEY, contextOf(row.id))) as SignUpFacts;
  const { mailConfirmedAt, phoneConfirmedAt } = row;
  return { ...facts, row, step: nextStep({ ...facts, mailConfirmedAt, phoneConfirmedAt }) };
}

/** Whether the sign-up of a browser has led to an account, by what it has kept. */
export async function hasSignedUp(env: Env, token: string | undefined): Promise<boolean> {
  return token !== undefined && isSignUpCompleted(database(env.DB), await sha256Hex(token), Date.now());
}

const contextOf = (id: string): string => `sign-up ${id}`;

function sealFacts(env: Env, id: string, { mail, name, phone }: SignUpFacts): Promise<string> {
  return sealSecret(JSON.stringify({ mail, name, phone }), env.IAM_KEY_ENCRYPTION_KEY, contextOf(id));
}

/**
 * Begins a sign-up and mails its code; one whose address is confirmed already is told that instead, by the same steps.
 *
 * No mail goes to an address that has had as many as may be, and whoever asks does not see that: they are not told whether others have asked.
 *
 * @returns what the browser is to keep; null beyond what one address or everybody together may begin
 */
export async function beginSignUp(
  env: Env,
  {
    mail,
    clientAddress,
    language,
  }: { readonly mail: string; readonly clientAddress: string; readonly language: MailLanguage },
): Promise<string | null> {
  const token = randomSecret();
  const id = await sha256Hex(token);
  const now = Date.now();
  const code = await mailCodeFor(env, id, mail);
  const row = {
    id,
    address: await derivedMac(env, 'address that signs up', widestSubjectOf(clientAddress)),
    mailHash: await mailAddressHash(env, mailboxOf(mail)),
    facts: await sealFacts(env, id, { mail, name: '', phone: '' }),
    codeHash: code.hash,
    codeExpiresAt: now + MAIL_CODE_MS_MAX,
    userId: uuidv7(),
    createdAt: now,
    expiresAt: now + SIGN_UP_MS_MAX,
  };
  const begun = await addSignUp(database(env.DB), row, now);
  if (begun === null) return null;
  if (begun.open === SIGN_UPS_MAX / 2)
    log('warn', 'half of the sign-ups that may be unfinished are', { open: begun.open });
  if (begun.isMailed) await code.post(`${id}-1`, language);
  return token;
}

/** Mails another code in the place of the one before; false where it is too early, or the sign-up has asked as often as it may. */
export async function mailAnotherCode(env: Env, { row, mail }: SignUp, language: MailLanguage): Promise<boolean> {
  const code = await mailCodeFor(env, row.id, mail);
  const now = Date.now();
  const renewed = { codeHash: code.hash, codeExpiresAt: now + MAIL_CODE_MS_MAX };
  const asked = await renewMailCode(database(env.DB), row, renewed, now);
  if (asked === null) return false;
  if (asked.mails !== null) await code.post(`${row.id}-${asked.mails}`, language);
  return true;
}

/** A code for a mail address. Of one that is somebody's no code is good, and they are told in its place: whoever asks sees no difference. */
async function mailCodeFor(env: Env, id: string, mail: string) {
  const code = sixDigits();
  const [hash, owner] = await Promise.all([mailCodeHash(env, { id, mail, code }), userOfMailAddress(env, mail)]);
  const minutes = String(MAIL_CODE_MS_MAX / MINUTE_MS);
  return {
    hash: owner === null ? hash : '',
    post: (name: string, language: MailLanguage) =>
      postMail(env, {
        id: `sign-up-${name}`,
        userId: null,
        to: mail,
        kind: owner === null ? 'mail_confirm' : 'signup_exists',
        language,
        facts: owner === null ? { code, minutes } : { at: new Date().toISOString() },
      }),
  };
}

/** Whether this is the code that was mailed. A try counts before anything is compared. */
export async function confirmMail(env: Env, { row, mail }: SignUp, written: string): Promise<boolean> {
  const code = typedMailCode(written);
  if (code === null) return false;
  const db = database(env.DB);
  const good = await takeMailTry(db, row.id, Date.now());
  const presented = await mailCodeHash(env, { id: row.id, mail, code });
  if (good === null || !isEqual(good, presented)) return false;
  return confirmMailCode(db, row.id, good, Date.now());
}

/** Writes down the person's name; false where the sign-up has changed meanwhile. */
export async function nameSignUp(env: Env, { row, mail, phone }: SignUp, name: string): Promise<boolean> {
  const facts = await sealFacts(env, row.id, { mail, name, phone });
  return changeSignUp(database(env.DB), row, { facts, phoneConfirmedAt: row.phoneConfirmedAt });
}

/** Forgets the number, so that another one is asked for. */
export async function forgetPhone(env: Env, { row, mail, name }: SignUp): Promise<boolean> {
  const facts = await sealFacts(env, row.id, { mail, name, phone: '' });
  return changeSignUp(database(env.DB), row, { facts, phoneConfirmedAt: null });
}

/** At which codes of sign-ups are good: no client is called so. */
function signUpClient(env: Env) {
  return { id: '*sign-up', name: browserClient(env).name, isSignUp: true } as const;
}

type PhoneCodeRefusal = 'limited' | 'unavailable';

/**
 * Sends a code to a number, known or not, and writes the number down. A code that was sent shortly before is good still.
 *
 * @returns seconds until another may be sent, where it is too early; null where one was sent
 */
export async function sendPhoneCode(
  env: Env,
  { row, mail, name }: SignUp,
  phone: string,
  { clientAddress, later }: Pick<Caller, 'clientAddress'> & { later(work: Promise<unknown>): void },
): Promise<Result<number | null, PhoneCodeRefusal>> {
  const sender = otpSenderOf(env);
  if (sender === null) return err('unavailable');
  const db = database(env.DB);
  const sent = await takePhoneCode(db, row, Date.now());
  if (sent === null) return err('limited');
  if (sent === PHONE_CODES_OF_DAY_MAX / 2) log('warn', "half of a day's messages of sign-ups are sent", { sent });
  const facts = await sealFacts(env, row.id, { mail, name, phone });
  if (!(await changeSignUp(db, row, { facts, phoneConfirmedAt: null }))) return err('unavailable');
  const kept = (await numberAsKept(db, phone)) ?? phone;
  const code = await issueOneTimeCode(kept, clientAddress, env, signUpClient(env));
  if (code.issued) later(code.deliver(sender));
  return ok(code.issued ? null : code.retryAfter);
}

/** Whether this is the code that was sent to the number of the sign-up. */
export async function confirmPhone(
  env: Env,
  { row, mail, name, phone }: SignUp,
  written: string,
  clientAddress: string,
): Promise<boolean> {
  const code = typedCode(written.trim());
  if (code === null || phone === '') return false;
  const kept = (await numberAsKept(database(env.DB), phone)) ?? phone;
  if (!(await redeemOneTimeCode(kept, code, clientAddress, env, signUpClient(env).id))) return false;
  const facts = await sealFacts(env, row.id, { mail, name, phone });
  return changeSignUp(database(env.DB), row, { facts, phoneConfirmedAt: Date.now() });
}

type FinishRefusal = 'taken' | 'unavailable';

/**
 * Makes user, account and mail address, and signs the browser in. After a crash between the two the person signs in as anybody does: what a browser has kept of a sign-up opens nothing
 * once there is an account.
 *
 * @returns what the browser is to keep of its session
 */
export async function finishSignUp(
  env: Env,
  { row, step, mail, name, phone }: SignUp,
  {
    requestId,
    language,
    caller,
  }: {
    readonly requestId: string;
    readonly language: MailLanguage;
    readonly caller: Caller & { later(work: Promise<unknown>): void };
  },
): Promise<Result<string, FinishRefusal>> {
  if (step !== 'finish') return err('unavailable');
  const owner = await signUpOrganization(env);
  if (owner === null) return err('unavailable');
  const db = database(env.DB);
  const id = row.userId;
  const now = Date.now();
  const confirmed = { userId: id, address: mail, language, confirmedAt: now };
  const address = { ...confirmed, addressHashes: await mailAddressHashes(env, mail) };
  const kept = (await numberAsKept(db, phone)) ?? phone;
  const person = { id, signUp: row.id, owner, name, phone: kept, facts: UNPROVEN, mail: address };
  const terms = { requestId, now, masterKey: env.IAM_KEY_ENCRYPTION_KEY };
  if (!(await createSignedUp(db, person, terms))) return err('taken');
  const token = randomSecret();
  const place = await placeOf(id, caller.clientAddress, env);
  const of = { userId: id, createdAt: Date.now(), method: 'code', device: caller.device, place } as const;
  const session = { hash: await sha256Hex(token), ...of };
  if (!(await createBrowserSession(db, session, { phone: kept, now: Date.now() }))) return err('unavailable');
  const { id: clientId } = browserClient(env);
  caller.later(recordSignIn(env, { userId: id, type: 'signed_in', clientId, caller }));
  return ok(token);
}
