import type { AuditRow } from '../../data/audit/audit-check.ts';
import { auditSlices, type SlicesAudit } from '../../data/orders/archive/audit-slices.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';

const CLAIMS: Readonly<Record<keyof SlicesAudit['violations'], string>> = {
  index: 'the archived slices of an account do not overlap, and no order is in D1 and in the archive',
  objects: 'the archive has the final orders that D1 refers to, and what trades need of them',
};

/** The archive of final orders against what D1 says of it: all slices by their ends, the objects of some. */
export async function auditArchive(env: LedgerEnv): Promise<AuditRow[]> {
  const { examined, violations } = await auditSlices(orderStore(env));
  return (Object.keys(CLAIMS) as (keyof typeof CLAIMS)[]).map((claim) => ({
    invariant: 'projection',
    claim: CLAIMS[claim],
    holds: violations[claim] === null,
    examined: examined[claim],
    violation: violations[claim],
  }));
}
