import { and, asc, eq, sql } from 'drizzle-orm';
import type { BrokerDifference } from '../../domain/broker/compare-with-broker.ts';
import type { Database } from '../database.ts';
import { listParts } from '../list-parts.ts';
import { brokerComparisons, brokerDifferences } from '../schema/broker.ts';
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

/** A difference as it was last seen, with how its market was compared since. */
export type StandingDifference = Readonly<typeof brokerDifferences.$inferSelect> & {
  readonly comparedAt: number | null;
  readonly failingSince: number | null;
};

/** The primary key of a difference. */
export interface DifferencePlace {
  readonly market: string;
  readonly kind: BrokerDifference['kind'];
  readonly orderId: string;
}

/** Differences of all markets, or of one, by market. */
export function listBrokerDifferences(
  db: Database,
  {
    market,
    after,
    limit,
  }: { readonly market: string | null; readonly after: DifferencePlace | null; readonly limit: number },
): Promise<StandingDifference[]> {
  const of = brokerDifferences;
  return db
    .select({
      market: of.market,
      kind: of.kind,
      orderId: of.orderId,
      detail: of.detail,
      firstSeenAt: of.firstSeenAt,
      lastSeenAt: of.lastSeenAt,
      comparedAt: brokerComparisons.comparedAt,
      failingSince: brokerComparisons.failingSince,
    })
    .from(of)
    .leftJoin(brokerComparisons, eq(brokerComparisons.market, of.market))
    .where(
      and(
        market === null ? undefined : eq(of.market, market),
        after === null
          ? undefined
          : sql`(${of.market}, ${of.kind}, ${of.orderId}) > (${after.market}, ${after.kind}, ${after.orderId})`,
      ),
    )
    .orderBy(asc(of.market), asc(of.kind), asc(of.orderId))
    .limit(limit);
}
