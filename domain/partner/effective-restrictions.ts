import type { Restrictions } from './security.ts';

/**
 * What counts: field by field what the transfer agent has stated, else what the lister has. Of two lockups the later one: an agent says that shares are bound, and
 * never that the issuer's own terms are over. Who has locked up lifts.
 */
export function effectiveRestrictions(lister: Restrictions, agent: Partial<Restrictions> | null): Restrictions {
  const lockUpExpiryDate = laterOf(lister.lockUpExpiryDate, agent?.lockUpExpiryDate ?? null);
  return { ...lister, ...agent, lockUpExpiryDate };
}

/** Dates as YYYY-MM-DD, whose order is that of their texts. */
function laterOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
