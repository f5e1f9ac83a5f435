import { HOUR_MS, MINUTE_MS } from '../calendar/durations.ts';

/** How long a session of the console lives unused, and however much it is used. */
const CONSOLE_IDLE_MS_MAX = 30 * MINUTE_MS;
export const CONSOLE_SESSION_MS_MAX = 12 * HOUR_MS;
/** How exactly its last use is written down. */
export const CONSOLE_SEEN_MS = MINUTE_MS;
/** For so long it is known why it ended. */
export const CONSOLE_ENDED_KEPT_MS = HOUR_MS;
/** Sessions of a person; beyond that the oldest ends. */
export const CONSOLE_SESSIONS_MAX = 10;
/** From the start of a sign-in to its end at the provider. */
export const SIGN_IN_MS_MAX = 10 * MINUTE_MS;
/** An access token is renewed so long before it ends, or half of its life before, if that is less. */
const RENEWED_BEFORE_MS = 5 * MINUTE_MS;
/** A provider tells the second in which somebody signed in, by its own clock. */
const SIGN_IN_GRACE_MS = 10_000;

/** Why a session has ended. */
const SESSION_ENDS = ['idle', 'too_old', 'signed_out', 'revoked'] as const;

export type SessionEnd = (typeof SESSION_ENDS)[number];

/** When a session ends by itself, and why. Times are Unix milliseconds. */
export function termOf({ createdAt, usedAt }: { readonly createdAt: number; readonly usedAt: number }) {
  const idleUntil = usedAt + CONSOLE_IDLE_MS_MAX;
  const endsAt = createdAt + CONSOLE_SESSION_MS_MAX;
  return { idleUntil: Math.min(idleUntil, endsAt), endsAt };
}

/** Whether time has ended a session; null where it goes on. */
export function endedByTime(
  session: { readonly createdAt: number; readonly usedAt: number },
  now: number,
): Extract<SessionEnd, 'idle' | 'too_old'> | null {
  const { idleUntil, endsAt } = termOf(session);
  if (now >= endsAt) return 'too_old';
  return now >= idleUntil ? 'idle' : null;
}

/** Whether somebody signed in during a sign-in that began then, and not before it. */
export function isFreshFactor(at: number, startedAt: number): boolean {
  return at >= startedAt - SIGN_IN_GRACE_MS;
}

/** Whether an access token is to be renewed. One that lives for minutes is not renewed at every request. */
export function isToBeRenewed(
  { expiresAt, lifeMs }: { readonly expiresAt: number; readonly lifeMs: number },
  now: number,
): boolean {
  return expiresAt - now <= Math.min(RENEWED_BEFORE_MS, lifeMs / 2);
}
