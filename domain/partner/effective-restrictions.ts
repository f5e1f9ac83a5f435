import type { Restrictions } from './security.ts';

/** What counts: field by field what the transfer agent has stated, else what the lister has. */
export function effectiveRestrictions(lister: Restrictions, agent: Partial<Restrictions> | null): Restrictions {
  return { ...lister, ...agent };
}
