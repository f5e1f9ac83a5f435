import { sql } from 'drizzle-orm';
import type { Database } from '../../database.ts';

/**
 * The first dividend that keeps a trade from being taken back: its holders are recorded, with the buyer's shares as of the trade, and it stands, or the buyer has
 * kept what it has paid. Null where there is none: then who gets the shares back is who is entitled.
 */
export async function dividendSince(db: Database, trade: string): Promise<string | null> {
  const row = await db.get<{ id: string }>(sql`
    SELECT a.id FROM trades t JOIN markets m ON m.symbol = t.book JOIN corporate_actions a ON a.security = m.base_asset
    WHERE t.id = ${trade} AND a.type = 'dividend' AND a.recorded_at IS NOT NULL AND t.executed_at <= a.record_at
      AND (a.total IS NULL OR a.total + a.external_total > 0)
      AND (a.state NOT IN ('cancelled', 'reversed') OR EXISTS (
        SELECT 1 FROM corporate_action_payments p
        WHERE p.action = a.id AND p.account = t.buyer AND p.state IN ('paid', 'not_returned')))
    ORDER BY a.id LIMIT 1`);
  return row?.id ?? null;
}
