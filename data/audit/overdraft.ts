import { BOUNDARY_ACCOUNT, BRIDGE_PREFIX } from '../../domain/ledger/boundary-accounts.ts';
import type { AuditCheck } from './audit-check.ts';

const BOUNDARY_IDS = Object.values(BOUNDARY_ACCOUNT)
  .map((id) => `'${id}'`)
  .join(', ');
const IS_BRIDGE = `account GLOB '${BRIDGE_PREFIX}*'`;

/** L2: no account but a boundary account is ever negative, available or held. */
export const overdraftChecks: readonly AuditCheck[] = [
  {
    invariant: 'L2',
    claim: 'no account but a boundary account is negative, available or held',
    examined: `SELECT count(*) AS examined FROM balances WHERE account NOT IN (${BOUNDARY_IDS}) AND NOT ${IS_BRIDGE}`,
    violations: `
      SELECT 'account ' || account || ' has ' || available || ' available and ' || held || ' held of ' || asset AS violation
      FROM balances WHERE account NOT IN (${BOUNDARY_IDS}) AND NOT ${IS_BRIDGE} AND (available < 0 OR held < 0)`,
  },
  {
    invariant: 'L2',
    claim: 'by a vault of the bridge no more has left than has come in, and nothing is held there',
    examined: `SELECT count(*) AS examined FROM balances WHERE ${IS_BRIDGE}`,
    violations: `
      SELECT account || ' has ' || available || ' available and ' || held || ' held of ' || asset AS violation
      FROM balances WHERE ${IS_BRIDGE} AND (available > 0 OR held <> 0)`,
  },
];
