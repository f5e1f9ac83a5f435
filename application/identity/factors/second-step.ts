import { database } from '../../../data/database.ts';
import { rememberSignIn, SITE, takeTryOfAddress } from '../../../data/identity/one-time-codes.ts';
import { CEREMONY_MS_MAX, type SignInMethod } from '../../../domain/identity/factors.ts';
import { isShortCode, poolOf, typedCode } from '../../../domain/identity/one-time-code.ts';
import { areTwoCodes, TRIES_OF_STRANGERS, typedTotp } from '../../../domain/identity/totp.ts';
import { rateSubjectOf } from '../../../domain/limits/address.ts';
import { derivedMac, isDerivedMac } from '../authorization/derived-mac.ts';
import { keyedHash } from '../one-time-code/code-hash.ts';
import { redeemRecoveryCode } from './recovery-codes.ts';
import { redeemTotp } from './totp.ts';

/** A right code by SMS that waits for a second factor. */
export interface FirstStep {
  readonly userId: string;
  readonly phone: string;
  /** Before the user was read, Unix milliseconds. */
  readonly at: number;
}

/** The browser that it was typed in, and the request that stands in its address. */
interface FirstStepOf {
  readonly browser: string;
  readonly query: string;
}

const PROOF = /^([^\n.]{1,256})\.(\d{13})\.(\+\d{5,20})\.([A-Za-z0-9_-]{43})$/;

/** What the page of the second factor carries. Nothing is stored. */
export async function firstStepProof(env: Env, of: FirstStepOf, { userId, at, phone }: FirstStep): Promise<string> {
  const body = `${userId}.${at}.${phone}`;
  return `${body}.${await derivedMac(env, PURPOSE, textOf(of, body))}`;
}

/** Null for what this browser was not given for this request, and for what is out of date. */
export async function firstStepOf(env: Env, of: FirstStepOf, proof: string): Promise<FirstStep | null> {
  const [, userId, written, phone, mac = ''] = PROOF.exec(proof) ?? [];
  if (userId === undefined || phone === undefined || of.browser === '') return null;
  if (!(await isDerivedMac(env, PURPOSE, textOf(of, `${userId}.${written}.${phone}`), mac))) return null;
  const at = Number(written);
  return at + CEREMONY_MS_MAX > Date.now() ? { userId, phone, at } : null;
}

/**
 * Tries what somebody has typed as a second factor, in the tries that their address and, of one code of an app, all strange addresses have. Two codes of an app and a recovery code are
 * guessed by nobody, so nobody is kept from trying one.
 *
 * @returns by what they have signed in; null for what is wrong
 */
export async function redeemSecondFactor(
  env: Env,
  userId: string,
  written: string,
  clientAddress: string,
): Promise<SignInMethod | null> {
  const db = database(env.DB);
  const now = Date.now();
  const address = await keyedHash(`${userId}\n${rateSubjectOf(clientAddress)}`, env, 'second factor');
  const acquaintance = await takeTryOfAddress(db, { address, addressSubject: '' }, now);
  if (acquaintance === null) return null;
  const method = await methodOf();
  if (method !== null) await rememberSignIn(db, address, now);
  return method;

  async function methodOf(): Promise<SignInMethod | null> {
    const digits = typedTotp(written);
    if (digits === null) {
      const code = typedCode(written.trim());
      if (code === null || isShortCode(code)) return null;
      return (await redeemRecoveryCode(env, userId, code)) ? 'code_and_recovery' : null;
    }
    const isStrange = acquaintance !== null && poolOf(acquaintance, now) !== 'known';
    if (isStrange && !areTwoCodes(digits)) {
      const all = await keyedHash(`${userId}\nstrangers`, env, 'second factor');
      const rows = { address: all, addressSubject: SITE };
      if ((await takeTryOfAddress(db, rows, now, TRIES_OF_STRANGERS)) === null) return null;
    }
    return (await redeemTotp(env, userId, digits)) ? 'code_and_totp' : null;
  }
}

const PURPOSE = 'first step of a sign-in';

function textOf({ browser, query }: FirstStepOf, body: string): string {
  return [browser, query, body].join('\n');
}
