import { type SQL, sql } from 'drizzle-orm';
import type { OperatorAction } from '../../audit/trail/operator-events.ts';
import { changeOnce } from '../../change-once.ts';
import { columnOf } from '../../column-of.ts';
import type { Database } from '../../database.ts';
import { corporateActions } from '../../schema/corporate-actions.ts';
import { mayGoOn } from './action-right.ts';
import type { CorporateAction } from './corporate-actions.ts';

const CHANGED_FIELDS = [
  'state',
  'reason',
  'heldReason',
  'paymentAccount',
  'amountMax',
  'consentedAt',
  'survivorConsentedAt',
  'endedAt',
  'reversedAt',
] as const;

export interface ActionChange {
  readonly change: Partial<Pick<CorporateAction, (typeof CHANGED_FIELDS)[number]>>;
  /** Of its event in the audit trail. */
  readonly type: string;
  /** Under which right of whoever asks: `agent` keeps the register still, `step` may carry it on. */
  readonly under?: 'agent' | 'step';
  readonly now: number;
}

/**
 * Changes an action for somebody, written down: the fields that it names, and no others, so that whatever somebody else says of the rest at the same moment stands.
 * False where the action is in another state than it was read in, one of these fields has changed since, or another account would pay what the present one has begun to.
 */
export function changeAction(
  db: Database,
  action: CorporateAction,
  { change, type, under, now }: ActionChange,
  by: OperatorAction,
): Promise<boolean> {
  const { id } = action;
  const fields = CHANGED_FIELDS.filter((field) => change[field] !== undefined);
  const said = (of: ActionChange['change']) => Object.fromEntries(fields.map((field) => [field, of[field]]));
  const isSaid = fields.map((field) => sql` AND ${corporateActions[field]} IS ${action[field]}`);
  const isStill = sql`id = ${id} AND state = ${action.state} AND attempt = CAST(${action.attempt} AS INTEGER) AND moving_at IS ${action.movingAt}${sql.join(isSaid)}`;
  const set = fields.map((field) => sql`${sql.identifier(columnOf(field))} = ${change[field]}, `);
  const right = under === 'agent' ? isKeptByAgentOf(id) : under === 'step' ? mayGoOn(id) : sql`TRUE`;
  const isOtherPayer = change.paymentAccount !== undefined && change.paymentAccount !== action.paymentAccount;
  const mayPay = isOtherPayer ? sql`NOT ${hasPaid(id)}` : sql`TRUE`;
  return changeOnce(db, {
    action: by,
    type,
    subject: id,
    details: { security: action.security },
    before: said(action),
    after: said(change),
    now,
    when: sql`EXISTS (SELECT 1 FROM corporate_actions WHERE ${isStill}) AND ${right} AND ${mayPay}`,
    writes: (takesPlace) => [
      sql`UPDATE corporate_actions SET ${sql.join(set)}waiting = NULL WHERE ${isStill} AND ${takesPlace}`,
      ...(change.state === 'cancelled' && action.type === 'merger'
        ? [sql`DELETE FROM corporate_action_payments WHERE action = ${id} AND ${takesPlace}`]
        : []),
    ],
  });
}

/** Holders have what the payer of now has paid: what they give back is that payer's. */
function hasPaid(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM corporate_action_payments WHERE action = ${id} AND state IN ('paid', 'not_returned'))`;
}

export async function hasPaidHolders(db: Database, id: string): Promise<boolean> {
  const row = await db.get<{ paid: number }>(sql`SELECT ${hasPaid(id)} AS paid`);
  return row?.paid === 1;
}

function isKeptByAgentOf(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM corporate_actions c JOIN securities s ON s.id = c.security
    WHERE c.id = ${id} AND s.transfer_agent = c.agent AND s.agent_state = 'accepted')`;
}
