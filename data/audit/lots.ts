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
    claim: 'what is reserved of a lot is the sum of its reservations',
    examined: `SELECT count(*) AS examined FROM lot_reservations`,
    violations: `
      SELECT 'lot ' || lot || ' has ' || sum(reserved) || ' reserved, its reservations are ' || sum(taken) AS violation
      FROM (
        SELECT id AS lot, reserved, 0 AS taken FROM lots WHERE reserved <> 0
        UNION ALL
        SELECT lot_id, 0, quantity FROM lot_reservations)
      GROUP BY lot HAVING sum(reserved) <> sum(taken)`,
  },
  {
    invariant: 'lots',
    claim: 'the reservations of an open sell, its amendments included, sum to what it reserves',
    examined: `SELECT count(DISTINCT order_id) AS examined FROM lot_reservations`,
    violations: `
      SELECT 'order ' || id || ' reserves ' || sum(reserve) || ', its lot reservations are ' || sum(taken) AS violation
      FROM (
        SELECT coalesce(a.order_id, r.order_id) AS id, 0 AS reserve, r.quantity AS taken
        FROM lot_reservations r LEFT JOIN amendments a ON a.id = r.order_id
        UNION ALL
        SELECT o.id, o.reserve, 0 FROM orders o JOIN assets s ON s.id = o.reserve_asset AND s.tracks_lots = 1 WHERE o.open = 1
        UNION ALL
        SELECT m.order_id, m.reserve, 0 FROM amendments m JOIN assets s ON s.id = m.reserve_asset AND s.tracks_lots = 1 WHERE m.open = 1)
      GROUP BY id HAVING sum(reserve) <> sum(taken)`,
  },
];
