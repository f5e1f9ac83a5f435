import { dialSmtp } from './dial-smtp.ts';
import { httpMailer } from './http-mailer.ts';
import type { Mailer } from './mailer.ts';
import { outboxMailer } from './outbox-mailer.ts';
import { smtpMailer } from './smtp-mailer.ts';

/** Who carries mail, as the environment says (`MAIL_PROVIDER`); null for nobody. The outbox keeps mails in clear, which the local environment alone may do. */
export function mailerOf(env: Env): Mailer | null {
  switch (env.MAIL_PROVIDER) {
    case 'http':
      return httpMailer({ url: env.MAIL_URL, token: env.MAIL_TOKEN, from: env.MAIL_FROM });
    case 'smtp':
      return smtpMailer({ url: env.MAIL_URL, password: env.MAIL_TOKEN, from: env.MAIL_FROM }, dialSmtp);
    case 'outbox':
      return env.ENVIRONMENT === 'local' ? outboxMailer(env) : null;
    default:
      return null;
  }
}

/** Whether mail is carried at all: a step that waits for a mail is not offered where it is not. */
export function isMailCarried(env: Env): boolean {
  return mailerOf(env) !== null;
}
