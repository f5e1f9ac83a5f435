import type { MailKind } from '../../domain/mail/mail-kinds.ts';
import { derivedMac, isDerivedMac } from '../identity/authorization/derived-mac.ts';

export const UNSUBSCRIBE_PATH = '/mail/unsubscribe';

/** Whose mails of which kind. */
export interface Subscription {
  readonly userId: string;
  readonly kind: MailKind;
}

const PURPOSE = 'mail unsubscribe';

const textOf = ({ userId, kind }: Subscription): string => `${kind}\n${userId}`;

/** Whether somebody has read a mail of this kind to this person: the token ends them, and opens nothing else. */
export function isUnsubscribeToken(env: Env, subscription: Subscription, token: string): Promise<boolean> {
  return isDerivedMac(env, PURPOSE, textOf(subscription), token);
}

/** Where a reader ends mails of a kind, in one click and without signing in (RFC 8058). */
export async function unsubscribeAddress(env: Env, subscription: Subscription): Promise<string> {
  const token = await derivedMac(env, PURPOSE, textOf(subscription));
  const query = new URLSearchParams({ user: subscription.userId, kind: subscription.kind, token });
  return `${env.IAM_ISSUER}${UNSUBSCRIBE_PATH}?${query}`;
}
