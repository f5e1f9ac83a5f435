import { CLEARING_OF } from '../../domain/ledger/broker-clearing.ts';
import type { AuditCheck } from './audit-check.ts';

/** The broker's side of a trade has no order here (data/audit/broker.ts says what it must be). */
const CLEARING = `('${Object.values(CLEARING_OF).join("', '")}')`;

/**
 * L4: each fill settles exactly once, whole. Its legs and its settlement follow from its trade, by the views `postings` and `settlements`;
 * that balances moved by them and by nothing else is L1.
 */
export const settlementChecks: readonly AuditCheck[] = [
  {
    invariant: 'L4',
    claim: 'the trades of a book are gapless from its first fill',
    examined: `SELECT count(DISTINCT book) AS examined FROM trades`,
    violations: `
      SELECT 'book ' || book || ' has ' || count(*) || ' trades, the last is number ' || max(sequence) AS violation
      FROM trades GROUP BY book HAVING count(*) <> max(sequence) OR min(sequence) <> 1`,
  },
  {
    invariant: 'L4',
    claim: 'the orders of each trade are a buy of its buyer and a sell of its seller, on its book',
    examined: `SELECT count(*) AS examined FROM trades`,
    violations: `
      SELECT 'trade ' || t.id || ' is between ' || t.buy_order || ' and ' || t.sell_order AS violation
      FROM trades t
      LEFT JOIN orders b ON b.id = t.buy_order AND b.account = t.buyer AND b.side = 'buy' AND b.book = t.book
      LEFT JOIN orders s ON s.id = t.sell_order AND s.account = t.seller AND s.side = 'sell' AND s.book = t.book
      LEFT JOIN traded_orders ab ON ab.id = t.buy_order AND ab.account = t.buyer AND ab.side = 'buy' AND ab.book = t.book
      LEFT JOIN traded_orders aso ON aso.id = t.sell_order AND aso.account = t.seller AND aso.side = 'sell' AND aso.book = t.book
      WHERE (t.buyer NOT IN ${CLEARING} AND (b.id IS NULL) = (ab.id IS NULL))
         OR (t.seller NOT IN ${CLEARING} AND (s.id IS NULL) = (aso.id IS NULL))`,
  },
  {
    invariant: 'L4',
    claim: 'what an order has filled, paid and been charged is the sum of its trades',
    examined: `
      SELECT (SELECT count(*) FROM orders WHERE filled > 0) + (SELECT count(*) FROM traded_orders) AS examined`,
    violations: `
      SELECT 'order ' || id || ' filled ' || sum(filled) || ' for ' || sum(notional) || ' with fee ' || sum(fee)
             || ', its trades are ' || sum(traded) || ' for ' || sum(paid) || ' with fee ' || sum(charged) AS violation
      FROM (
        SELECT id, filled, filled_notional AS notional, fee, 0 AS traded, 0 AS paid, 0 AS charged FROM orders WHERE book IS NOT NULL
        UNION ALL SELECT id, filled, filled_notional, fee, 0, 0, 0 FROM traded_orders
        UNION ALL SELECT buy_order, 0, 0, 0, quantity, notional, buyer_fee FROM trades WHERE buyer NOT IN ${CLEARING}
        UNION ALL SELECT sell_order, 0, 0, 0, quantity, notional, seller_fee FROM trades WHERE seller NOT IN ${CLEARING})
      GROUP BY id HAVING sum(filled) <> sum(traded) OR sum(notional) <> sum(paid) OR sum(fee) <> sum(charged)`,
  },
  {
    invariant: 'L4',
    claim:
      'what was taken back or corrected is a trade that is there, and of the same quantity unless nothing of it stands',
    examined: `SELECT count(*) AS examined FROM trade_adjustments`,
    violations: `
      SELECT 'adjustment ' || d.id || ' leaves ' || d.quantity || ' of trade ' || d.trade_id || ', it was of ' || coalesce(t.quantity, 0) AS violation
      FROM trade_adjustments d LEFT JOIN trades t ON t.id = d.trade_id
      WHERE t.id IS NULL OR d.quantity <> CASE d.type WHEN 'bust' THEN 0 ELSE t.quantity END
        OR (d.type = 'bust' AND d.notional + d.buyer_fee + d.seller_fee <> 0)`,
  },
  {
    invariant: 'L4',
    claim: 'what sales have realised is the sum of their trades as they stand',
    examined: `SELECT count(*) AS examined FROM realized_profits`,
    violations: `
      SELECT 'sales of ' || asset || ' by ' || account || ' for ' || quote_asset || ' have realised ' || sum(shown)
             || ', their trades ' || sum(due) AS violation
      FROM (
        SELECT account, asset, quote_asset, profit AS shown, 0 AS due FROM realized_profits
        UNION ALL
        SELECT t.seller, t.asset_id, t.quote_asset, 0,
               CASE WHEN d.type = 'bust' OR t.rate_version IS NOT NULL THEN 0
                    ELSE coalesce(d.notional, t.notional) - coalesce(d.seller_fee, t.seller_fee) - t.seller_cost END
        FROM trades t LEFT JOIN trade_adjustments d ON d.trade_id = t.id
        WHERE t.seller_cost IS NOT NULL AND t.seller NOT LIKE 'boundary:%'
        UNION ALL
        SELECT account, asset_id, quote_asset, 0, CASE WHEN rate_version IS NULL THEN notional - seller_cost ELSE 0 END
        FROM booked_executions WHERE side = 'sell')
      GROUP BY account, asset, quote_asset HAVING sum(shown) <> sum(due)`,
  },
  {
    invariant: 'L4',
    claim: 'no order has filled more than its quantity',
    examined: `SELECT count(*) AS examined FROM orders`,
    violations: `
      SELECT 'order ' || id || ' filled ' || filled || ' of ' || quantity AS violation FROM orders
      WHERE filled > max(quantity, 0)`,
  },
  {
    invariant: 'L4',
    claim: 'the bars of every interval add up to the trades of their book',
    examined: `SELECT count(*) AS examined FROM bars`,
    violations: `
      SELECT 'bars of ' || b.interval || ' of ' || b.book || ' count ' || b.trades || ' trades of ' || b.volume || ' for ' || b.quote_volume
             || ', there are ' || coalesce(t.trades, 0) || ' of ' || coalesce(t.volume, 0) || ' for ' || coalesce(t.quote_volume, 0)
             AS violation
      FROM (
        SELECT book, interval, sum(trades) AS trades, sum(volume) AS volume, sum(quote_volume) AS quote_volume
        FROM bars GROUP BY book, interval) b
      LEFT JOIN (
        SELECT book, count(*) AS trades, sum(quantity) AS volume, sum(notional) AS quote_volume FROM trades GROUP BY book) t
        ON t.book = b.book
      WHERE (b.trades, b.volume, b.quote_volume) IS NOT (t.trades, t.volume, t.quote_volume)`,
  },
];
