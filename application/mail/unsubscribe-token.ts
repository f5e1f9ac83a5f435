import type { MailKind } from '../../domain/mail/mail-kinds.ts';
import { derivedMac } from '../identity/authorization/derived-mac.ts';
import { isEqual } from '../identity/is-equal.ts';

export const UNSUBSCRIBE_PATH = '/mail/unsubscribe';

/** Whose mails of which kind. */
export interface Subscription {
  readonly userId: string;
  readonly kind: MailKind;
}

/** Proves that somebody has read a mail of this kind to this person: it ends them, and opens nothing else. */
function unsubscribeToken(env: Env, { userId, kind }: Subscription): Promise<string> {
  return derivedMac(env, 'mail unsubscribe', `${kind}\n${userId}`);
}

export async function isUnsubscribeToken(env: Env, subscription: Subscription, token: string): Promise<boolean> {
  return isEqual(await unsubscribeToken(env, subscription), token);
}

/** Where a reader ends mails of a kind, in one click and without signing in (RFC 8058). */
export async function unsubscribeAddress(env: Env, subscription: Subscription): Promise<string> {
  const token = await unsubscribeToken(env, subscription);
  const query = new URLSearchParams({ user: subscription.userId, kind: subscription.kind, token });
  return `${env.IAM_ISSUER}${UNSUBSCRIBE_PATH}?${query}`;
}
