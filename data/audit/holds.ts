import { isOpenRequest, TRANSFER_REQUEST_STATES } from '../../domain/accounts/transfer-request.ts';
import type { AuditCheck } from './audit-check.ts';

const OPEN_STATES = TRANSFER_REQUEST_STATES.filter(isOpenRequest)
  .map((state) => `'${state}'`)
  .join(', ');

/**
 * L3: held equals the sum of what open orders still reserve. Amendments on their way are known to the ledger alone, so the claim is about
 * a moment at which books have settled.
 */
export const holdChecks: readonly AuditCheck[] = [
  {
    invariant: 'L3',
    claim: 'held is the sum of what open orders and withdrawals reserve, while no amendment is on its way',
    examined: `SELECT count(*) AS examined FROM orders WHERE open = 1`,
    violations: `
      SELECT 'account ' || account || ' holds ' || sum(held) || ' of ' || asset || ', its orders and withdrawals reserve ' || sum(reserved) AS violation
      FROM (
        SELECT account, asset, held, 0 AS reserved FROM balances WHERE held <> 0
        UNION ALL SELECT account, asset, 0, amount FROM transfer_requests
          WHERE type = 'withdrawal' AND state IN (${OPEN_STATES})
        UNION ALL SELECT account, reserve_asset, 0, reserve FROM orders WHERE open = 1
        UNION ALL SELECT account, allowance_asset, 0, allowance FROM orders WHERE open = 1 AND allowance > 0
        UNION ALL SELECT account, position_asset, 0, position FROM orders WHERE open = 1 AND position > 0)
      GROUP BY account, asset HAVING sum(held) <> sum(reserved)`,
  },
  {
    invariant: 'L3',
    claim: 'an order is open exactly while its state is not final, and a final one reserves nothing',
    examined: `SELECT count(*) AS examined FROM orders`,
    violations: `
      SELECT 'order ' || id || ' is ' || status || CASE open WHEN 1 THEN ' and open' ELSE ' and closed' END
             || ', reserves ' || (reserve + allowance + position) AS violation
      FROM orders
      WHERE (open = 1) <> (status IN ('open', 'pending_trigger', 'partially_filled'))
         OR (open = 0 AND (reserve <> 0 OR allowance <> 0 OR position <> 0))`,
  },
];
