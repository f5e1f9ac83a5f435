import { sql } from 'drizzle-orm';
import type { BrokerDifference } from '../../domain/broker/compare-with-broker.ts';
import type { Database } from '../database.ts';
import { listParts } from '../list-parts.ts';
import { sqlBatch } from '../sql-batch.ts';

const ROWS_PER_STATEMENT = 5_000;

/** Writes how a market differs from the broker now, and that it was compared: what has gone is deleted, and what has changed begins anew. */
export async function recordBrokerDifferences(
  db: Database,
  market: string,
  differences: readonly BrokerDifference[],
  now: number,
): Promise<void> {
  await sqlBatch(db, [
    ...listParts(differences, ROWS_PER_STATEMENT).map(
      (part) => sql`
      INSERT INTO broker_differences (market, kind, order_id, detail, first_seen_at, last_seen_at)
      SELECT ${market}, value ->> 'kind', value ->> 'orderId', value ->> 'detail', CAST(${now} AS INTEGER), CAST(${now} AS INTEGER)
      FROM json_each(${JSON.stringify(part)}) WHERE true
      ON CONFLICT (market, kind, order_id) DO UPDATE SET
        first_seen_at = CASE detail WHEN excluded.detail THEN first_seen_at ELSE excluded.first_seen_at END,
        detail = excluded.detail,
        last_seen_at = excluded.last_seen_at`,
    ),
    sql`DELETE FROM broker_differences WHERE market = ${market} AND last_seen_at < CAST(${now} AS INTEGER)`,
    sql`
      INSERT INTO broker_comparisons (market, compared_at, failing_since, tried_at) VALUES (${market}, ${now}, NULL, ${now})
      ON CONFLICT (market) DO UPDATE SET compared_at = excluded.compared_at, failing_since = NULL, tried_at = excluded.tried_at`,
  ]);
}

/** Writes that a market could not be compared. */
export async function recordFailedComparison(db: Database, market: string, now: number): Promise<void> {
  await db.run(sql`
    INSERT INTO broker_comparisons (market, compared_at, failing_since, tried_at) VALUES (${market}, NULL, ${now}, ${now})
    ON CONFLICT (market) DO UPDATE SET
      failing_since = coalesce(failing_since, excluded.failing_since),
      tried_at = excluded.tried_at`);
}
