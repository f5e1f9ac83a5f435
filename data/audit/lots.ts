import type { AuditCheck } from './audit-check.ts';

/** Lots are the holdings of assets that track them, and what open sells reserve of them is reserved in their balances. */
export const lotChecks: readonly AuditCheck[] = [
  {
    invariant: 'lots',
    claim: 'the lots of a holding sum to its balance, what is reserved of them to what is held',
    examined: `SELECT count(*) AS examined FROM lots`,
    violations: `
      SELECT 'account ' || account || ' has lots of ' || sum(lots) || ' ' || asset || ' (' || sum(reserved) || ' reserved), balance '
             || sum(balance) || ' (' || sum(held) || ' held)' AS violation
      FROM (
        SELECT account, asset, quantity AS lots, reserved, 0 AS balance, 0 AS held FROM lots
        UNION ALL
        SELECT b.account, b.asset, 0, 0, b.available + b.held, b.held
        FROM balances b JOIN assets a ON a.id = b.asset AND a.tracks_lots = 1 WHERE b.boundary = 0)
      GROUP BY account, asset HAVING sum(lots) <> sum(balance) OR sum(reserved) <> sum(held)`,
  },
  {
    invariant: 'lots',
    claim: 'there is something of every lot, and no more of it is reserved than there is',
    examined: `SELECT count(*) AS examined FROM lots`,
    violations: `
      SELECT 'lot ' || id || ' has ' || quantity || ', ' || reserved || ' reserved' AS violation
      FROM lots WHERE quantity <= 0 OR reserved < 0 OR reserved > quantity`,
  },
  {
    invariant: 'lots',
    claim:
      'every sale under an exemption is of a trade, made before its restriction ended, and all of a trade are no more than it',
    examined: `SELECT count(*) AS examined FROM restricted_sales`,
    violations: `
      SELECT 'sale ' || r.lot || ' is of no such trade' AS violation
      FROM (SELECT *, sum(quantity) OVER (PARTITION BY trade) AS sold FROM restricted_sales) r LEFT JOIN trades t ON t.id = r.trade
      WHERE t.id IS NULL OR t.buyer <> r.buyer OR t.asset_id <> r.asset OR r.quantity <= 0 OR r.sold > t.quantity
         OR r.restriction_ends_at <= r.at`,
  },
];
