import { BOUNDARY_ACCOUNT } from '../../domain/ledger/boundary-accounts.ts';
import type { AuditCheck } from './audit-check.ts';

/** Securities with a register in which no change is on its way between the ledger and the register. */
const SETTLED = `
  SELECT s.id FROM securities s JOIN balances i ON i.asset = s.id AND i.account = '${BOUNDARY_ACCOUNT.issuance}'
  WHERE NOT EXISTS (SELECT 1 FROM register_events e WHERE e.security = s.id AND e.state = 'announced')`;

const EXAMINED = `SELECT count(*) AS examined FROM (${SETTLED})`;

/** What registers say, and what the ledger has (docs/design/register.md#what-always-holds). */
export const registerChecks: readonly AuditCheck[] = [
  {
    invariant: 'register',
    claim: 'what a holder is registered with, and what their trades add that are not recorded yet, is what they have',
    examined: EXAMINED,
    violations: `
      SELECT 'account ' || account || ' is registered with ' || sum(registered) || ' of ' || security || ', ' || sum(pending)
        || ' pending, has ' || sum(held) AS violation
      FROM (
        SELECT h.account, r.security, r.shares AS registered, 0 AS pending, 0 AS held
        FROM register_holdings r JOIN register_holders h ON h.id = r.holder WHERE h.account IS NOT NULL
        UNION ALL
        SELECT CASE l.column1 WHEN 1 THEN t.buyer ELSE t.seller END, t.asset_id, 0,
          CASE l.column1 WHEN 1 THEN t.quantity ELSE -t.quantity END * ((a.id IS NULL)
            - EXISTS (SELECT 1 FROM register_events e WHERE e.id = t.id AND e.state = 'recorded')
            + EXISTS (SELECT 1 FROM register_events e WHERE e.id = a.id AND e.state = 'recorded')), 0
        FROM trades t CROSS JOIN (VALUES (1), (2)) l LEFT JOIN trade_adjustments a ON a.trade_id = t.id AND a.type = 'bust'
        WHERE t.asset_id IN (${SETTLED})
        UNION ALL
        SELECT account, asset, 0, 0, available + held FROM balances WHERE boundary = 0)
      WHERE security IN (${SETTLED})
      GROUP BY account, security HAVING sum(registered) + sum(pending) <> sum(held)`,
  },
  {
    invariant: 'register',
    claim:
      'holders without an account are registered with what boundary:register has, and all holders with what is outstanding',
    examined: EXAMINED,
    violations: `
      SELECT security || ' has ' || sum(others) || ' of ' || sum(registered) || ' without an account, the ledger ' || sum(nobodys)
        || ' of ' || sum(outstanding) AS violation
      FROM (
        SELECT r.security, r.shares AS registered, CASE WHEN h.account IS NULL THEN r.shares ELSE 0 END AS others, 0 AS nobodys, 0 AS outstanding
        FROM register_holdings r JOIN register_holders h ON h.id = r.holder
        UNION ALL
        SELECT asset, 0, 0, available, 0 FROM balances WHERE account = '${BOUNDARY_ACCOUNT.register}'
        UNION ALL
        SELECT asset, 0, 0, 0, -available FROM balances WHERE account = '${BOUNDARY_ACCOUNT.issuance}')
      WHERE security IN (${SETTLED})
      GROUP BY security HAVING sum(others) <> sum(nobodys) OR sum(registered) <> sum(outstanding)`,
  },
  {
    invariant: 'register',
    claim: 'a transfer is completed with its event, and reversed with the reversal of that event',
    examined: `SELECT count(*) AS examined FROM transfer_instructions WHERE state IN ('completed', 'reversed')`,
    violations: `
      SELECT 'transfer ' || i.id || ' is ' || i.state || ', its event is ' || iif(e.id IS NULL, 'not recorded', 'recorded')
        || ', the reversal ' || iif(r.id IS NULL, 'not recorded', 'recorded') AS violation
      FROM transfer_instructions i
        LEFT JOIN register_events e ON e.id = i.id AND e.state = 'recorded'
        LEFT JOIN trade_adjustments a ON a.trade_id = i.id AND a.type = 'bust'
        LEFT JOIN register_events r ON r.id = a.id AND r.state = 'recorded'
      WHERE i.security IN (${SETTLED}) AND CASE i.state WHEN 'completed' THEN e.id IS NULL OR r.id IS NOT NULL
        WHEN 'reversed' THEN (e.id IS NULL) <> (r.id IS NULL) ELSE r.id IS NOT NULL END`,
  },
  {
    invariant: 'register',
    claim: 'what holders are registered with is the sum of the events that were recorded, which are gapless',
    examined: `SELECT count(*) AS examined FROM register_holdings`,
    violations: `
      SELECT 'holder ' || holder || ' is registered with ' || sum(shown) || ', by the events ' || sum(due) AS violation
      FROM (
        SELECT holder, shares AS shown, 0 AS due FROM register_holdings
        UNION ALL
        SELECT c.holder, 0, c.shares FROM register_changes c JOIN register_events e ON e.id = c.event WHERE e.state = 'recorded')
      GROUP BY holder HAVING sum(shown) <> sum(due)
      UNION ALL
      SELECT security || ' has ' || count(*) || ' events, the last is number ' || max(sequence)
      FROM register_events WHERE state = 'recorded' GROUP BY security HAVING count(*) <> max(sequence) OR min(sequence) <> 1`,
  },
];
