import { BOUNDARY_ACCOUNT } from '../../domain/ledger/boundary-accounts.ts';
import type { AuditCheck } from './audit-check.ts';

/** In no currency of these, since the ledger may be a step ahead of what D1 has of it. */
const UNDER_WAY = `
  SELECT terms ->> 'currencyAsset' FROM corporate_actions WHERE state IN ('funding', 'funded', 'reversing')`;

/** What dividends have paid, and what the ledger has moved for them (docs/design/corporate-actions.md#what-always-holds). */
export const corporateActionChecks: readonly AuditCheck[] = [
  {
    invariant: 'register',
    claim: 'the pool of distributions is empty while no dividend is being paid or taken back',
    examined: `SELECT count(*) AS examined FROM balances WHERE account = '${BOUNDARY_ACCOUNT.distributions}'`,
    violations: `
      SELECT 'the pool of ' || asset || ' has ' || available AS violation FROM balances
      WHERE account = '${BOUNDARY_ACCOUNT.distributions}' AND available <> 0 AND asset NOT IN (${UNDER_WAY})`,
  },
  {
    invariant: 'register',
    claim: 'dividends have moved in the ledger what their payments say, between who paid and each holder',
    examined: `SELECT count(*) AS examined FROM corporate_action_payments`,
    violations: `
      SELECT 'dividends of ' || asset || ' to ' || account || ' are ' || sum(said) || ', the ledger moved ' || sum(moved) AS violation
      FROM (
        SELECT account, asset, 0 AS said, amount AS moved FROM ledger_transactions WHERE kind = 'distribution'
        UNION ALL
        SELECT e.account, a.terms ->> 'currencyAsset', e.amount, 0 FROM corporate_actions a JOIN corporate_action_payments e ON e.action = a.id
        WHERE a.state IN ('completed', 'reversed') AND e.account IS NOT NULL AND e.state IN ('paid', 'not_returned')
        UNION ALL
        SELECT a.payment_account, a.terms ->> 'currencyAsset', -e.amount, 0
        FROM corporate_actions a JOIN corporate_action_payments e ON e.action = a.id
        WHERE a.state IN ('completed', 'reversed') AND e.account IS NOT NULL AND e.state IN ('paid', 'not_returned'))
      WHERE asset NOT IN (${UNDER_WAY})
      GROUP BY account, asset HAVING sum(said) <> sum(moved)`,
  },
  {
    invariant: 'register',
    claim: 'mergers for cash have paid each holder for the shares of theirs that ended',
    examined: `SELECT count(*) AS examined FROM corporate_actions WHERE type = 'merger' AND state = 'completed'`,
    violations: `
      SELECT 'mergers of ' || security || ' count ' || sum(said) || ' shares of ' || payee || ', of whom ' || sum(ended) || ' ended' AS violation
      FROM (
        SELECT a.security, p.payee, p.shares AS said, 0 AS ended
        FROM corporate_actions a JOIN corporate_action_payments p ON p.action = a.id WHERE a.type = 'merger' AND a.state = 'completed'
        UNION ALL
        SELECT e.security, coalesce(h.account, h.id), 0, -c.shares
        FROM register_events e JOIN register_changes c ON c.event = e.id JOIN register_holders h ON h.id = c.holder
        WHERE e.type = 'merger' AND e.state = 'recorded')
      WHERE security NOT IN (SELECT security FROM corporate_actions WHERE type = 'merger' AND state = 'funded')
      GROUP BY security, payee HAVING sum(said) <> sum(ended)`,
  },
];
