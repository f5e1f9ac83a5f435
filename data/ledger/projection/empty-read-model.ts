/** Tables that hold nothing but what is projected, with their keys. */
const PROJECTED_TABLES: Readonly<Record<string, string>> = {
  orders: 'id',
  order_slices: 'account, last',
  archived_client_order_ids: 'hash, order_id',
  traded_orders: 'id',
  trades: 'id',
  trade_adjustments: 'trade_id',
  realized_profits: 'account, asset, quote_asset',
  restricted_sales: 'lot',
  broker_breaks: 'book, id',
  booked_executions: 'id',
  rates: 'asset, version',
  bars: 'book, interval, bucket',
  balances: 'account, asset',
  lots: 'id',
  unsettled_sums: 'account, asset, kind, settles_on',
  family_relations: 'id',
  transfers: 'id',
  transfer_requests: 'id',
  ledger_transactions: 'id',
};

/** `shared`: another shard is projected into this database, too, and rows do not say whose they are; nothing was done. */
export type EmptyOutcome = { readonly type: 'begun' } | { readonly type: 'shared'; readonly shard: string };

/**
 * Marks what is projected from a shard's journal as being emptied, and moves its cursor before the first row. From here on nothing is
 * projected until `emptyStep` has deleted the last row. Facts of accounts, keys, markets and the venue, and events, share their rows with
 * others: they stay, and are written over. The archive begins a new generation: all orders come back to D1, to be archived anew, what a
 * step of the old generation is about to do is not done, and none is begun before the end of the emptying.
 *
 * @throws when the outcome is unknown: call it again
 */
export async function beginEmptying(d1: D1Database, shard: string, now: number): Promise<EmptyOutcome> {
  const other = await otherShard(d1, shard);
  if (other !== null) return { type: 'shared', shard: other };
  const mark = `INSERT INTO projections (shard, seq, emptying) VALUES (?1, 0, 1)
    ON CONFLICT DO UPDATE SET seq = 0, emptying = 1`;
  const unreferenced = `INSERT INTO unreferenced_objects (key, since) SELECT key, CAST(?1 AS INTEGER) FROM order_slices
    WHERE true ON CONFLICT DO NOTHING`;
  await d1.batch([
    d1.prepare(mark).bind(shard),
    d1.prepare(`UPDATE order_archive SET generation = generation + 1, visited = ''`),
    d1.prepare(unreferenced).bind(now),
  ]);
  return { type: 'begun' };
}

/** Another shard that is projected into this database; null when there is none. */
export function otherShard(d1: D1Database, shard: string): Promise<string | null> {
  return d1.prepare('SELECT shard FROM projections WHERE shard <> ?1').bind(shard).first<string>('shard');
}

export interface EmptyStep {
  readonly rowsDeleted: number;
  /** Nothing was left: the mark is lifted, and projection may begin. */
  readonly isDone: boolean;
}

/**
 * Deletes `rowsMax` rows of each projected table, and lifts the mark once none is left; in one batch. Without the mark it does nothing,
 * however late it lands.
 *
 * @throws when the outcome is unknown: call it again
 */
export async function emptyStep(d1: D1Database, shard: string, rowsMax: number): Promise<EmptyStep> {
  const isMarked = 'EXISTS (SELECT 1 FROM projections WHERE shard = ?1 AND emptying = 1)';
  const tables = Object.entries(PROJECTED_TABLES);
  const deletions = tables.map(([table, key]) =>
    d1
      .prepare(`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} LIMIT ${rowsMax}) AND ${isMarked}`)
      .bind(shard),
  );
  const areEmpty = tables.map(([table]) => `NOT EXISTS (SELECT 1 FROM ${table})`).join(' AND ');
  const results = await d1.batch<{ emptying: number }>([
    ...deletions,
    d1.prepare(`UPDATE projections SET emptying = 0 WHERE shard = ?1 AND emptying = 1 AND ${areEmpty}`).bind(shard),
    d1.prepare('SELECT emptying FROM projections WHERE shard = ?1').bind(shard),
  ]);
  const rowsDeleted = results.slice(0, deletions.length).reduce((sum, { meta }) => sum + meta.changes, 0);
  return { rowsDeleted, isDone: results.at(-1)?.results[0]?.emptying !== 1 };
}
