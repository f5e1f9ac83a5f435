import { Secret, TOTP } from 'otpauth';
import { DAY_MS } from '../calendar/durations.ts';

/** RFC 6238, as every app has it: SHA-1, six digits, steps of 30 seconds. */
const STEP_MS = 30_000;
const SECRET_BYTES = 20;
/** Steps before and after that of now whose codes are good, because clocks differ (RFC 6238, 5.2). */
const SKEW_STEPS = 1;

/** Wrong codes of all addresses together. From then on two codes are asked for that follow upon each other: nobody guesses these, so nobody is kept out. */
export const WRONG_TOTP_MAX = 100;
/** Wrong codes of a day from all addresses together that nobody has shown a second factor from. */
export const TRIES_OF_STRANGERS = { max: 20, periodMs: DAY_MS } as const;

const CODE = /^\d{6}$/;
/** Of steps that follow upon each other. */
const TWO_CODES = /^(\d{6})(\d{6})$/;

/** Another secret, base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What an app reads, as a picture or by a link. */
export function totpAddress(
  secret: string,
  { issuer, label }: { readonly issuer: string; readonly label: string },
): string {
  return new TOTP({ issuer, label, secret }).toString();
}

/** Digits as somebody has typed them, one code or two; null for what is none. */
export function typedTotp(text: string): string | null {
  const digits = text.slice(0, 40).replaceAll(/[\s-]/g, '');
  return CODE.test(digits) || TWO_CODES.test(digits) ? digits : null;
}

/** Whether these are two codes: nobody guesses them, so nobody has to be kept from trying. */
export function areTwoCodes(typed: string): boolean {
  return TWO_CODES.test(typed);
}

/**
 * The step that a code is of, which is used up by it; null for a code that is not good now, or whose step is not after the last one that was used.
 *
 * @param needsTwo whether one code alone is not enough
 */
export function totpStep(
  secret: string,
  typed: string,
  { lastStep, needsTwo, now }: { readonly lastStep: number; readonly needsTwo: boolean; readonly now: number },
): number | null {
  const totp = new TOTP({ secret });
  const codeOf = (step: number) => totp.generate({ timestamp: step * STEP_MS });
  const current = Math.floor(now / STEP_MS);
  const two = TWO_CODES.exec(typed);
  let found: number | null = null;
  for (let step = current - SKEW_STEPS; step <= current + SKEW_STEPS; step++) {
    if (step <= lastStep) continue;
    const isRight =
      two === null ? !needsTwo && typed === codeOf(step) : two[1] === codeOf(step - 1) && two[2] === codeOf(step);
    if (isRight && found === null) found = step;
  }
  return found;
}
