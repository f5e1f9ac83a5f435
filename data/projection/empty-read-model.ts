/** Tables that hold nothing but what is projected. */
const PROJECTED_TABLES = ['orders', 'trades', 'bars', 'balances', 'lots', 'transfers', 'ledger_transactions'] as const;

/** `shared`: another shard is projected into this database, too, and rows do not say whose they are; nothing was done. */
export type EmptyOutcome = { readonly type: 'done' } | { readonly type: 'shared'; readonly shard: string };

/**
 * Empties what is projected from a shard's journal and moves its cursor before the first row, in one batch. Facts of accounts, keys,
 * markets and the venue, and events, share their rows with others: they stay, and are written over.
 *
 * @throws when the outcome is unknown: call it again
 */
export async function emptyReadModel(d1: D1Database, shard: string): Promise<EmptyOutcome> {
  const other = await d1.prepare('SELECT shard FROM projections WHERE shard <> ?1').bind(shard).first<string>('shard');
  if (other !== null) return { type: 'shared', shard: other };
  await d1.batch([
    ...PROJECTED_TABLES.map((table) => d1.prepare(`DELETE FROM ${table}`)),
    d1.prepare('DELETE FROM projections WHERE shard = ?1').bind(shard),
  ]);
  return { type: 'done' };
}
