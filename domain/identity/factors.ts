import { DAY_MS, MINUTE_MS } from '../calendar/durations.ts';

/** How somebody has shown who they are: by a code by SMS, by that and a second factor, or by a passkey. */
export type SignInMethod = 'code' | 'code_and_totp' | 'code_and_recovery' | 'passkey';

/** Of a person; more are not taken. */
export const PASSKEYS_MAX = 10;
export const RECOVERY_CODES = 10;
/** How long a challenge of a passkey, and a right code by SMS that waits for a second factor, are good. */
export const CEREMONY_MS_MAX = 5 * MINUTE_MS;
/** How long an app that is not confirmed may be, in the browser that has begun it. */
export const ENROLMENT_MS_MAX = 10 * MINUTE_MS;
/** How long an operator's recovery waits, so that a person who has lost nothing can stop it. */
export const RECOVERY_WAIT_MS = DAY_MS;
/** Of what a person calls a passkey. */
export const FACTOR_NAME_LENGTH_MAX = 60;

/** Authentication Context Class Reference: one factor, two, or one that cannot be phished (`phr`, OpenID EAP ACR Values). */
const ACR: Readonly<Record<SignInMethod, string>> = {
  code: '1fa',
  code_and_totp: 'mfa',
  code_and_recovery: 'mfa',
  passkey: 'phr',
};

/** RFC 8176, 2. */
const AMR: Readonly<Record<SignInMethod, readonly string[]>> = {
  code: ['sms'],
  code_and_totp: ['sms', 'otp', 'mfa'],
  code_and_recovery: ['sms', 'otp', 'mfa'],
  passkey: ['pop', 'user', 'mfa'],
};

/** What may be asked for. */
export const ACR_VALUES: readonly string[] = [...new Set(Object.values(ACR))];

export function acrOf(method: SignInMethod): string {
  return ACR[method];
}

export function amrOf(method: SignInMethod): readonly string[] {
  return AMR[method];
}

/** What a person has enrolled beside their phone. Recovery codes alone are none: they stand in for another. */
export interface Enrolled {
  readonly passkeys: number;
  readonly totp: boolean;
}

export function hasSecondFactor({ passkeys, totp }: Enrolled): boolean {
  return passkeys > 0 || totp;
}

/** How a token says that its bearer has signed in. */
export interface ShownFactor {
  /** The claim `auth_time`, Unix seconds; null where it has none. */
  readonly authTime: number | null;
  /** The claim `acr`; null where it has none. */
  readonly acr: string | null;
}

/**
 * Whether a factor is fresh. One that is said to lie in the future is not, but for the second that claims are cut to; nor is one whose time nobody states.
 *
 * @param maxAgeMs 0 for any age
 * @param now Unix milliseconds
 */
export function isFresh(authTime: number | null, maxAgeMs: number, now: number): boolean {
  if (maxAgeMs === 0) return true;
  if (authTime === null) return false;
  const age = now - authTime;
  return age >= -1_000 && age <= maxAgeMs;
}

/** What a call lacks that asks for a fresh factor; null for nothing. Who has a second factor shows it, whatever age is asked for: a code by SMS alone is none of theirs. */
export function lackOf(
  { authTime, acr }: ShownFactor,
  maxAgeMs: number,
  enrolled: Enrolled,
  now: number,
): 'fresh_factor' | 'second_factor' | null {
  if (acr === ACR.code && hasSecondFactor(enrolled)) return 'second_factor';
  return isFresh(authTime === null ? null : authTime * 1_000, maxAgeMs, now) ? null : 'fresh_factor';
}

/** The var STEP_UP_MINUTES as milliseconds, 0 for any age. What is no number of minutes is the ten that are meant. */
export function stepUpMs(minutes: string): number {
  return (/^\d{1,4}$/.test(minutes) ? Number(minutes) : 10) * MINUTE_MS;
}

/** The same for changing what opens the account: never any age. */
export function factorChangeMs(minutes: string): number {
  return stepUpMs(minutes) || stepUpMs('');
}
