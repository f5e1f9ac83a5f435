import { BOUNDARY_ACCOUNT } from '../../domain/ledger/boundary-accounts.ts';
import type { AuditCheck } from './audit-check.ts';

const BOUNDARY_IDS = Object.values(BOUNDARY_ACCOUNT)
  .map((id) => `'${id}'`)
  .join(', ');

/** L2: no account but a boundary account is ever negative, available or held. */
export const overdraftChecks: readonly AuditCheck[] = [
  {
    invariant: 'L2',
    claim: 'no account but a boundary account is negative, available or held',
    examined: `SELECT count(*) AS examined FROM balances WHERE account NOT IN (${BOUNDARY_IDS})`,
    violations: `
      SELECT 'account ' || account || ' has ' || available || ' available and ' || held || ' held of ' || asset AS violation
      FROM balances WHERE account NOT IN (${BOUNDARY_IDS}) AND (available < 0 OR held < 0)`,
  },
];
