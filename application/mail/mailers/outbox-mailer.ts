import { database } from '../../../data/database.ts';
import { addDevMail } from '../../../data/mail/dev-mails.ts';
import type { Mailer } from './mailer.ts';

/** Keeps mails for /iam/dev/mail: for a laptop, where no mailbox is at hand. The same id is kept once, as a provider takes it once. */
export function outboxMailer(env: Env): Mailer {
  return {
    async send({ id, kind, to, subject, text, html, headers }) {
      const mail = { id, kind, recipient: to, subject, text, html, headers, createdAt: Date.now() };
      await addDevMail(database(env.DB), mail);
      return { type: 'taken' };
    },
  };
}
