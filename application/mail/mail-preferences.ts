import { database } from '../../data/database.ts';
import { findMailLanguage, putMailLanguage } from '../../data/identity/mail-address.ts';
import { putMailPreferences, readMailPreferences } from '../../data/mail/mail-preferences.ts';
import { maskedAddress } from '../../domain/mail/mail-address.ts';
import {
  MAIL_KINDS,
  type MailClass,
  type MailKind,
  type MailLanguage,
  ruleOfMail,
} from '../../domain/mail/mail-kinds.ts';
import { knownMailAddress } from './known-mail-address.ts';
import { isUnsubscribeToken, type Subscription } from './unsubscribe-token.ts';

export interface MailPreferences {
  /** Masked; null where none is confirmed: then nothing is sent. */
  readonly address: string | null;
  readonly language: MailLanguage;
  readonly kinds: readonly { readonly kind: MailKind; readonly class: MailClass; readonly isOn: boolean }[];
}

/** What a person is written to about, and where. */
export async function mailPreferencesOf(env: Env, userId: string): Promise<MailPreferences> {
  const db = database(env.DB);
  const [switched, address, language] = await Promise.all([
    readMailPreferences(db, userId),
    knownMailAddress(env, userId),
    findMailLanguage(db, userId),
  ]);
  const kinds = (Object.keys(MAIL_KINDS) as MailKind[]).map((kind) => {
    const rule = ruleOfMail(kind);
    const isOn = rule.class === 'security' || (switched.get(kind) ?? rule.isOnByDefault);
    return { kind, class: rule.class, isOn };
  });
  return { address: address === null ? null : maskedAddress(address), language: language ?? 'en', kinds };
}

interface MailChange {
  readonly language: MailLanguage | null;
  readonly switched: ReadonlyMap<MailKind, boolean>;
}

/** Changes what a person is written to about. The first kind that cannot be switched, where one is named; then nothing is changed. */
export async function changeMailPreferences(
  env: Env,
  userId: string,
  { language, switched }: MailChange,
): Promise<MailKind | null> {
  const fixed = [...switched.keys()].find((kind) => ruleOfMail(kind).class === 'security');
  if (fixed !== undefined) return fixed;
  const db = database(env.DB);
  await putMailPreferences(db, userId, switched, Date.now());
  if (language !== null) await putMailLanguage(db, userId, language);
  return null;
}

/** Ends mails of a kind for whoever shows the token of one (RFC 8058). False where the token is none, or the kind cannot be ended. */
export async function unsubscribe(env: Env, subscription: Subscription, token: string): Promise<boolean> {
  if (!(await isUnsubscribable(env, subscription, token))) return false;
  const off = new Map([[subscription.kind, false]]);
  await putMailPreferences(database(env.DB), subscription.userId, off, Date.now());
  return true;
}

export async function isUnsubscribable(env: Env, subscription: Subscription, token: string): Promise<boolean> {
  if (ruleOfMail(subscription.kind).class === 'security') return false;
  return isUnsubscribeToken(env, subscription, token);
}
