import { type SQL, sql } from 'drizzle-orm';
import { findOperatorChange, type OperatorAction, operatorEvent } from './audit/trail/operator-events.ts';
import type { Database } from './database.ts';
import { sqlBatch } from './sql-batch.ts';

export interface Creation {
  readonly action: OperatorAction;
  /** E.g. `operator.asset_created`. */
  readonly type: string;
  /** Id of what is created. */
  readonly subject: string;
  /** What is created, for the audit trail. */
  readonly after: Readonly<Record<string, unknown>>;
  /** Unix milliseconds. */
  readonly now: number;
  /** Selects a row where something stands in the way. */
  readonly conflict: SQL;
  /** The inserts: `SELECT … WHERE takesPlace ON CONFLICT DO NOTHING`. */
  readonly inserts: (takesPlace: SQL) => readonly SQL[];
}

/**
 * Creates something and writes down who did it, in one batch; once per action id. False where something stands in the way, such as
 * the same name under another action.
 */
export async function createOnce(db: Database, creation: Creation): Promise<boolean> {
  const { action, subject, now } = creation;
  if ((await findOperatorChange(db, action, subject)) !== null) return true;
  const takesPlace = sql`EXISTS (SELECT 1 FROM domain_events WHERE id = ${action.id} AND subject = ${subject})`;
  await sqlBatch(db, [
    operatorEvent({
      action,
      type: creation.type,
      subject,
      createdAt: now,
      details: {},
      before: 'null',
      after: JSON.stringify(creation.after),
      when: sql`NOT EXISTS (${creation.conflict})`,
    }),
    ...creation.inserts(takesPlace),
  ]);
  return (await findOperatorChange(db, action, subject)) !== null;
}
