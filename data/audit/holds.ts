import type { AuditCheck } from './audit-check.ts';

/** What one row of orders or amendments holds, as up to three lines: reserve, allowance, position limit. */
const holdsOf = (table: 'orders' | 'amendments'): string => `
  SELECT o.account,
         CASE line WHEN 1 THEN o.reserve_asset WHEN 2 THEN o.allowance_asset ELSE o.position_asset END AS asset,
         0 AS held,
         CASE line WHEN 1 THEN o.reserve WHEN 2 THEN o.allowance ELSE o.position END AS reserved
  FROM ${table} o JOIN (SELECT 1 AS line UNION ALL SELECT 2 UNION ALL SELECT 3) WHERE o.open = 1`;

/** L3: held equals the sum of what open orders and amendments still reserve. */
export const holdChecks: readonly AuditCheck[] = [
  {
    invariant: 'L3',
    claim: 'held is the sum of what open orders and amendments reserve',
    examined: `SELECT (SELECT count(*) FROM orders WHERE open = 1) + (SELECT count(*) FROM amendments WHERE open = 1) AS examined`,
    violations: `
      SELECT 'account ' || account || ' holds ' || sum(held) || ' of ' || asset || ', its orders reserve ' || sum(reserved) AS violation
      FROM (
        SELECT account, asset, held, 0 AS reserved FROM balances WHERE held <> 0
        UNION ALL ${holdsOf('orders')}
        UNION ALL ${holdsOf('amendments')})
      WHERE asset IS NOT NULL
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
