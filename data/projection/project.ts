import type { JournalRow } from '../../domain/ledger/journal-row.ts';
import type { LastValues } from './last-values.ts';
import { statementsOf } from './statements.ts';
import { tableRowsOf } from './table-rows-of.ts';

export type { LastValues };

/** `elsewhere`: D1 has other rows than those before `from`; nothing was written. */
export type ProjectOutcome = { readonly type: 'done' } | { readonly type: 'elsewhere'; readonly cursor: number };

/** ?1 shard, ?2 the row that it moves from, ?3 the row that it moves to. From any other row the CHECK aborts the batch. */
const MOVE_CURSOR = `
INSERT INTO projections (shard, seq)
SELECT ?1, CASE WHEN coalesce((SELECT seq FROM projections WHERE shard = ?1), 0) = CAST(?2 AS INTEGER) THEN CAST(?3 AS INTEGER) ELSE -1 END
WHERE true ON CONFLICT DO UPDATE SET seq = excluded.seq`;

/** The last row of this shard's journal that stands in D1; 0 for none. */
export async function readCursor(d1: D1Database, shard: string): Promise<number> {
  const row = await d1.prepare('SELECT seq FROM projections WHERE shard = ?1').bind(shard).first<{ seq: number }>();
  return row?.seq ?? 0;
}

/**
 * Writes the journal rows after `from` into D1 and moves its cursor to the last of them, in one batch: they are in once, whole, however
 * often this is sent.
 *
 * @param values of the ledger that the rows come from, as it is now
 * @throws when the outcome is unknown: send the same again, what has landed before is `done`
 */
export async function project(
  d1: D1Database,
  shard: string,
  from: number,
  rows: readonly JournalRow[],
  values: LastValues,
): Promise<ProjectOutcome> {
  const to = from + rows.length;
  if (rows.some(({ seq }, index) => seq !== from + index + 1)) throw new Error(`journal rows after ${from} have a gap`);
  if (rows.length === 0) return { type: 'done' };
  const moveCursor = d1.prepare(MOVE_CURSOR).bind(shard, from, to);
  try {
    await d1.batch([moveCursor, ...statementsOf(d1, tableRowsOf(rows, values))]);
    return { type: 'done' };
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('projections_move'))) throw error;
    const cursor = await readCursor(d1, shard);
    return cursor === to ? { type: 'done' } : { type: 'elsewhere', cursor };
  }
}
