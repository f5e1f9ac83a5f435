/**
 * The nth id that follows from another: whatever is created under one request gets the same ids when the request is repeated. UUIDs
 * of one base are near each other, and 62 random bits of the base keep those of two bases apart.
 *
 * @param base a UUID
 * @param n 0..2^16 − 1; 0 gives the base itself
 */
export function numberedId(base: string, n: number): string {
  const low = BigInt(`0x${base.slice(-LOW_DIGITS)}`);
  const next = BigInt.asUintN(LOW_DIGITS * 4, low + BigInt(n));
  return base.slice(0, -LOW_DIGITS) + next.toString(16).padStart(LOW_DIGITS, '0');
}

/** The last group of a UUID: random in version 7. */
const LOW_DIGITS = 12;
