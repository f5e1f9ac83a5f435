/**
 * Whether an access token was issued before its user's tokens were ended. Of the second in which they were, all have.
 *
 * @param issuedAt Unix seconds
 * @param tokensValidAfter Unix milliseconds
 */
export function hasTokenEnded(issuedAt: number, tokensValidAfter: number): boolean {
  return issuedAt * 1_000 < tokensValidAfter;
}
