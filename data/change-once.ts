import { type SQL, sql } from 'drizzle-orm';
import { findOperatorChange, type OperatorAction, operatorEvent } from './audit/trail/operator-events.ts';
import type { Database } from './database.ts';
import { refuseEndedToken, tokenStands } from './identity/bearer.ts';
import { sqlBatch } from './sql-batch.ts';

/** What an operator changes of records that are D1's own. */
export interface Change {
  readonly action: OperatorAction;
  /** E.g. `operator.asset_changed`. */
  readonly type: string;
  /** Id of what is changed. */
  readonly subject: string;
  /** For the audit trail: why, and what went along with it. */
  readonly details: Readonly<Record<string, unknown>>;
  /** State before and after, for the audit trail. */
  readonly before: unknown;
  readonly after: unknown;
  /** Unix milliseconds. */
  readonly now: number;
  /** Condition under which it takes place, such as that what was read still stands. */
  readonly when: SQL;
  /** The statements, each under the condition `takesPlace`. */
  readonly writes: (takesPlace: SQL) => readonly SQL[];
}

/**
 * Changes something and writes down who did it, in one batch; once per action id. False where the condition does not hold.
 *
 * @throws TokenEnded where whoever acts came by a token that a kill switch has ended
 */
export async function changeOnce(db: Database, change: Change): Promise<boolean> {
  const { action, type, subject, details, now, when } = change;
  if ((await findOperatorChange(db, action, subject)) !== null) return true;
  const [before, after] = [JSON.stringify(change.before), JSON.stringify(change.after)];
  const bearer = { userId: action.actor, issuedAt: action.tokenIssuedAt ?? null };
  const takesPlace = sql`EXISTS (SELECT 1 FROM domain_events WHERE id = ${action.id} AND subject = ${subject})`;
  await sqlBatch(db, [
    operatorEvent({
      action,
      type,
      subject,
      createdAt: now,
      details,
      before,
      after,
      when: sql`(${when}) AND ${tokenStands(bearer)}`,
    }),
    ...change.writes(takesPlace),
  ]);
  if ((await findOperatorChange(db, action, subject)) !== null) return true;
  await refuseEndedToken(db, bearer);
  return false;
}
