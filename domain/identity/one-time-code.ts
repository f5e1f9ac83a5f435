import { DAY_MS, HOUR_MS } from '../calendar/durations.ts';

/** docs/design/identity.md#one-time-codes */
export const CODE_LIFETIME_MS = 5 * 60_000;
/** A code that has at least this long to live is sent again as it is; its successor lives beside it until it ends by itself. */
const SAME_CODE_MS = CODE_LIFETIME_MS / 2;

/** Messages of an hour that may follow each other by the short pause. */
const FREE_SENDS = { phone: 5, address: 10 } as const;
const SHORT_PAUSE_MS = 30_000;
/** Beyond those. A phone's is no longer than a code that is sent is good for: whoever is told to wait has one. */
const LONG_PAUSE_MS = { phone: SAME_CODE_MS, address: 10 * 60_000 } as const;

/** Wrong codes for one phone from one address. */
export const TRIES_OF_ADDRESS = { max: 5, periodMs: 15 * 60_000 } as const;
/**
 * Wrong codes for one phone from the widest prefix of IPv6 that one subscriber may command, which has 65,536 of the lines that count above: half of what
 * strangers have together.
 */
export const TRIES_OF_SITE = { max: 50, periodMs: DAY_MS } as const;
/** Wrong codes for one phone from all addresses together that nobody has signed in from: those that asked for a code, and others. */
export const TRIES_OF_DAY = { askers: 500, strangers: 100, periodMs: DAY_MS } as const;
/**
 * Wrong codes of six digits that a phone takes from all addresses together, known ones too (NIST SP 800-63B, 5.2.2: 100 in a row). From then on its codes are
 * long: nobody guesses one, so nobody has to be kept from trying, and nobody locks its owner out.
 */
export const WRONG_CODES_MAX = 100;
/** A right code forgets the wrong ones before it once the first of them is so old: who signs in often is guessed at no more for that. */
export const WRONG_CODES_MS = 30 * DAY_MS;

const SHORT_CODE = /^\d{6}$/;
/** 14 characters of 32 are 70 bits: beyond 64 no limit of tries is asked for (NIST SP 800-63B, 5.2.2). */
export const LONG_CODE_LENGTH = 14;
/** Without I, L, O and U, which are read as others. */
export const LONG_CODE_CHARACTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LONG_CODE = new RegExp(`^[${LONG_CODE_CHARACTERS}]{${LONG_CODE_LENGTH}}$`);

/** Whether the codes of a phone are long. */
export function areCodesLong(wrongCodes: number): boolean {
  return wrongCodes >= WRONG_CODES_MAX;
}

export function isShortCode(code: string): boolean {
  return SHORT_CODE.test(code);
}

/** A code as somebody has typed it; null for what is none. Of a long one dashes, spaces and case do not matter, nor letters that look like digits. */
export function typedCode(text: string): string | null {
  if (isShortCode(text)) return text;
  if (text.length > 2 * LONG_CODE_LENGTH) return null;
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return LONG_CODE.test(code) ? code : null;
}

/** A code as a message shows it. @internal */
export function shownCode(code: string): string {
  return isShortCode(code) ? code : (code.match(/.{1,5}/g)?.join('-') ?? code);
}

/** The message with a code: for what it is, and what was tried meanwhile. The code comes first, where phones show it. */
export function codeMessage(code: string, client: string | null, wrongCodes: number): string {
  const purpose = client === null ? '' : ` for ${client}`;
  return `${shownCode(code)} is your one-time code${purpose}. It is valid for 5 minutes. Tell it to nobody.${wrongCodesTold(wrongCodes)}`;
}

function wrongCodesTold(wrongCodes: number): string {
  if (wrongCodes === 0) return '';
  return ` ${wrongCodes === 1 ? 'A wrong code was' : `${wrongCodes} wrong codes were`} tried for your number.`;
}

/** To the owner of a number that somebody signs up with, in place of a code. It tells of wrong codes as the message with a code does: they count as told. */
export function hasAccountMessage(venue: string, wrongCodes: number): string {
  const what = `Somebody signs up at ${venue} with your number. It has an account there already: sign in with it, or ask the venue where it is not yours. If this was not you, nothing has to be done.`;
  return `${what}${wrongCodesTold(wrongCodes)}`;
}

/** For so long an address that somebody has signed in from is known for their phone. */
export const KNOWN_MS = 90 * DAY_MS;

/** What was sent to a phone, or because an address asked. Unix milliseconds. */
export interface Sends {
  readonly sentAt: number;
  /** Since `sendsSince`, within an hour of it. */
  readonly sends: number;
  readonly sendsSince: number;
}

/** Milliseconds until the next message may go; 0 when it may now. */
export function sendingWait(sends: Sends | null, of: 'phone' | 'address', now: number): number {
  if (sends === null) return 0;
  const isSlow = now - sends.sendsSince < HOUR_MS && sends.sends >= FREE_SENDS[of];
  return Math.max(0, sends.sentAt + (isSlow ? LONG_PAUSE_MS[of] : SHORT_PAUSE_MS) - now);
}

export function afterSending(sends: Sends | null, now: number): Sends {
  if (sends === null || now - sends.sendsSince >= HOUR_MS) return { sentAt: now, sends: 1, sendsSince: now };
  return { sentAt: now, sends: sends.sends + 1, sendsSince: sends.sendsSince };
}

/** Whether the code that was sent last is sent again. */
export function isSentAgain(expiresAt: number, now: number): boolean {
  return expiresAt - now >= SAME_CODE_MS;
}

/** What an address is to a phone. */
export interface Acquaintance {
  /** When it last asked for a code; 0 for never. */
  readonly askedAt: number;
  /** When somebody last signed in from it; 0 for never. */
  readonly signedInAt: number;
}

/** Whose tries an attempt counts among: `known` addresses have their own alone. */
export function poolOf({ askedAt, signedInAt }: Acquaintance, now: number): 'known' | 'askers' | 'strangers' {
  if (now - signedInAt < KNOWN_MS) return 'known';
  return now - askedAt < CODE_LIFETIME_MS ? 'askers' : 'strangers';
}
