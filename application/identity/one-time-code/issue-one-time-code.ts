import { database } from '../../../data/database.ts';
import { putOneTimeCode } from '../../../data/identity/one-time-codes.ts';
import { findUserByPhone } from '../../../data/identity/users.ts';
import { HOUR_MS } from '../../../domain/calendar/durations.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { describeBug } from '../../log/describe-bug.ts';
import { codeHashOf } from './code-hash.ts';
import type { OtpSender } from './otp-sender.ts';

/** docs/design/identity.md#one-time-codes */
export const CODE_LIFETIME_MS = 5 * 60_000;
const CODE_TRIES = 5;
export const RESEND_PAUSE_MS = 30_000;
const SENDING_LIMITS = { pauseMs: RESEND_PAUSE_MS, periodMs: HOUR_MS, sendsMax: 10 };

/**
 * Puts a fresh code in place for a phone number, known or not, so that answer and timing tell nothing; false when it is too early or
 * too often. `deliver` is to run after the answer: there it matters whether the number is anyone's.
 */
export async function issueOneTimeCode(
  phone: string,
  env: Env,
): Promise<{ issued: boolean; deliver: (sender: OtpSender) => Promise<void> }> {
  const db = database(env.DB);
  const now = Date.now();
  const code = randomCode();
  const codeHash = await codeHashOf(phone, code, env);
  const issued = await putOneTimeCode(
    db,
    { phone, codeHash, expiresAt: now + CODE_LIFETIME_MS, tries: CODE_TRIES, now },
    SENDING_LIMITS,
  );
  return {
    issued,
    deliver: async (sender) => {
      if ((await findUserByPhone(db, phone)) === null) return;
      try {
        await sender.send(phone, `Your one-time code is ${code}. It is valid for 5 minutes.`);
      } catch (error) {
        log('error', 'one-time code not sent', describeBug(error));
      }
    },
  };
}

/** 6 digits, each equally likely: draws that would favour the low ones are thrown away. */
function randomCode(): string {
  const draw = new Uint32Array(1);
  do crypto.getRandomValues(draw);
  while (draw[0]! >= 4_294_000_000);
  return String(draw[0]! % 1_000_000).padStart(6, '0');
}
