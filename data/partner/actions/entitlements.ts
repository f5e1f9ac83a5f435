import { type SQL, sql } from 'drizzle-orm';
import type { PaymentState } from '../../../domain/corporate-actions/payment-state.ts';
import { AMOUNT_MAX } from '../../../domain/ledger/balances.ts';
import type { Database } from '../../database.ts';
import { sqlBatch } from '../../sql-batch.ts';
import { mayGoOn } from './action-right.ts';
import type { CorporateAction } from './corporate-actions.ts';

/** A dividend whose record date has come. */
type Recorded = Pick<CorporateAction, 'id' | 'security'> & { readonly recordAt: number };

/** An agent takes its trade back; by the index of those that are open, whose states the planner wants to see all. */
const IS_REJECTED = sql.raw(`state IN ('pending', 'acknowledged', 'rejecting') AND state = 'rejecting'`);

/** What accounts had at the record date, by what the ledger has now and what was done since. A trade that was taken back never was. */
function accountPositions(action: Recorded): SQL {
  const { security, recordAt } = action;
  const book = sql`(SELECT market FROM securities WHERE id = ${security})`;
  const lastTrade = sql`coalesce((
    SELECT sequence FROM trades WHERE book = ${book} AND executed_at <= ${recordAt} ORDER BY sequence DESC LIMIT 1), 0)`;
  // Each trade as of its buyer (1) and of its seller (-1).
  const party = sql`CASE side.column1 WHEN 1 THEN t.buyer ELSE t.seller END`;
  const sides = sql`(VALUES (1), (-1)) side`;
  return sql`
    SELECT account AS payee, account, sum(shares) AS shares FROM (
      SELECT account, available + held AS shares FROM balances WHERE asset = ${security} AND boundary = 0
      UNION ALL
      SELECT ${party}, -t.quantity * side.column1 FROM trades t CROSS JOIN ${sides}
      WHERE t.book = ${book} AND t.sequence > ${lastTrade}
        AND NOT EXISTS (SELECT 1 FROM trade_adjustments a WHERE a.trade_id = t.id AND a.type = 'bust')
      UNION ALL
      SELECT h.account, -c.shares FROM ${enteredSince(action)} AND h.account IS NOT NULL)
    GROUP BY account HAVING sum(shares) > 0`;
}

/** The same of holders without an account, by the register. */
function registeredPositions(action: Recorded): SQL {
  return sql`
    SELECT holder AS payee, NULL AS account, sum(shares) AS shares FROM (
      SELECT r.holder, r.shares FROM register_holdings r JOIN register_holders h ON h.id = r.holder
      WHERE r.security = ${action.security} AND h.account IS NULL
      UNION ALL
      SELECT c.holder, -c.shares FROM ${enteredSince(action)} AND h.account IS NULL)
    GROUP BY holder HAVING sum(shares) > 0`;
}

/** Lines of events after the record date by which shares came and went without a trade; a split among them. */
function enteredSince({ security, recordAt }: Recorded): SQL {
  return sql`
    register_events e JOIN register_changes c ON c.event = e.id JOIN register_holders h ON h.id = c.holder
    WHERE e.security = ${security} AND e.state = 'recorded' AND e.recorded_at > ${recordAt}
      AND e.type NOT IN ('transfer', 'reversal')`;
}

/** The most shares that one holder had at the record date. */
export async function mostShares(db: Database, action: Recorded): Promise<number> {
  const row = await db.get<{ shares: number | null }>(sql`
    SELECT max(shares) AS shares FROM (${accountPositions(action)} UNION ALL ${registeredPositions(action)})`);
  return row?.shares ?? 0;
}

/**
 * Fixes who is entitled: those who held shares at the record date, all in one batch. Nothing happens while an event of the register is under way, while an agent
 * takes a trade back (once the dividend is recorded, it does not), or where D1 shows less of the ledger than up to `shown`. Where nobody gets anything, no row says so of each holder.
 *
 * @returns whether it is done
 */
export async function recordEntitlements(
  db: Database,
  action: Recorded,
  { shown, now, paysNobody }: { readonly shown: number; readonly now: number; readonly paysNobody: boolean },
): Promise<boolean> {
  const { id, security } = action;
  const canBe = sql`
    EXISTS (SELECT 1 FROM corporate_actions WHERE id = ${id} AND state = 'announced') AND ${mayGoOn(id)}
    AND NOT EXISTS (SELECT 1 FROM register_events WHERE security = ${security} AND state = 'announced')
    AND NOT EXISTS (SELECT 1 FROM transfer_instructions WHERE security = ${security} AND ${IS_REJECTED})
    AND (SELECT total(seq) >= ${shown} AND total(emptying) = 0 FROM projections)`;
  const insertOf = (positions: SQL): SQL => sql`
    INSERT INTO corporate_action_payments (action, payee, account, shares, state)
    SELECT ${id}, p.payee, p.account, p.shares, 'entitled'
    FROM (${positions}) p WHERE ${canBe}`;
  await sqlBatch(db, [
    ...(paysNobody ? [] : [insertOf(accountPositions(action)), insertOf(registeredPositions(action))]),
    sql`
      UPDATE corporate_actions SET state = 'recorded', recorded_at = ${now}, waiting = NULL
      WHERE id = ${id} AND ${canBe}`,
  ]);
  const row = await db.get<{ state: string }>(sql`SELECT state FROM corporate_actions WHERE id = ${id}`);
  return row !== undefined && row.state !== 'announced';
}

/** A holder whose amount is not computed. */
export interface OpenEntitlement {
  readonly payee: string;
  readonly account: string | null;
  readonly shares: number;
}

/** Entitlements whose amount is not computed, in order. */
export function openEntitlements(db: Database, action: string, count: number): Promise<OpenEntitlement[]> {
  return db.all(sql`
    SELECT payee, account, shares FROM corporate_action_payments WHERE action = ${action} AND state = 'entitled' ORDER BY payee LIMIT ${count}`);
}

/** The part behind the last one. */
export async function nextPart(db: Database, action: string): Promise<number> {
  const row = await db.get<{ part: number }>(
    sql`SELECT coalesce(max(part), -1) + 1 AS part FROM corporate_action_payments WHERE action = ${action}`,
  );
  return row?.part ?? 0;
}

export interface ComputedAmount {
  readonly payee: string;
  readonly amount: number;
  readonly part: number | null;
}

/** Stores amounts that are not there yet, of the attempt that they were computed for. Each is found by its key: an UPDATE may look through all amounts for every holder instead. */
export async function storeAmounts(
  db: Database,
  { id: action, state, attempt }: Pick<CorporateAction, 'id' | 'state' | 'attempt'>,
  amounts: readonly ComputedAmount[],
): Promise<void> {
  await sqlBatch(db, [
    sql`
      INSERT INTO corporate_action_payments (action, payee, account, shares, amount, part, state)
      SELECT p.action, p.payee, p.account, p.shares, v.value ->> 'amount', v.value ->> 'part',
        CASE WHEN v.value ->> 'amount' = 0 THEN 'nothing' WHEN p.account IS NULL THEN 'external' ELSE 'due' END
      FROM json_each(${JSON.stringify(amounts)}) AS v
        CROSS JOIN corporate_action_payments p ON p.action = ${action} AND p.payee = v.value ->> 'payee' AND p.state = 'entitled'
      WHERE EXISTS (SELECT 1 FROM corporate_actions WHERE id = ${action} AND state = ${state} AND attempt = CAST(${attempt} AS INTEGER))
      ON CONFLICT (action, payee) DO UPDATE SET amount = excluded.amount, part = excluded.part, state = excluded.state`,
  ]);
}

/** What accounts, and holders without one, are to get in all: exact up to what an amount may be, and above it where it is more. */
export async function totalsOf(db: Database, action: string): Promise<{ accounts: number; external: number }> {
  const row = await db.get<{ accounts: number; external: number }>(sql`
    SELECT total(amount) FILTER (WHERE account IS NOT NULL) AS accounts, total(amount) FILTER (WHERE account IS NULL) AS external
    FROM corporate_action_payments WHERE action = ${action}`);
  return row ?? { accounts: 0, external: 0 };
}

/** A part whose holders are in the state, whole, in the order in which it is paid: the one that is named, else the first one; null for none. */
export async function firstPart(
  db: Database,
  action: string,
  state: PaymentState,
  named: number | null = null,
): Promise<{
  readonly part: number;
  readonly rows: readonly { readonly account: string; readonly amount: number }[];
} | null> {
  // In one statement: another run may end the part between two.
  const rows = await db.all<{ part: number; account: string; amount: number }>(sql`
    SELECT part, account, amount FROM corporate_action_payments
    WHERE action = ${action} AND state = ${state} AND part = coalesce(${named}, (
      SELECT min(part) FROM corporate_action_payments WHERE action = ${action} AND state = ${state} AND part IS NOT NULL))
    ORDER BY payee`);
  const part = rows[0]?.part;
  return part === undefined ? null : { part, rows };
}

/** What has become of a part: of each holder `to`, but of those who were left out. */
export async function endPart(
  db: Database,
  action: string,
  part: number,
  {
    from,
    to,
    leftOut,
    at,
  }: {
    readonly from: 'due' | 'paid';
    readonly to: 'paid' | 'returned';
    readonly leftOut: 'unpaid' | 'not_returned';
    readonly at: number;
  },
  skipped: readonly { readonly account: string; readonly reason: string }[],
): Promise<void> {
  const time = to === 'paid' ? sql`paid_at` : sql`returned_at`;
  await sqlBatch(db, [
    sql`
      UPDATE corporate_action_payments SET state = ${leftOut}, reason = v.value ->> 'reason'
      FROM json_each(${JSON.stringify(skipped)}) AS v
      WHERE action = ${action} AND part = ${part} AND state = ${from} AND account = v.value ->> 'account'`,
    sql`UPDATE corporate_action_payments SET state = ${to}, ${time} = ${at} WHERE action = ${action} AND part = ${part} AND state = ${from}`,
    sql`UPDATE corporate_actions SET asked_part = NULL WHERE id = ${action} AND asked_part = ${part}`,
  ]);
}

/** Whether the account that pays has so much, by what D1 shows, and is not frozen. The ledger decides; asking it in vain leaves a refusal there for good. */
export async function canPay(db: Database, account: string, currency: string, total: number): Promise<boolean> {
  const row = await db.get<{ can: number }>(sql`
    SELECT count(*) AS can FROM balances b JOIN accounts a ON a.id = b.account
    WHERE b.account = ${account} AND b.asset = ${currency} AND b.available >= CAST(${total} AS INTEGER) AND a.frozen = 0`);
  return (row?.can ?? 0) > 0;
}

/** Whether the account has room for so much more, by what D1 shows. */
export async function canTake(db: Database, account: string, currency: string, sum: number): Promise<boolean> {
  const row = await db.get<{ total: number }>(sql`
    SELECT available + held AS total FROM balances WHERE account = ${account} AND asset = ${currency}`);
  return (row?.total ?? 0) + sum <= AMOUNT_MAX;
}

/** What the payer pays, or has paid and is not given to anybody yet. What an account did not take, and went back to the payer, is no part of it. */
export async function sumOpen(db: Database, action: string): Promise<number> {
  const row = await db.get<{ sum: number }>(sql`
    SELECT coalesce(sum(amount), 0) AS sum FROM corporate_action_payments
    WHERE action = ${action} AND account IS NOT NULL AND (state = 'due' OR (state = 'unpaid' AND returned_at IS NULL))`);
  return row?.sum ?? 0;
}

/** What was not paid has gone back to who has paid, in this attempt: a run that comes late says nothing of the next one. */
export async function noteReturned(
  db: Database,
  { id, attempt }: Pick<CorporateAction, 'id' | 'attempt'>,
  at: number,
): Promise<void> {
  await db.run(sql`
    UPDATE corporate_action_payments SET returned_at = ${at} WHERE action = ${id} AND state = 'unpaid' AND returned_at IS NULL
      AND EXISTS (SELECT 1 FROM corporate_actions WHERE id = ${id} AND state = 'returning' AND attempt = CAST(${attempt} AS INTEGER))`);
}

/** What holders in the state come to. */
export async function sumIn(db: Database, action: string, state: PaymentState): Promise<number> {
  const row = await db.get<{ sum: number }>(sql`
    SELECT coalesce(sum(amount), 0) AS sum FROM corporate_action_payments
    WHERE action = ${action} AND state = ${state} AND account IS NOT NULL`);
  return row?.sum ?? 0;
}
