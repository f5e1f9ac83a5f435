import { database } from '../../../data/database.ts';
import {
  type CodeInForce,
  readSendingState,
  recordSending,
  rememberAsker,
} from '../../../data/identity/one-time-codes.ts';
import { openSecret, sealSecret } from '../../../data/identity/sealed-secret.ts';
import { findUserByPhone, isPhoneOfAnybody } from '../../../data/identity/users.ts';
import {
  afterSending,
  areCodesLong,
  CODE_LIFETIME_MS,
  codeMessage,
  hasAccountMessage,
  isSentAgain,
  isShortCode,
  LONG_CODE_CHARACTERS,
  LONG_CODE_LENGTH,
  sendingWait,
} from '../../../domain/identity/one-time-code.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { describeBug } from '../../log/describe-bug.ts';
import { codeHashOf } from './code-hash.ts';
import { codeRowsOf } from './code-rows.ts';
import type { OtpSender } from './otp-sender.ts';

export type IssuedCode =
  /** `deliver` is to run after the answer: there it matters whether the number is anyone's. */
  | { readonly issued: true; readonly deliver: (sender: OtpSender) => Promise<void> }
  /** Seconds until the next may be sent. */
  | { readonly issued: false; readonly retryAfter: number };

/** At which client somebody signs in by it: it is good there alone, and its message says so. */
export interface CodeClient {
  readonly id: string;
  readonly name: string;
  /** Who signs up there: a number that is nobody's gets the code, and one that has an account is told so in its place. */
  readonly isSignUp?: true;
}

/**
 * Puts a code in place for a phone number, known or not, so that answer and timing tell nothing; not when it is too early for another
 * message (docs/design/identity.md#one-time-codes).
 */
export async function issueOneTimeCode(
  phone: string,
  clientAddress: string,
  env: Env,
  client: CodeClient | null = null,
): Promise<IssuedCode> {
  const db = database(env.DB);
  const now = Date.now();
  const clientId = client?.id ?? '';
  const rows = await codeRowsOf(db, { phone, clientAddress, clientId }, env);
  await rememberAsker(db, rows, now);
  const seen = await readSendingState(db, rows);
  const wait_ms = Math.max(sendingWait(seen.phone, 'phone', now), sendingWait(seen.address, 'address', now));
  if (wait_ms > 0) return { issued: false, retryAfter: Math.ceil(wait_ms / 1_000) };
  const isLong = areCodesLong(seen.wrong.wrongCodes);
  const { code, inForce } = await codeToSend({ phone, clientId, isLong }, seen.phone, now, env);
  const sends = { phone: afterSending(seen.phone, now), address: afterSending(seen.address, now) };
  if (!(await recordSending(db, { rows, code: inForce, sends, seen })))
    return { issued: false, retryAfter: Math.ceil(sendingWait(sends.phone, 'phone', now) / 1_000) };
  return {
    issued: true,
    deliver: async (sender) => {
      const isSignUp = client?.isSignUp === true;
      const isKnown = isSignUp ? await isPhoneOfAnybody(db, phone) : (await findUserByPhone(db, phone)) !== null;
      if (!isKnown && !isSignUp) return;
      try {
        const name = client?.name ?? null;
        const { wrongUntold } = seen.wrong;
        const message = codeMessage(code, name, wrongUntold);
        await sender.send(phone, isKnown && isSignUp ? hasAccountMessage(name ?? '', wrongUntold) : message);
      } catch (error) {
        log('error', 'one-time code not sent', describeBug(error));
      }
    },
  };
}

/** The code that was sent last, as long as it lives long enough and may be tried, else a fresh one. */
async function codeToSend(
  { phone, clientId, isLong }: { readonly phone: string; readonly clientId: string; readonly isLong: boolean },
  last: CodeInForce | null,
  now: number,
  env: Env,
): Promise<{ readonly code: string; readonly inForce: CodeInForce }> {
  if (last !== null && last.codeSealed !== '' && isSentAgain(last.expiresAt, now)) {
    const { codeHash, codeSealed, expiresAt } = last;
    const code = await openSecret(codeSealed, env.IAM_KEY_ENCRYPTION_KEY, contextOf(phone));
    if (isShortCode(code) !== isLong) return { code, inForce: { codeHash, codeSealed, expiresAt } };
  }
  const code = isLong ? randomLongCode() : randomCode();
  const codeSealed = await sealSecret(code, env.IAM_KEY_ENCRYPTION_KEY, contextOf(phone));
  return {
    code,
    inForce: { codeHash: await codeHashOf(phone, code, env, clientId), codeSealed, expiresAt: now + CODE_LIFETIME_MS },
  };
}

function contextOf(phone: string): string {
  return `one-time code of ${phone}`;
}

function randomLongCode(): string {
  const draws = crypto.getRandomValues(new Uint8Array(LONG_CODE_LENGTH));
  return Array.from(draws, (draw) => LONG_CODE_CHARACTERS[draw % LONG_CODE_CHARACTERS.length]).join('');
}

/** 6 digits, each equally likely: draws that would favour the low ones are thrown away. */
function randomCode(): string {
  const draw = new Uint32Array(1);
  do crypto.getRandomValues(draw);
  while (draw[0]! >= 4_294_000_000);
  return String(draw[0]! % 1_000_000).padStart(6, '0');
}
