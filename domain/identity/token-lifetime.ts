/** X-LIM-06, in seconds: of whichever provider. */
export const ACCESS_TOKEN_LIFETIME_S = 7_200;

/** How far ahead of ours the clock of a provider may be. */
const CLOCK_SKEW_S = 60;

/**
 * When an access token ends, Unix seconds; null for one that does not hold: what is issued in the future would outlive a kill switch of now.
 * What its provider lets live longer ends as ours do.
 *
 * @param now Unix milliseconds
 * @param ahead_ms how far ahead another clock of ours is
 */
export function tokenTerm(
  { issuedAt, expiresAt }: { readonly issuedAt: number; readonly expiresAt: number },
  now: number,
  ahead_ms = 0,
): { readonly expiresAt: number } | null {
  const end = Math.min(expiresAt, issuedAt + ACCESS_TOKEN_LIFETIME_S);
  const seconds = now / 1_000;
  if (!Number.isFinite(end) || issuedAt > seconds + ahead_ms / 1_000 + CLOCK_SKEW_S || end <= seconds) return null;
  return { expiresAt: end };
}
