import type { RenderedMail } from '../../../domain/mail/render-mail.ts';

export interface OutgoingMail extends RenderedMail {
  /** Of the message: a provider takes the same one once. */
  readonly id: string;
  readonly kind: string;
  readonly to: string;
}

export type MailerAnswer =
  | { readonly type: 'taken' }
  /** For good. */
  | { readonly type: 'refused'; readonly detail: string }
  /** Not now, or nobody knows: the same id may be sent again. `retryAt` is when the provider asks for it, Unix milliseconds. */
  | { readonly type: 'later'; readonly detail: string; readonly retryAt: number | null };

/** Carries a mail to whoever delivers it. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<MailerAnswer>;
}
