import type { AuditCheck } from './audit-check.ts';

/** L1: the postings of every transaction and all balances sum to zero per asset, and balances are what was posted. */
export const doubleEntryChecks: readonly AuditCheck[] = [
  {
    invariant: 'L1',
    claim: 'the postings of every ledger transaction sum to zero per asset',
    examined: `SELECT count(*) AS examined FROM postings`,
    violations: `
      SELECT 'transaction ' || "transaction" || ' is off by ' || sum(amount) || ' of ' || asset AS violation
      FROM postings GROUP BY "transaction", asset HAVING sum(amount) <> 0`,
  },
  {
    invariant: 'L1',
    claim: 'every posting has its ledger transaction, and every transaction has postings',
    examined: `SELECT count(*) AS examined FROM ledger_transactions`,
    violations: `
      SELECT 'postings without ledger transaction ' || "transaction" AS violation FROM postings p
      WHERE NOT EXISTS (SELECT 1 FROM ledger_transactions t WHERE t.id = p."transaction")
      UNION ALL
      SELECT 'ledger transaction ' || id || ' without postings' FROM ledger_transactions t
      WHERE NOT EXISTS (SELECT 1 FROM postings p WHERE p."transaction" = t.id)`,
  },
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
];
