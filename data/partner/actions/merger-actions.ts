import { and, eq, inArray, sql } from 'drizzle-orm';
import type { ActionWait } from '../../../domain/corporate-actions/action-state.ts';
import { endsShares, isPaid } from '../../../domain/corporate-actions/corporate-action.ts';
import type { PaymentState } from '../../../domain/corporate-actions/payment-state.ts';
import type { Database } from '../../database.ts';
import { corporateActions } from '../../schema/corporate-actions.ts';
import { sqlBatch } from '../../sql-batch.ts';
import { mayGoOn } from './action-right.ts';
import type { CorporateAction } from './corporate-actions.ts';

/** The mergers of a security that have begun, each with its attempt. */
export function mergersUnderWay(db: Database, security: string): Promise<Pick<CorporateAction, 'id' | 'attempt'>[]> {
  return db.all(sql`
    SELECT id, attempt FROM corporate_actions
    WHERE security = ${security} AND type = 'merger' AND state IN ('effective', 'recorded', 'funding', 'funded', 'returning')`);
}

/** A merger that ends the shares of a security, is announced or has begun; its id, or null. */
export async function findOpenMerger(db: Database, security: string): Promise<string | null> {
  const rows = await db
    .select({ id: corporateActions.id, terms: corporateActions.terms })
    .from(corporateActions)
    .where(
      and(
        eq(corporateActions.security, security),
        eq(corporateActions.type, 'merger'),
        inArray(corporateActions.state, ['announced', 'effective', 'recorded', 'funding', 'funded', 'returning']),
      ),
    );
  return rows.find(({ terms }) => endsShares(terms))?.id ?? null;
}

/** Shares that accounts have of a security, scaled, and how many accounts. */
export async function sharesInAccounts(
  db: Database,
  security: string,
): Promise<{ readonly shares: number; readonly accounts: number }> {
  const row = await db.get<{ shares: number; accounts: number }>(sql`
    SELECT coalesce(sum(available + held), 0) AS shares, count(*) AS accounts FROM balances
    WHERE asset = ${security} AND boundary = 0 AND available + held > 0`);
  return row ?? { shares: 0, accounts: 0 };
}

/**
 * Fixes who is paid: everybody whom the register has, all in one batch, while `event` keeps the register and the ledger as they are. Of a merger without cash
 * nobody gets anything.
 *
 * @returns false where the action or the event has gone on since
 */
export async function recordMergerHolders(
  db: Database,
  { id, security, attempt, terms }: CorporateAction,
  event: string,
  now: number,
): Promise<boolean> {
  const [amount, state]: [number | null, PaymentState] = isPaid(terms) ? [null, 'entitled'] : [0, 'nothing'];
  const canBe = sql`
    EXISTS (SELECT 1 FROM corporate_actions WHERE id = ${id} AND state = 'effective' AND attempt = CAST(${attempt} AS INTEGER))
    AND ${mayGoOn(id)}
    AND EXISTS (SELECT 1 FROM register_events WHERE id = ${event} AND state = 'announced')`;
  const [, recorded] = await sqlBatch(db, [
    sql`
      INSERT INTO corporate_action_payments (action, payee, account, shares, amount, state)
      SELECT ${id}, coalesce(h.account, h.id), h.account, r.shares, ${amount}, ${state}
      FROM register_holdings r JOIN register_holders h ON h.id = r.holder
      WHERE r.security = ${security} AND r.shares > 0 AND ${canBe}`,
    sql`
      UPDATE corporate_actions SET state = 'recorded', recorded_at = ${now}, waiting = NULL
      WHERE id = ${id} AND ${canBe} RETURNING id`,
  ]);
  return (recorded?.length ?? 0) > 0;
}

/**
 * A merger that cannot take place yet is as it was announced, or cancelled, with another attempt; who was to be paid is forgotten. Nothing where it has gone on
 * since, or shares move.
 */
export async function beginAgain(
  db: Database,
  { id, state, attempt }: CorporateAction,
  waiting: ActionWait | null,
  endedAt: number | null = null,
): Promise<void> {
  const isAsRead = sql`id = ${id} AND state = ${state} AND attempt = CAST(${attempt} AS INTEGER) AND moving_at IS NULL`;
  const next = endedAt === null ? 'announced' : 'cancelled';
  await sqlBatch(db, [
    sql`DELETE FROM corporate_action_payments WHERE action = ${id} AND EXISTS (SELECT 1 FROM corporate_actions WHERE ${isAsRead})`,
    sql`
      UPDATE corporate_actions SET state = ${next}, waiting = ${waiting}, attempt = attempt + 1, total = NULL, external_total = NULL,
        recorded_at = NULL, funded_at = NULL, ended_at = ${endedAt}
      WHERE ${isAsRead}`,
  ]);
}
