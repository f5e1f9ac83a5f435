import { retryAtOf } from '../../../domain/webhooks/retry-schedule.ts';
import type { Mailer, MailerAnswer, OutgoingMail } from './mailer.ts';

interface HttpMailerSettings {
  readonly url: string;
  readonly token: string;
  readonly from: string;
}

const ANSWER_MS_MAX = 10_000;

/**
 * Not the message's fault: the token is wrong or withdrawn, the provider is busy, or the same id is under way there. Whatever else the provider refuses with 4xx it refuses for
 * good.
 */
const LATER = new Set([401, 403, 408, 409, 425, 429]);

/** A provider's JSON API in the form that Resend and others have: one POST a mail, the message's id as `Idempotency-Key`. Of an answer its status alone is read. */
export function httpMailer({ url, token, from }: HttpMailerSettings): Mailer {
  return {
    async send({ id, to, subject, text, html, headers }: OutgoingMail): Promise<MailerAnswer> {
      let answer: Response;
      try {
        answer = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'idempotency-key': id },
          body: JSON.stringify({ from, to: [to], subject, text, html, headers }),
          // An answer from elsewhere is none of the provider's, and must not be given its token.
          redirect: 'manual',
          signal: AbortSignal.timeout(ANSWER_MS_MAX),
        });
        await answer.body?.cancel();
      } catch (error) {
        return { type: 'later', detail: error instanceof Error ? error.name : 'no answer', retryAt: null };
      }
      return answerOf(answer.status, answer.headers.get('retry-after'), Date.now());
    },
  };
}

/** @internal */
export function answerOf(status: number, retryAfter: string | null, now: number): MailerAnswer {
  if (status >= 200 && status < 300) return { type: 'taken' };
  const detail = `status ${status}`;
  if (status >= 400 && status < 500 && !LATER.has(status)) return { type: 'refused', detail };
  return { type: 'later', detail, retryAt: retryAtOf(retryAfter, now) };
}
