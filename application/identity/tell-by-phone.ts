import { log } from '../../durable-objects/log/log.ts';
import { describeBug } from '../log/describe-bug.ts';
import { otpSenderOf } from './one-time-code/otp-sender-of.ts';

/** To the old number and the new one. */
export const NUMBER_CHANGED =
  'The phone number of your account was changed, and you were signed out everywhere. If you did not ask for that, call the venue now.';
/** To whoever had no second factor: from then on the phone alone does not open their account. */
export const FIRST_FACTOR_ADDED =
  'A passkey or an authenticator app was set up for your account. From now on it is asked for beside your phone. If that was not you, call the venue now.';
export const RECOVERY_REQUESTED =
  'The venue was asked to remove the passkeys and the authenticator app of your account. That happens in 24 hours. If you did not ask for it, call the venue now.';

/** Tells a user at these numbers. A message that is not sent keeps nothing: the log says so. */
export async function tellByPhone(env: Env, numbers: readonly (string | null)[], text: string): Promise<void> {
  const sender = otpSenderOf(env);
  if (sender === null) return;
  for (const number of numbers) {
    try {
      if (number !== null) await sender.send(number, text);
    } catch (error) {
      log('error', 'a user was not told by phone', describeBug(error));
    }
  }
}
