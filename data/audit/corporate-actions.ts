import { BOUNDARY_ACCOUNT } from '../../domain/ledger/boundary-accounts.ts';
import type { AuditCheck } from './audit-check.ts';

/** In no currency of these, since the ledger may be a step ahead of what D1 has of it. */
const UNDER_WAY = `
  SELECT terms ->> 'currencyAsset' FROM corporate_actions WHERE state IN ('funding', 'funded', 'reversing', 'returning')
    AND terms ->> 'currencyAsset' IS NOT NULL`;

/** Mergers for stock that are completed: which event ended the shares, and so many for so many. */
const CONVERTED = `
  SELECT a.id, a.security, a.terms ->> '$.stock.survivor' AS survivor, m.id AS event, a.terms ->> '$.stock.ratioFrom' AS parts,
    a.terms ->> '$.stock.ratioTo' AS times
  FROM corporate_actions a JOIN register_events m ON m.security = a.security AND m.type = 'merger' AND m.state = 'recorded'
  WHERE a.type = 'merger' AND a.state = 'completed' AND a.terms -> 'stock' IS NOT NULL`;

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
        WHERE e.account IS NOT NULL AND e.state IN ('paid', 'not_returned')
        UNION ALL
        SELECT a.payment_account, a.terms ->> 'currencyAsset', -e.amount, 0
        FROM corporate_actions a JOIN corporate_action_payments e ON e.action = a.id
        WHERE e.account IS NOT NULL AND e.state IN ('paid', 'not_returned')
        UNION ALL
        SELECT account, asset, amount, 0 FROM archived_payment_sums)
      WHERE asset NOT IN (${UNDER_WAY})
      GROUP BY account, asset HAVING sum(said) <> sum(moved)`,
  },
  {
    invariant: 'register',
    claim: 'mergers count of each holder the shares of theirs that ended',
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
  {
    invariant: 'register',
    claim: 'each holder whose shares a merger has ended got those of the other security, by its ratio, each rounded up',
    examined: `SELECT count(*) AS examined FROM (${CONVERTED})`,
    violations: `
      SELECT 'merger ' || id || ' gives ' || holder || ' ' || sum(due) || ' of ' || survivor || ', its register ' || sum(got) AS violation
      FROM (
        SELECT a.id, a.survivor, coalesce(h.account, 'holders without an account') AS holder,
          -c.shares / a.parts * a.times + (-c.shares % a.parts * a.times + a.parts - 1) / a.parts AS due, 0 AS got
        FROM (${CONVERTED}) a JOIN register_changes c ON c.event = a.event JOIN register_holders h ON h.id = c.holder
        UNION ALL
        SELECT a.id, a.survivor, coalesce(h.account, 'holders without an account'), 0, c.shares
        FROM (${CONVERTED}) a JOIN register_events e ON e.security = a.survivor AND e.type = 'conversion' AND e.state = 'recorded' AND e.ratio ->> 'of' = a.event
          JOIN register_changes c ON c.event = e.id JOIN register_holders h ON h.id = c.holder)
      GROUP BY id, survivor, holder HAVING sum(due) <> sum(got)`,
  },
];
