import { DAY_MS, HOUR_MS } from '../calendar/durations.ts';
import { kindsOfClass, type MailKind, ruleOfMail } from './mail-kinds.ts';

/** So many mails of these kinds within so long, of one user or one address. */
export interface MailLimit {
  readonly count: number;
  readonly within_ms: number;
  readonly kinds: readonly MailKind[];
}

/** Kinds that go to an address which nobody has proved to read: whoever types it in causes them. */
const TO_ANYBODY: readonly MailKind[] = ['mail_confirm', 'signup_exists', 'address_in_use'];

const ANYBODY: MailLimit = { count: 5, within_ms: HOUR_MS, kinds: TO_ANYBODY };
const PREFERENCES: MailLimit = { count: 50, within_ms: DAY_MS, kinds: kindsOfClass('preference') };

/**
 * Of whom it counts for. Each kind of security is counted by itself, so that nobody uses up the mail that tells of a removed factor by making keys; mail of a preference never uses up
 * what mail of security has.
 */
export function limitOfMail(kind: MailKind): MailLimit {
  if (TO_ANYBODY.includes(kind)) return ANYBODY;
  return ruleOfMail(kind).class === 'preference' ? PREFERENCES : { count: 50, within_ms: DAY_MS, kinds: [kind] };
}
