import type { ProjectedPart } from './journal-part.ts';
import { statementsOf } from './statements.ts';

/** `elsewhere`: D1 has other rows than those before `from`, or is being emptied; nothing was written. */
export type ProjectOutcome =
  | { readonly type: 'done' }
  | { readonly type: 'elsewhere'; readonly cursor: number; readonly isEmptying: boolean };

/** Where D1 stands with a shard's journal. */
export interface ProjectionPlace {
  /** The last row that stands in D1; 0 for none. */
  readonly cursor: number;
  /** What is projected is being emptied: nothing is written before that has ended (empty-read-model.ts). */
  readonly isEmptying: boolean;
}

/**
 * ?1 shard, ?2 the row that it moves from, ?3 the row that it moves to. From any other row, or while D1 is being emptied, the CHECK aborts
 * the batch.
 */
const MOVE_CURSOR = `
INSERT INTO projections (shard, seq)
SELECT ?1, CASE WHEN coalesce((SELECT CASE emptying WHEN 0 THEN seq ELSE -1 END FROM projections WHERE shard = ?1), 0) = CAST(?2 AS INTEGER)
  THEN CAST(?3 AS INTEGER) ELSE -1 END
WHERE true ON CONFLICT DO UPDATE SET seq = excluded.seq`;

export async function readPlace(d1: D1Database, shard: string): Promise<ProjectionPlace> {
  const row = await d1
    .prepare('SELECT seq, emptying FROM projections WHERE shard = ?1')
    .bind(shard)
    .first<{ seq: number; emptying: number }>();
  return { cursor: row?.seq ?? 0, isEmptying: row?.emptying === 1 };
}

/**
 * Writes a part of the journal into D1 and moves its cursor to the last of its rows, in one batch: they are in once, whole, however often
 * this is sent.
 *
 * @throws when the outcome is unknown: send the same again, what has landed before is `done`
 */
export async function project(
  d1: D1Database,
  shard: string,
  { from, to, rows }: ProjectedPart,
): Promise<ProjectOutcome> {
  if (from === to) return { type: 'done' };
  const moveCursor = d1.prepare(MOVE_CURSOR).bind(shard, from, to);
  try {
    await d1.batch([moveCursor, ...statementsOf(d1, rows)]);
    return { type: 'done' };
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('projections_move'))) throw error;
    const place = await readPlace(d1, shard);
    return place.cursor === to && !place.isEmptying ? { type: 'done' } : { type: 'elsewhere', ...place };
  }
}
