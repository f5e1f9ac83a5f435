import { type SQL, sql } from 'drizzle-orm';
import { type Change, changeOnce } from './change-once.ts';
import type { Database } from './database.ts';

export interface Creation extends Pick<Change, 'action' | 'type' | 'subject' | 'now'> {
  /** What is created, for the audit trail. */
  readonly after: Readonly<Record<string, unknown>>;
  /** Selects a row where something stands in the way. */
  readonly conflict: SQL;
  /** The inserts: `SELECT … WHERE takesPlace ON CONFLICT DO NOTHING`. */
  readonly inserts: (takesPlace: SQL) => readonly SQL[];
}

/**
 * Creates something and writes down who did it, in one batch; once per action id. False where something stands in the way, such as
 * the same name under another action.
 */
export function createOnce(db: Database, { conflict, inserts, ...creation }: Creation): Promise<boolean> {
  return changeOnce(db, {
    ...creation,
    details: {},
    before: null,
    when: sql`NOT EXISTS (${conflict})`,
    writes: inserts,
  });
}
