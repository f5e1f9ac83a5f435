import type { AuditCheck } from './audit-check.ts';

/**
 * L1: all balances sum to zero per asset, and balances are what was posted. That the postings of a transaction sum to zero needs no check
 * here: the view `postings` shows both legs of one row.
 */
export const doubleEntryChecks: readonly AuditCheck[] = [
  {
    invariant: 'L1',
    claim: 'all balances of an asset sum to zero with the boundary accounts',
    examined: `SELECT count(*) AS examined FROM balances`,
    violations: `
      SELECT 'asset ' || asset || ' is off by ' || sum(available + held) AS violation
      FROM balances GROUP BY asset HAVING sum(available + held) <> 0`,
  },
  {
    invariant: 'L1',
    claim: 'every balance, available and held, is the sum of its postings',
    examined: `SELECT count(*) AS examined FROM balances`,
    violations: `
      SELECT 'account ' || account || ' has ' || sum(balance) || ' of ' || asset || ', posted ' || sum(posted) AS violation
      FROM (
        SELECT account, asset, available + held AS balance, 0 AS posted FROM balances
        UNION ALL
        SELECT account, asset, 0, amount FROM postings)
      GROUP BY account, asset HAVING sum(balance) <> sum(posted)`,
  },
  {
    invariant: 'L1',
    claim: 'every deposit and withdrawal has its ledger transaction, and each of those its deposit or withdrawal',
    examined: `SELECT count(*) AS examined FROM transfers`,
    violations: `
      SELECT 'transfer ' || id || ' is ' || sum(moved) || ', posted ' || sum(posted) AS violation
      FROM (
        SELECT id, CASE type WHEN 'deposit' THEN amount ELSE -amount END AS moved, 0 AS posted FROM transfers
        UNION ALL
        SELECT id, 0, amount FROM ledger_transactions WHERE kind IN ('deposit', 'withdrawal', 'distribution', 'bridge'))
      GROUP BY id HAVING sum(moved) <> sum(posted)`,
  },
];
