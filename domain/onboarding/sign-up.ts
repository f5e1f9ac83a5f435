import { DAY_MS, HOUR_MS, MINUTE_MS } from '../calendar/durations.ts';
import { addressIdentity, isMailAddress } from '../mail/mail-address.ts';
import { hasUnseenInName } from '../register/look-alike.ts';

/** How long a sign-up may stay unfinished (docs/design/onboarding.md#sign-up). */
export const SIGN_UP_MS_MAX = DAY_MS;
/** Unfinished sign-ups of all strangers together, and what one address begins in a day: each is a row. */
export const SIGN_UPS_MAX = 10_000;
export const SIGN_UPS_OF_ADDRESS_MAX = 10;

/** A code that is mailed: how long it is good, how often it may be tried, and how many a sign-up is mailed, with a pause in between. */
export const MAIL_CODE_MS_MAX = 15 * MINUTE_MS;
export const MAIL_CODE_TRIES_MAX = 5;
export const MAIL_CODES_MAX = 3;
export const MAIL_CODE_PAUSE_MS = MINUTE_MS;
/** What one mail address is sent in a day, by all sign-ups together; beyond that one in an hour. */
export const MAILS_OF_ADDRESSEE_MAX = 5;
export const MAIL_PAUSE_MS = HOUR_MS;
/** What it is sent beside that because one address asks, so that no stranger keeps its owner out; and up to how many in a day. */
export const MAILS_OF_ASKER_MAX = 2;
export const MAILS_OF_ASKERS_MAX = 60;

/** Messages with a code by phone: of a sign-up, of an address in a day, and of everybody in a day. Each costs money, and goes to a number that a stranger names. */
export const PHONE_CODES_MAX = 5;
export const PHONE_CODES_OF_ADDRESS_MAX = 15;
export const PHONE_CODES_OF_DAY_MAX = 5_000;
/** The second half of the day's is for addresses that have had fewer than that. */
export const FIRST_PHONE_CODES_MAX = 2;

/** A mail address as it is kept, in lower case; null for what is none. ASCII alone: another one that looks alike is another. */
export function mailAddressOf(written: string): string | null {
  const address = addressIdentity(written.trim());
  return isMailAddress(address) ? address : null;
}

const NAME_LENGTH_MAX = 120;
/** Controls and line ends, and what a page or a sheet could take for something else. Joiners belong to names of some scripts (`hasUnseenInName`). */
const NO_NAME = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}<>{}[\]|\\^~=@]/u;

/** A person's name as it is kept; null for what is none. */
export function personNameOf(written: string): string | null {
  const name = written.normalize('NFC').trim().replaceAll(/\s+/g, ' ');
  const isName = name.length <= NAME_LENGTH_MAX && /\p{L}/u.test(name) && !NO_NAME.test(name) && !hasUnseenInName(name);
  return isName ? name : null;
}

/** What a sign-up knows already. */
interface SignUpProgress {
  readonly mailConfirmedAt: number | null;
  readonly name: string;
  readonly phone: string;
  readonly phoneConfirmedAt: number | null;
}

/** The question that comes next; `finish` is none: all that is asked is known. */
export type SignUpStep = 'mail_code' | 'name' | 'phone' | 'phone_code' | 'finish';

export function nextStep({ mailConfirmedAt, name, phone, phoneConfirmedAt }: SignUpProgress): SignUpStep {
  if (mailConfirmedAt === null) return 'mail_code';
  if (name === '') return 'name';
  if (phone === '') return 'phone';
  return phoneConfirmedAt === null ? 'phone_code' : 'finish';
}
