import { BOUNDARY_ACCOUNT } from '../../domain/ledger/boundary-accounts.ts';
import type { AuditCheck } from './audit-check.ts';

/** L4: each fill settles exactly once, whole. */
export const settlementChecks: readonly AuditCheck[] = [
  {
    invariant: 'L4',
    claim: 'each trade has exactly one ledger transaction and one settlement',
    examined: `SELECT count(*) AS examined FROM trades`,
    violations: `
      SELECT 'fill ' || id || ': ' || sum(trade) || ' trades, ' || sum(entry) || ' ledger transactions, '
             || sum(settlement) || ' settlements' AS violation
      FROM (
        SELECT id, 1 AS trade, 0 AS entry, 0 AS settlement FROM trades
        UNION ALL SELECT id, 0, 1, 0 FROM ledger_transactions WHERE kind = 'fill'
        UNION ALL SELECT trade_id, 0, 0, 1 FROM settlements)
      GROUP BY id HAVING sum(trade) <> 1 OR sum(entry) <> 1 OR sum(settlement) <> 1`,
  },
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
    claim: 'the postings of each fill are the cash and asset legs of its trade',
    examined: `SELECT count(*) AS examined FROM postings p JOIN trades t ON t.id = p."transaction"`,
    violations: `
      SELECT 'fill ' || id || ': account ' || account || ' should move ' || sum(leg) || ' of ' || asset || ', moved ' || sum(posted) AS violation
      FROM (
        SELECT t.id, CASE line WHEN 1 THEN t.buyer WHEN 2 THEN t.seller WHEN 3 THEN t.seller WHEN 4 THEN t.buyer
                               ELSE '${BOUNDARY_ACCOUNT.fees}' END AS account,
               CASE WHEN line IN (3, 4) THEN t.asset_id ELSE t.quote_asset END AS asset,
               CASE line WHEN 1 THEN -(t.notional + t.buyer_fee) WHEN 2 THEN t.notional - t.seller_fee WHEN 3 THEN -t.quantity
                         WHEN 4 THEN t.quantity ELSE t.buyer_fee + t.seller_fee END AS leg,
               0 AS posted
        FROM trades t JOIN (SELECT 1 AS line UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5)
        UNION ALL
        SELECT p."transaction", p.account, p.asset, 0, p.amount
        FROM postings p JOIN trades t ON t.id = p."transaction" AND p.asset IN (t.asset_id, t.quote_asset))
      GROUP BY id, account, asset HAVING sum(leg) <> sum(posted)`,
  },
  {
    invariant: 'L4',
    claim: `the fees of all trades are what fills have posted to ${BOUNDARY_ACCOUNT.fees}`,
    examined: `SELECT count(*) AS examined FROM trades WHERE buyer_fee + seller_fee <> 0`,
    violations: `
      SELECT 'fees of ' || sum(charged) || ' ' || asset || ' charged, ' || sum(posted) || ' posted' AS violation
      FROM (
        SELECT quote_asset AS asset, buyer_fee + seller_fee AS charged, 0 AS posted FROM trades
        UNION ALL
        SELECT p.asset, 0, p.amount FROM postings p JOIN ledger_transactions t ON t.id = p."transaction" AND t.kind = 'fill'
        WHERE p.account = '${BOUNDARY_ACCOUNT.fees}')
      GROUP BY asset HAVING sum(charged) <> sum(posted)`,
  },
  {
    invariant: 'L4',
    claim: 'what an order has filled, paid and been charged is the sum of its trades',
    examined: `SELECT count(*) AS examined FROM orders WHERE filled > 0`,
    violations: `
      SELECT 'order ' || id || ' filled ' || sum(filled) || ' for ' || sum(notional) || ' with fee ' || sum(fee)
             || ', its trades are ' || sum(traded) || ' for ' || sum(paid) || ' with fee ' || sum(charged) AS violation
      FROM (
        SELECT id, filled, filled_notional AS notional, fee, 0 AS traded, 0 AS paid, 0 AS charged FROM orders WHERE book IS NOT NULL
        UNION ALL SELECT buy_order, 0, 0, 0, quantity, notional, buyer_fee FROM trades
        UNION ALL SELECT sell_order, 0, 0, 0, quantity, notional, seller_fee FROM trades)
      GROUP BY id HAVING sum(filled) <> sum(traded) OR sum(notional) <> sum(paid) OR sum(fee) <> sum(charged)`,
  },
  {
    invariant: 'L4',
    claim: 'no order has filled more than its quantity',
    examined: `SELECT count(*) AS examined FROM orders`,
    violations: `
      SELECT 'order ' || id || ' filled ' || filled || ' of ' || quantity AS violation FROM orders WHERE filled > quantity`,
  },
];
