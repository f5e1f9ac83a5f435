import type { MailKind, MailLanguage } from './mail-kinds.ts';
import { mailText } from './mail-texts.ts';

/** What a kind of mail is called before people: its subject. */
export function mailKindName(kind: MailKind, language: MailLanguage): string {
  return mailText(kind, language, {}).subject;
}
