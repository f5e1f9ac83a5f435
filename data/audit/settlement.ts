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
      SELECT 'fill ' || id || ' moved ' || buyer_cash || ', ' || buyer_asset || ' (buyer), ' || seller_cash || ', ' || seller_asset
             || ' (seller), ' || fees || ' (fees), ' || others || ' (others); its trade is ' || quantity || ' for ' || notional
             || ' with fees ' || buyer_fee || ' and ' || seller_fee AS violation
      FROM (
        SELECT t.id, t.quantity, t.notional, t.buyer_fee, t.seller_fee,
               coalesce(sum(p.amount) FILTER (WHERE p.account = t.buyer AND p.asset = t.quote_asset), 0) AS buyer_cash,
               coalesce(sum(p.amount) FILTER (WHERE p.account = t.buyer AND p.asset = t.asset_id), 0) AS buyer_asset,
               coalesce(sum(p.amount) FILTER (WHERE p.account = t.seller AND p.asset = t.quote_asset), 0) AS seller_cash,
               coalesce(sum(p.amount) FILTER (WHERE p.account = t.seller AND p.asset = t.asset_id), 0) AS seller_asset,
               coalesce(sum(p.amount) FILTER (WHERE p.account = '${BOUNDARY_ACCOUNT.fees}'), 0) AS fees,
               count(p.amount) FILTER (WHERE p.account NOT IN (t.buyer, t.seller, '${BOUNDARY_ACCOUNT.fees}')) AS others
        FROM trades t LEFT JOIN postings p ON p."transaction" = t.id AND p.asset IN (t.asset_id, t.quote_asset)
        GROUP BY t.id)
      WHERE buyer_cash <> -(notional + buyer_fee) OR buyer_asset <> quantity OR seller_cash <> notional - seller_fee
         OR seller_asset <> -quantity OR fees <> buyer_fee + seller_fee OR others > 0`,
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
