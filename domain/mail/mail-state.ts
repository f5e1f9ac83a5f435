/**
 * What becomes of a mail (docs/design/mail.md#states): `queued` waits for its time, `sending` is claimed, and the rest is final.
 * `sent` was taken by the provider, `refused` by none, `dropped` was not worth sending any more, or not wanted.
 */
export const MAIL_STATES = ['queued', 'sending', 'sent', 'refused', 'dropped'] as const;
