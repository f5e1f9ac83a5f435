import { sql } from 'drizzle-orm';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { tradeEventId } from '../../domain/partner/trade-event-id.ts';
import type { Database } from '../database.ts';
import { findMarkets } from '../markets/markets.ts';
import { sqlBatch } from '../sql-batch.ts';
import { listed } from '../webhooks/subscriptions.ts';

/** For so long after its trade was corrected, or has settled as corrected, a settlement is looked at: jobs that were away for less lose nothing. */
const LOOKED_BACK_MS = 3 * DAY_MS;
/** Corrections are operators' acts, one by one: of more in three days the newest are looked at. */
const LOOKED_AT_MAX = 5_000;

interface Corrected {
  readonly id: string;
  readonly security: string;
  readonly book: string;
  readonly status: string;
  readonly tx: string | null;
  /** Id of the correction. */
  readonly correction: string;
  readonly price: number;
  readonly notional: number;
  readonly reason: string;
  readonly createdAt: number;
}

/**
 * Tells of trades that were corrected once they have settled: with the status, which stays, and what the trade stands at. The event's id follows from trade and correction, so it is told once. Of these trades, or of all.
 *
 * @returns how many were told of
 */
export async function tellCorrections(
  db: Database,
  trades: readonly string[] | null,
  now: number,
  count: number,
): Promise<number> {
  const isMeant = trades === null ? sql`TRUE` : sql`p.id IN ${listed(trades)}`;
  const found = await db.all<Corrected>(sql`
    SELECT p.id, p.security, p.book, p.status, (SELECT r.tx FROM chain_records r WHERE r.id = p.id) AS tx,
      a.id AS correction, a.price, a.notional, a.reason, a.created_at AS createdAt
    FROM trade_adjustments a CROSS JOIN partner_settlements p ON p.id = a.trade_id
    WHERE a.type = 'correction' AND p.status = 'SETTLED' AND max(a.created_at, coalesce(p.settled_at, 0)) >= CAST(${now - LOOKED_BACK_MS} AS INTEGER) AND ${isMeant}
    ORDER BY a.sequence DESC LIMIT CAST(${LOOKED_AT_MAX} AS INTEGER)`);
  if (found.length === 0) return 0;
  const events = found.map((row) => ({
    row,
    event: tradeEventId(row.id, `settlement.finalized:correction:${row.correction}`),
  }));
  const known = await db.all<{ id: string }>(
    sql`SELECT id FROM domain_events WHERE id IN ${listed(events.map(({ event }) => event))}`,
  );
  const told = new Set(known.map(({ id }) => id));
  const untold = events.filter(({ event }) => !told.has(event)).slice(0, count);
  if (untold.length === 0) return 0;
  const markets = await findMarkets(db, [...new Set(untold.map(({ row }) => row.book))]);
  const rows = untold.map(({ row, event }) => {
    const market = markets.get(row.book);
    if (market === undefined) throw new Error(`trade ${row.id} has no market`);
    const adjustment = {
      type: 'correction',
      price_per_share: fromScaled(row.price, market.priceScale),
      gross_trade_amount: fromScaled(row.notional, market.quoteScale),
      reason: row.reason,
      adjusted_at: new Date(row.createdAt).toISOString(),
    };
    const payload = JSON.stringify({ trade_id: row.id, status: row.status, tx_hash: row.tx, adjustment });
    return { event, security: row.security, payload };
  });
  await sqlBatch(db, [
    sql`
      INSERT INTO domain_events (id, type, subject, payload, created_at)
      SELECT e.value ->> 'event', 'settlement.finalized', e.value ->> 'security', e.value ->> 'payload', ${now}
      FROM json_each(${JSON.stringify(rows)}) AS e WHERE true ON CONFLICT DO NOTHING`,
  ]);
  return untold.length;
}
