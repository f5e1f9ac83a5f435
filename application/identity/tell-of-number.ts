import { log } from '../../durable-objects/log/log.ts';
import { describeBug } from '../log/describe-bug.ts';
import { otpSenderOf } from './one-time-code/otp-sender-of.ts';

const TEXT =
  'The phone number of your account was changed, and you were signed out everywhere. If you did not ask for that, call the venue now.';

/** Tells a user at the old number and the new one that it was changed. A message that is not sent keeps nothing: the log says so. */
export async function tellOfNumber(env: Env, numbers: readonly (string | null)[]): Promise<void> {
  const sender = otpSenderOf(env);
  if (sender === null) return;
  for (const number of numbers) {
    try {
      if (number !== null) await sender.send(number, TEXT);
    } catch (error) {
      log('error', 'nobody was told of another phone number', describeBug(error));
    }
  }
}
