import { DAY_MS, HOUR_MS } from '../calendar/durations.ts';
import { kindsOfClass, type MailKind, ruleOfMail } from './mail-kinds.ts';

/** So many mails of these kinds within so long, of one user or one address. */
export interface MailLimit {
  readonly count: number;
  readonly within_ms: number;
  readonly kinds: readonly MailKind[];
}

/** Kinds that go to an address which nobody has proved to read: whoever types it in causes them. */
const TO_ANYBODY: readonly MailKind[] = ['mail_confirm', 'signup_exists'];

const LIMITS: Readonly<Record<'anybody' | 'security' | 'preference', MailLimit>> = {
  anybody: { count: 5, within_ms: HOUR_MS, kinds: TO_ANYBODY },
  security: { count: 100, within_ms: DAY_MS, kinds: kindsOfClass('security') },
  preference: { count: 50, within_ms: DAY_MS, kinds: kindsOfClass('preference') },
};

/** Of whom it counts for: mail of a preference never uses up what mail of security has. */
export function limitOfMail(kind: MailKind): MailLimit {
  return LIMITS[TO_ANYBODY.includes(kind) ? 'anybody' : ruleOfMail(kind).class];
}
