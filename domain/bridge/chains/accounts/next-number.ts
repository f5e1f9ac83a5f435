/** The first number from `first` on that is none of those used: what an account's transactions are numbered by must have no gap. */
export function nextNumber(first: bigint, used: readonly string[]): string {
  let next = first;
  while (used.includes(String(next))) next += 1n;
  return String(next);
}
