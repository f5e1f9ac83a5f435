import { eq, sql } from 'drizzle-orm';
import { tradeEventId } from '../../domain/partner/trade-event-id.ts';
import type { Database } from '../database.ts';
import { chainRecords } from '../schema/chain-records.ts';
import { sqlBatch } from '../sql-batch.ts';

/** A settlement, or an adjustment, that stands in the registry. */
export interface ChainRecord {
  /** Of the trade, or of its adjustment. */
  readonly id: string;
  readonly tradeId: string;
  readonly hash: string;
  readonly transaction: string;
  readonly blockNumber: number;
}

/**
 * Notes what stands in the registry, and tells of each settlement of a cross-listed security once: one that is pending is `recorded` from here on. Noted
 * again, nothing changes.
 */
export async function noteRecorded(db: Database, records: readonly ChainRecord[], now: number): Promise<void> {
  if (records.length === 0) return;
  const told = records.map((record) => ({ ...record, event: tradeEventId(record.tradeId, 'settlement.recorded') }));
  const rows = sql`json_each(${JSON.stringify(told)}) AS c`;
  await sqlBatch(db, [
    sql`
      INSERT INTO chain_records (id, trade_id, hash, tx, block_number, noted_at)
      SELECT c.value ->> 'id', c.value ->> 'tradeId', c.value ->> 'hash', c.value ->> 'transaction', c.value ->> 'blockNumber', ${now}
      FROM ${rows} WHERE true ON CONFLICT DO NOTHING`,
    sql`
      UPDATE partner_settlements SET status = 'recorded'
      FROM ${rows} WHERE partner_settlements.id = c.value ->> 'id' AND status = 'pending'`,
    sql`
      INSERT INTO domain_events (id, type, subject, payload, created_at)
      SELECT c.value ->> 'event', 'settlement.recorded', p.security,
        json_object('trade_id', p.id, 'tx_hash', c.value ->> 'transaction', 'block_number', c.value ->> 'blockNumber'), ${now}
      FROM ${rows} CROSS JOIN partner_settlements p ON p.id = c.value ->> 'id'
      WHERE true ON CONFLICT DO NOTHING`,
  ]);
}

/** What was noted of a trade, its settlement first. */
export function listChainRecords(db: Database, tradeId: string): Promise<(typeof chainRecords.$inferSelect)[]> {
  return db
    .select()
    .from(chainRecords)
    .where(eq(chainRecords.tradeId, tradeId))
    .orderBy(chainRecords.blockNumber, chainRecords.id)
    .all();
}
