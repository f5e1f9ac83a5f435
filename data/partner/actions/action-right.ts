import { type SQL, sql } from 'drizzle-orm';
import type { ActionStop } from '../../../domain/corporate-actions/action-state.ts';
import type { Database } from '../../database.ts';

/** Shares leave the venue's care by a lister's delisting or a merger's: a dividend of a day before is owed all the same. */
const IS_STOPPED = `((s.state = 'halted' AND s.halted_by IS 'operator') OR s.state NOT IN ('listed', 'halted', 'delisted')
  OR (s.state = 'delisted' AND NOT (a.type = 'dividend' AND s.delisted_by IS NOT NULL AND s.delisted_by <> 'operator')))`;

const SURVIVES = `(v.transfer_agent IS a.agent AND v.agent_state IS 'accepted'
  AND (v.state = 'listed' OR (v.state = 'halted' AND v.halted_by IS NOT 'operator')))`;

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

export async function findStop(db: Database, id: string): Promise<ActionStop | null> {
  const row = await db.get<{ stop: ActionStop | null }>(
    sql`SELECT ${STOP} AS stop FROM corporate_actions a WHERE a.id = ${id}`,
  );
  return row?.stop ?? null;
}
