import { database } from '../../../data/database.ts';
import { addToDevOutbox } from '../../../data/identity/dev-outbox.ts';
import type { OtpSender } from './otp-sender.ts';

/** Prints the message and keeps it for /iam/dev/outbox: for a laptop, where no phone is at hand. */
export function localOtpSender(env: Env): OtpSender {
  return {
    async send(phone, text) {
      console.info(`to ${phone}: ${text}`);
      await addToDevOutbox(database(env.DB), { phone, text, createdAt: Date.now() });
    },
  };
}
