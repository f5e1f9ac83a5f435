import { type SQL, sql } from 'drizzle-orm';
import type { ActionStop } from '../../../domain/corporate-actions/action-state.ts';
import type { Database } from '../../database.ts';

/** Shares leave the venue's care by a lister's delisting or a merger's: a dividend of a day before is owed all the same. */
const IS_STOPPED = `((s.state = 'halted' AND s.halted_by IS 'operator') OR s.state NOT IN ('listed', 'halted', 'delisted')
  OR (s.state = 'delisted' AND NOT (a.type = 'dividend' AND s.delisted_by IS NOT NULL AND s.delisted_by <> 'operator')))`;

const SURVIVES = `(v.transfer_agent IS a.agent AND v.agent_state IS 'accepted'
  AND (v.state = 'listed' OR (v.state = 'halted' AND v.halted_by IS NOT 'operator')))`;

/** A merger `a` that ends shares. */
export const ENDS_SHARES = `(a.type = 'merger' AND (a.terms ->> 'currencyAsset' IS NOT NULL OR a.terms -> 'stock' IS NOT NULL))`;

/** Splits `o` of a security; those that are completed never change again. */
const SPLITS = `FROM corporate_actions o WHERE o.type = 'stock_split' AND o.security`;

/** How many splits of a security are over, as an action of it says that is announced now. */
export function splitsOver(security: string): SQL {
  return sql`(SELECT count(*) ${sql.raw(SPLITS)} = ${security} AND o.state = 'completed')`;
}

/** One that has begun to move shares counts as another, also where it has when the action is announced. */
const IS_SPLIT = `((a.type = 'share_cancellation' OR ${ENDS_SHARES})
  AND (SELECT count(*) ${SPLITS} = a.security AND (o.state = 'completed' OR (o.state = 'effective' AND o.moving_at IS NOT NULL)))
    > coalesce(a.terms ->> 'splits', (SELECT count(*) ${SPLITS} = a.security AND o.state = 'completed' AND o.ended_at < a.created_at)))`;

/**
 * Why action `a` takes no step now, or NULL: the right under which it was announced is looked at in the statement that changes it. Once shares move it
 * goes to its end.
 */
export const STOP = sql.raw(`CASE
  WHEN a.moving_at IS NOT NULL THEN NULL
  WHEN a.held_reason IS NOT NULL THEN 'held_by_operator'
  ELSE (
    SELECT CASE
      WHEN s.transfer_agent IS NOT a.agent OR s.agent_state IS NOT 'accepted' THEN 'agent_released'
      WHEN ${IS_SPLIT} THEN 'shares_split'
      WHEN p.state IS NOT 'active' THEN 'agent_suspended'
      WHEN ${IS_STOPPED} THEN 'security_stopped'
      WHEN a.terms -> 'stock' IS NOT NULL AND NOT ${SURVIVES} THEN 'surviving_security' END
    FROM securities s LEFT JOIN partner_organizations p ON p.organization = a.agent
      LEFT JOIN securities v ON v.id = a.terms ->> '$.stock.survivor'
    WHERE s.id = a.security) END`);

/** Condition: the action may take a step. */
export function mayGoOn(id: string): SQL {
  return sql`EXISTS (SELECT 1 FROM corporate_actions a WHERE a.id = ${id} AND (${STOP}) IS NULL)`;
}

/** An action that is effective, at this attempt and no other. */
export interface ActionAttempt {
  readonly id: string;
  readonly attempt: number;
}

/** Condition: nobody has held, ended or put it back since. */
export function mayMove({ id, attempt }: ActionAttempt): SQL {
  return sql`(EXISTS (SELECT 1 FROM corporate_actions WHERE id = ${id} AND state = 'effective' AND attempt = CAST(${attempt} AS INTEGER))
    AND ${mayGoOn(id)})`;
}

/** Shares move from the announcement of the register's event on: in its batch. */
export function beginMovingWith(event: string, { id, attempt }: ActionAttempt, now: number): SQL {
  return sql`
    UPDATE corporate_actions SET moving_at = CAST(${now} AS INTEGER)
    WHERE id = ${id} AND state = 'effective' AND attempt = CAST(${attempt} AS INTEGER) AND moving_at IS NULL
      AND EXISTS (SELECT 1 FROM register_events WHERE id = ${event} AND state = 'announced')`;
}

export async function findStop(db: Database, id: string): Promise<ActionStop | null> {
  const row = await db.get<{ stop: ActionStop | null }>(
    sql`SELECT ${STOP} AS stop FROM corporate_actions a WHERE a.id = ${id}`,
  );
  return row?.stop ?? null;
}
