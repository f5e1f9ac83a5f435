/** Tables that hold nothing but what is projected. */
const PROJECTED_TABLES = ['orders', 'trades', 'bars', 'balances', 'lots', 'transfers', 'ledger_transactions'] as const;

/**
 * Empties what is projected from a shard's journal and moves its cursor before the first row, in one batch. Facts of accounts, keys,
 * markets and the venue, and events, share their rows with others: they stay, and are written over.
 *
 * @throws when other shards are projected into this database, or when the outcome is unknown: call it again
 */
export async function emptyReadModel(d1: D1Database, shard: string): Promise<void> {
  const other = await d1.prepare('SELECT shard FROM projections WHERE shard <> ?1').bind(shard).first<string>('shard');
  if (other !== null) throw new Error(`D1 has rows of ${other}, too, which cannot be told from those of ${shard}`);
  await d1.batch([
    ...PROJECTED_TABLES.map((table) => d1.prepare(`DELETE FROM ${table}`)),
    d1.prepare('DELETE FROM projections WHERE shard = ?1').bind(shard),
  ]);
}
