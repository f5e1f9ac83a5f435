import { type SQL, sql } from 'drizzle-orm';
import type { RoundedUp } from '../../../domain/corporate-actions/rounded-up.ts';
import type { SplitRatio } from '../../../domain/ledger/split-units.ts';
import type { MarketStatus } from '../../../domain/markets/market.ts';
import type { ConversionOrigin } from '../../../domain/register/register-event.ts';
import type { Database } from '../../database.ts';
import { sqlBatch } from '../../sql-batch.ts';
import { NOT_ANNOUNCED, type StagedEvent } from './register-events.ts';
import { waitingReversals } from './reversals.ts';
import { splitUnitsSql } from './split-sql.ts';

/** Lines of one statement. */
const LINES_PER_STATEMENT = 2_000;

interface SplitEvent extends Pick<StagedEvent, 'id' | 'security' | 'hash' | 'actor' | 'createdAt'> {
  readonly type: 'split' | 'merger' | 'conversion';
  readonly ratio: SplitRatio & Partial<ConversionOrigin>;
}

/** Writes the event of a split, or of a merger and of what it converts shares into, without lines: they follow once nothing else changes the register. The same again begins one anew that was given up. */
export async function stageSplit(db: Database, event: SplitEvent): Promise<void> {
  const { id, security, type, hash, ratio, actor, createdAt } = event;
  await sqlBatch(db, [
    sql`
      INSERT INTO register_events (id, security, type, state, hash, ratio, actor, created_at)
      VALUES (${id}, ${security}, ${type}, 'staged', ${hash}, ${JSON.stringify(ratio)}, ${actor}, ${createdAt})
      ON CONFLICT (id) DO UPDATE SET state = 'staged', refusal = NULL, created_at = excluded.created_at
      WHERE register_events.state = 'refused' AND register_events.refusal = ${NOT_ANNOUNCED}`,
  ]);
}

/** What `shares` of a holder come to by the ratio of the event `e`. SQL has whole numbers here: bound ones would not be. */
const SPLIT_SHARES = splitUnitsSql(sql`r.shares`, {
  from: sql`(e.ratio ->> 'from')`,
  to: sql`(e.ratio ->> 'to')`,
  isRoundedUp: sql`e.ratio ->> 'fractions' = 'round_up'`,
});

const holdingsOf = (event: string): SQL => sql`
  register_events e CROSS JOIN register_holdings r ON r.security = e.security AND r.shares > 0
    JOIN register_holders h ON h.id = r.holder
  WHERE e.id = ${event}`;

/** What holders without an account have together, and what that is once each of them is split: exact up to what an asset may have, and above it where it is more. */
export async function registerTotals(
  db: Database,
  event: string,
): Promise<{ readonly from: number; readonly to: number }> {
  const row = await db.get<{ from: number | null; to: number | null }>(sql`
    SELECT sum(r.shares) AS "from", total(${SPLIT_SHARES}) AS "to" FROM ${holdingsOf(event)} AND h.account IS NULL`);
  return { from: row?.from ?? 0, to: row?.to ?? 0 };
}

/** What rounding each registered holder up would add, by a ratio. The rest of a holding times the other side of the ratio has 63 bits. */
export async function roundedUpBy(
  db: Database,
  security: string,
  { from, to }: Pick<SplitRatio, 'from' | 'to'>,
): Promise<RoundedUp> {
  const [parts, times] = [sql`CAST(${from} AS INTEGER)`, sql`CAST(${to} AS INTEGER)`];
  const row = await db.get<RoundedUp>(sql`
    SELECT coalesce(sum(shares), 0) AS units, coalesce(sum((${parts} - shares % ${parts} * ${times} % ${parts}) % ${parts}), 0) AS parts
    FROM register_holdings WHERE security = ${security} AND shares > 0`);
  return row ?? { units: 0, parts: 0 };
}

/**
 * Writes the lines of an announced split, one for each holder whose shares change; those that are there stay. Until it is recorded no holding changes, so
 * whoever goes on with it writes the same.
 */
export async function writeSplitLines(db: Database, event: string): Promise<void> {
  for (;;) {
    const [written] = await sqlBatch(db, [
      sql`
        INSERT INTO register_changes (event, line, security, holder, shares)
        SELECT e.id, (SELECT count(*) FROM register_changes WHERE event = ${event}) + row_number() OVER (ORDER BY r.holder) - 1,
          r.security, r.holder, ${SPLIT_SHARES} - r.shares
        FROM ${holdingsOf(event)} AND e.state = 'announced' AND ${SPLIT_SHARES} <> r.shares
          AND r.holder > coalesce((SELECT max(holder) FROM register_changes WHERE event = ${event}), '')
        ORDER BY r.holder LIMIT ${LINES_PER_STATEMENT}
        ON CONFLICT (event, line) DO NOTHING RETURNING line`,
    ]);
    if ((written?.length ?? 0) < LINES_PER_STATEMENT) return;
  }
}

/** What stands in the way of a split, as D1 shows it. */
export interface SplitObstacles {
  /** Of the security's market; null without one. */
  readonly status: MarketStatus | null;
  readonly market: string | null;
  /** Instructions to the agent that are not final, and reversals that wait. */
  readonly transfers: number;
  /** Shares that open orders and requested withdrawals hold. */
  readonly held: number;
  /** Accounts that are registered with something else than they have. */
  readonly unregistered: number;
}

export async function splitObstacles(db: Database, security: string): Promise<SplitObstacles> {
  const row = await db.get<SplitObstacles>(sql`
    SELECT s.market, m.status,
      (SELECT count(*) FROM transfer_instructions i WHERE i.security = s.id AND i.state IN ('pending', 'acknowledged', 'rejecting'))
        + (SELECT count(*) FROM (${waitingReversals(security)})) AS transfers,
      (SELECT coalesce(sum(held), 0) FROM balances WHERE asset = s.id AND boundary = 0) AS held,
      (SELECT count(*) FROM (
        SELECT account FROM (
          SELECT h.account, r.shares FROM register_holdings r JOIN register_holders h ON h.id = r.holder
          WHERE r.security = s.id AND h.account IS NOT NULL
          UNION ALL SELECT account, -available - held FROM balances WHERE asset = s.id AND boundary = 0)
        GROUP BY account HAVING sum(shares) <> 0)) AS unregistered
    FROM securities s LEFT JOIN markets m ON m.symbol = s.market WHERE s.id = ${security}`);
  return row ?? { market: null, status: null, transfers: 0, held: 0, unregistered: 0 };
}

/** A part of a unit that a holder was left with, for which the issuer pays. */
interface SplitFraction {
  readonly holder: string;
  /** Null for a holder without an account. */
  readonly account: string | null;
  /** Units before the split. */
  readonly units: number;
  /** Of one unit after it, over the `from` of its ratio; above 0. */
  readonly numerator: number;
}

/** Of a recorded split with cash in lieu, by holder id, after the last one of the page before. Of one that rounds up there are none. @internal */
export function listSplitFractions(
  db: Database,
  event: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<SplitFraction[]> {
  return db.all<SplitFraction>(sql`
    SELECT h.id AS holder, h.account, sum(c.shares) AS units,
      (sum(c.shares) % (e.ratio ->> 'from') * (e.ratio ->> 'to')) % (e.ratio ->> 'from') AS numerator
    FROM register_events e CROSS JOIN register_events b
        ON b.security = e.security AND b.state = 'recorded' AND b.sequence < e.sequence
      JOIN register_changes c ON c.event = b.id JOIN register_holders h ON h.id = c.holder
    WHERE e.id = ${event} AND e.state = 'recorded' AND e.ratio ->> 'fractions' = 'cash_in_lieu' AND h.id > ${after ?? ''}
    GROUP BY h.id HAVING numerator > 0 ORDER BY h.id LIMIT ${limit}`);
}
