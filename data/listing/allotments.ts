import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { AllotmentOutcome } from '../../domain/listing/listing-state.ts';
import type { Database } from '../database.ts';
import { listParts } from '../list-parts.ts';
import { listingAllotments } from '../schema/listing.ts';
import { sqlBatch } from '../sql-batch.ts';

export type AllotmentRow = typeof listingAllotments.$inferSelect;
export type NewAllotment = Omit<AllotmentRow, 'event' | 'position'>;

/** Rows of one statement: their JSON stays well below what D1 takes as one value. */
const ROWS_PER_STATEMENT = 2_000;
const CHANGES_PER_STATEMENT = 10_000;

/**
 * Writes what each indication gets, in order of arrival, and moves the event from `offered` to `allotted`, in one batch: of two runs at once
 * one alone does.
 */
export async function recordAllotments(
  db: Database,
  event: string,
  allotments: readonly NewAllotment[],
  now: number,
): Promise<void> {
  const inserts: SQL[] = [];
  const positioned = allotments.map((allotment, position) => ({ position, ...allotment }));
  for (const rows of listParts(positioned, ROWS_PER_STATEMENT)) {
    inserts.push(sql`
      INSERT INTO listing_allotments (event, position, order_id, account, quantity, price, allotted, outcome, rule, code)
      SELECT ${event}, value ->> 'position', value ->> 'orderId', value ->> 'account', value ->> 'quantity', value ->> 'price',
             value ->> 'allotted', value ->> 'outcome', value ->> 'rule', value ->> 'code'
      FROM json_each(${JSON.stringify(rows)})
      WHERE EXISTS (SELECT 1 FROM listing_events WHERE id = ${event} AND state = 'offered')`);
  }
  const move = sql`UPDATE listing_events SET state = 'allotted', updated_at = ${now} WHERE id = ${event} AND state = 'offered'`;
  await sqlBatch(db, [...inserts, move]);
}

/** The next indications that are to turn firm, in order of arrival. */
export function listPendingAllotments(db: Database, event: string, limit: number): Promise<AllotmentRow[]> {
  return db
    .select()
    .from(listingAllotments)
    .where(and(eq(listingAllotments.event, event), eq(listingAllotments.outcome, 'pending')))
    .orderBy(asc(listingAllotments.position))
    .limit(limit);
}

/** What became of one that was to turn firm. */
export interface AllotmentResult extends Pick<AllotmentRow, 'position' | 'rule' | 'code'> {
  readonly outcome: AllotmentOutcome;
}

/** Writes down what became of them. The first word stands, but that what turned firm did: another run may have found it sooner refused. */
export async function recordResults(db: Database, event: string, results: readonly AllotmentResult[]): Promise<void> {
  await sqlBatch(db, [
    sql`UPDATE listing_allotments SET outcome = value ->> 'outcome', rule = value ->> 'rule', code = value ->> 'code'
        FROM json_each(${JSON.stringify(results)})
        WHERE event = ${event} AND position = value ->> 'position'
          AND (outcome = 'pending' OR (outcome = 'failed' AND value ->> 'outcome' = 'converted'))`,
  ]);
}

/** Allots other numbers of shares to those that have not turned firm, while the event is at that. */
export async function changeAllotments(
  db: Database,
  event: string,
  changed: readonly Pick<AllotmentRow, 'position' | 'allotted'>[],
): Promise<void> {
  if (changed.length === 0) return;
  await sqlBatch(
    db,
    listParts(changed, CHANGES_PER_STATEMENT).map(
      (part) => sql`
        UPDATE listing_allotments SET allotted = value ->> 'allotted', outcome = 'pending', rule = NULL, code = NULL
        FROM json_each(${JSON.stringify(part)})
        WHERE event = ${event} AND position = value ->> 'position' AND outcome IN ('pending', 'not_allotted')
          AND EXISTS (SELECT 1 FROM listing_events WHERE id = ${event} AND state = 'allotted')`,
    ),
  );
}

/** How many indications came to an outcome, and the shares that they were allotted. */
export interface OutcomeSum {
  readonly outcome: AllotmentOutcome;
  readonly indications: number;
  readonly allotted: number;
}

export function sumAllotments(db: Database, event: string): Promise<OutcomeSum[]> {
  return db
    .select({
      outcome: listingAllotments.outcome,
      indications: sql<number>`count(*)`,
      allotted: sql<number>`sum(${listingAllotments.allotted})`,
    })
    .from(listingAllotments)
    .where(eq(listingAllotments.event, event))
    .groupBy(listingAllotments.outcome);
}

/** A page of the report, in order of arrival. */
export function listAllotments(
  db: Database,
  event: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<AllotmentRow[]> {
  return db
    .select()
    .from(listingAllotments)
    .where(and(eq(listingAllotments.event, event), gt(listingAllotments.position, after)))
    .orderBy(asc(listingAllotments.position))
    .limit(limit);
}
