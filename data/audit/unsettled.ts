import { BOUNDARY_ACCOUNT } from '../../domain/ledger/boundary-accounts.ts';
import type { AuditCheck } from './audit-check.ts';

const CLEARING = `'${BOUNDARY_ACCOUNT.brokerClearing}'`;

/** What waits to settle is what trades at a broker have left unsettled, and only theirs (docs/design/broker.md#settlement). */
export const unsettledChecks: readonly AuditCheck[] = [
  {
    invariant: 'unsettled',
    claim: 'cash that waits to settle and cash that has settled are together what sales at the broker have brought',
    examined: `SELECT count(*) AS examined FROM trades WHERE settles_on IS NOT NULL AND buyer = ${CLEARING}`,
    violations: `
      SELECT 'account ' || account || ' waits for, or has got, ' || sum(kept) || ' of ' || asset || ', its sales brought ' || sum(due)
             AS violation
      FROM (
        SELECT account, asset, amount AS kept, 0 AS due FROM unsettled_sums WHERE kind = 'cash'
        UNION ALL SELECT account, asset, amount, 0 FROM ledger_transactions WHERE kind = 'settlement'
        UNION ALL
        SELECT t.seller, t.quote_asset, 0, CASE WHEN d.unsettled = 1 THEN d.notional - d.seller_fee ELSE t.notional - t.seller_fee END
        FROM trades t LEFT JOIN trade_adjustments d ON d.trade_id = t.id
        WHERE t.settles_on IS NOT NULL AND t.buyer = ${CLEARING}
        UNION ALL
        SELECT account, quote_asset, 0, notional FROM booked_executions WHERE settles_on IS NOT NULL AND side = 'sell')
      GROUP BY account, asset HAVING sum(kept) <> sum(due)`,
  },
  {
    invariant: 'unsettled',
    claim: 'shares that wait to settle are no more than purchases at the broker of that day',
    examined: `SELECT count(*) AS examined FROM unsettled_sums WHERE kind = 'shares'`,
    violations: `
      SELECT 'account ' || account || ' waits for ' || sum(waiting) || ' of ' || asset || ', bought ' || sum(bought) AS violation
      FROM (
        SELECT account, asset, settles_on, amount AS waiting, 0 AS bought FROM unsettled_sums WHERE kind = 'shares'
        UNION ALL
        SELECT t.buyer, t.asset_id, t.settles_on, 0, coalesce(d.quantity, t.quantity)
        FROM trades t LEFT JOIN trade_adjustments d ON d.trade_id = t.id
        WHERE t.settles_on IS NOT NULL AND t.seller = ${CLEARING}
        UNION ALL
        SELECT account, asset_id, settles_on, 0, quantity FROM booked_executions WHERE settles_on IS NOT NULL AND side = 'buy')
      GROUP BY account, asset, settles_on HAVING sum(waiting) > sum(bought)`,
  },
  {
    invariant: 'unsettled',
    claim: 'only trades with a broker settle on a later day',
    examined: `SELECT count(*) AS examined FROM trades WHERE settles_on IS NOT NULL`,
    violations: `
      SELECT 'trade ' || id || ' of ' || book || ' settles on day ' || settles_on AS violation
      FROM trades WHERE settles_on IS NOT NULL AND (buyer = ${CLEARING}) = (seller = ${CLEARING})`,
  },
];
