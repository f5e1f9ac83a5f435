/**
 * How many of something one account (or security) may have: as many as are still free beyond what is kept for those with few, and never fewer than the
 * guaranteed number. So one takes half of what is not kept at most, k of them leave one part in k + 1, and whoever has few goes on.
 *
 * @param max of one of them
 * @param free beyond what is kept; below 0 where others have begun with that
 */
export function quotaOf(max: number, guaranteed: number, free: number): number {
  return Math.min(max, Math.max(guaranteed, free));
}

/** How many one is sure of, in the order of what must be free for that: so many while more than that are free. */
export type Guarantees = readonly (readonly [above: number, sure: number])[];

/** What one is sure of while so many are free: less, the fewer there are. 0 once nothing is. */
export function sureOf(free: number, guarantees: Guarantees): number {
  return guarantees.find(([above]) => free > above)?.[1] ?? 0;
}
