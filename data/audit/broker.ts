import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { CLEARING_OF, orderOfExecution } from '../../domain/ledger/broker-clearing.ts';
import type { AuditCheck } from './audit-check.ts';

const CLEARING = `('${Object.values(CLEARING_OF).join("', '")}')`;
/** Routes whose orders are handed over. */
const HANDED_OVER = `('${Object.keys(CLEARING_OF).join("', '")}')`;
/** The account at which a market of the trade's route clears. */
const ITS_CLEARING = `CASE m.route ${Object.entries(CLEARING_OF)
  .map(([route, account]) => `WHEN '${route}' THEN '${account}'`)
  .join(' ')} END`;
const AN_EXECUTION = `'${orderOfExecution('')}*'`;
/** A market that could not be compared with the broker for so long is named. */
const UNCOMPARED_MS_MAX = 30 * MINUTE_MS;

/** What trades with a broker, or with the prime broker, must be, and that nothing which it said is left unexplained (docs/design/broker.md, docs/design/prime.md). */
export const brokerChecks: readonly AuditCheck[] = [
  {
    invariant: 'broker',
    claim: 'one side of every trade of a routed market is the broker, under an execution, and of no other trade',
    examined: `SELECT count(*) AS examined FROM trades t JOIN markets m ON m.symbol = t.book WHERE m.route IN ${HANDED_OVER}`,
    violations: `
      SELECT 'trade ' || t.id || ' of ' || t.book || ' is between ' || t.buyer || ' and ' || t.seller AS violation
      FROM trades t JOIN markets m ON m.symbol = t.book
      WHERE (t.buyer IN ${CLEARING}) + (t.seller IN ${CLEARING}) <> (m.route IN ${HANDED_OVER})
         OR coalesce(${ITS_CLEARING} NOT IN (t.buyer, t.seller), 0)
         OR (t.buyer IN ${CLEARING} AND (t.buy_order NOT GLOB ${AN_EXECUTION} OR t.buyer_fee <> 0))
         OR (t.seller IN ${CLEARING} AND (t.sell_order NOT GLOB ${AN_EXECUTION} OR t.seller_fee <> 0))`,
  },
  {
    invariant: 'broker',
    claim: 'each execution of the broker is one trade, or one booking',
    examined: `SELECT count(*) AS examined FROM trades WHERE buyer IN ${CLEARING} OR seller IN ${CLEARING}`,
    violations: `
      SELECT book || ' has ' || execution || ' ' || count(*) || ' times' AS violation
      FROM (
        SELECT book, CASE WHEN buyer IN ${CLEARING} THEN buy_order ELSE sell_order END AS execution
        FROM trades WHERE buyer IN ${CLEARING} OR seller IN ${CLEARING}
        UNION ALL
        SELECT book, '${orderOfExecution('')}' || execution_id FROM booked_executions)
      GROUP BY book, execution HAVING count(*) > 1`,
  },
  {
    invariant: 'broker',
    claim: 'what the broker has said and fits no order was settled by people',
    examined: `SELECT count(*) AS examined FROM broker_breaks`,
    violations: `
      SELECT book || ': ' || kind || ' of order ' || order_id || ', ' || detail || ' (break ' || id || ')' AS violation
      FROM broker_breaks WHERE resolved_at IS NULL ORDER BY at`,
  },
  {
    invariant: 'broker',
    claim: 'every execution that was booked closes its break, and moved what it says',
    examined: `SELECT count(*) AS examined FROM booked_executions`,
    violations: `
      SELECT 'booking ' || id || ' of ' || account || ' says ' || sum(due) || ' of ' || asset || ', posted ' || sum(posted) AS violation
      FROM (
        SELECT id, account, asset_id AS asset, CASE side WHEN 'buy' THEN quantity ELSE -quantity END AS due, 0 AS posted
        FROM booked_executions
        UNION ALL
        SELECT id, account, quote_asset, CASE WHEN side = 'buy' THEN -notional WHEN settles_on IS NULL THEN notional ELSE 0 END, 0
        FROM booked_executions
        UNION ALL
        SELECT substr(id, 1, 36), account, asset, 0, amount FROM ledger_transactions WHERE kind = 'booking')
      GROUP BY id, account, asset HAVING sum(due) <> sum(posted)
      UNION ALL
      SELECT 'break ' || b.id || ' of ' || b.book || ' is ' || coalesce(b.resolution, 'open') || ', booked as '
             || coalesce(e.id, 'nothing')
      FROM broker_breaks b LEFT JOIN booked_executions e ON e.book = b.book AND e.break_id = b.id
      WHERE (b.resolution IS 'booked') <> (e.id IS NOT NULL AND e.id = b.resolution_id)`,
  },
  {
    invariant: 'broker',
    claim: 'the prime broker has told nothing that no book could take',
    examined: `SELECT count(*) AS examined FROM prime_events`,
    violations: `
      SELECT 'event ' || id || ' of the prime broker: ' || unclaimed AS violation FROM prime_events WHERE unclaimed IS NOT NULL`,
  },
  {
    invariant: 'broker',
    claim: 'the broker holds what trades say, and has the orders open that are open here',
    examined: `SELECT count(*) AS examined FROM broker_comparisons WHERE compared_at IS NOT NULL`,
    violations: `
      SELECT market || ': ' || detail || CASE order_id WHEN '' THEN '' ELSE ', order ' || order_id END AS violation
      FROM broker_differences WHERE last_seen_at > first_seen_at`,
  },
  {
    invariant: 'broker',
    claim: 'every routed market can be compared with the broker',
    examined: `SELECT count(*) AS examined FROM markets WHERE route IN ${HANDED_OVER}`,
    violations: `
      SELECT market || ' was last compared '
        || coalesce(strftime('%Y-%m-%dT%H:%M:%SZ', compared_at / 1000, 'unixepoch'), 'never') AS violation
      FROM broker_comparisons WHERE tried_at - failing_since >= ${UNCOMPARED_MS_MAX}`,
  },
];
