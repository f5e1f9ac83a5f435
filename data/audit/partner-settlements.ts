import type { AuditCheck } from './audit-check.ts';

/** What partners are told of settlements, and what the ledger has done (docs/design/partner.md#settlements). */
export const partnerSettlementChecks: readonly AuditCheck[] = [
  {
    invariant: 'register',
    claim: 'a settlement has the terms of its trade, and is reversed only where its trade was taken back',
    examined: `SELECT count(*) AS examined FROM partner_settlements`,
    violations: `
      SELECT 'settlement ' || p.id || ' is ' || p.status || ', of ' || p.quantity || ' for ' || p.notional || ', its trade of '
        || t.quantity || ' for ' || t.notional AS violation
      FROM partner_settlements p JOIN trades t ON t.id = p.id
        LEFT JOIN trade_adjustments a ON a.trade_id = p.id AND a.type = 'bust'
      WHERE (p.security, p.book, p.trade_sequence, p.buyer, p.seller, p.quantity, p.price, p.notional, p.executed_at)
          IS NOT (t.asset_id, t.book, t.sequence, t.buyer, t.seller, t.quantity, t.price, t.notional, t.executed_at)
        OR (p.status = 'REVERSED' AND a.trade_id IS NULL)`,
  },
];
