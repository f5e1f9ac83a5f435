import { sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { type OperatorAction, operatorEvent } from './operator-events.ts';
import { sqlBatch } from './sql-batch.ts';

/**
 * Halts trading in every market, or lifts that halt (a market halted by itself stays halted). Raises every market's rulesVersion, so
 * that no order checked before is admitted, and writes down who did it; once per action id.
 */
export async function setVenueHalted(
  db: Database,
  { halted, action, now }: { readonly halted: boolean; readonly action: OperatorAction; readonly now: number },
): Promise<void> {
  const wanted = halted ? 1 : 0;
  const other = sql`EXISTS (SELECT 1 FROM venue WHERE halted <> ${wanted})`;
  const undone = sql`NOT EXISTS (SELECT 1 FROM domain_events WHERE id = ${action.id})`;
  const state = (value: boolean) => JSON.stringify({ halted: value });
  await sqlBatch(db, [
    sql`UPDATE markets SET rules_version = rules_version + 1 WHERE ${other} AND ${undone}`,
    operatorEvent({
      action,
      type: 'operator.venue_halt',
      subject: 'venue',
      createdAt: now,
      details: {},
      before: state(!halted),
      after: state(halted),
      when: other,
    }),
    sql`UPDATE venue SET halted = ${wanted} WHERE EXISTS (
          SELECT 1 FROM domain_events WHERE id = ${action.id} AND created_at = ${now})`,
  ]);
}
