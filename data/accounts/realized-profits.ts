import { sql } from 'drizzle-orm';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import type { Database } from '../database.ts';

/** What sales of one asset for cash have realised in all: proceeds after fees less what the shares had cost, as the trades stand. */
export interface RealizedProfit {
  readonly assetId: string;
  readonly symbol: string;
  /** Units of cash, below 0 for a loss. */
  readonly profit: number;
  readonly cashScale: number;
  /** Whether sales are left out: nobody knows what their shares had cost, or they were for another currency. */
  readonly isPartial: boolean;
}

/** Of every asset that the account has sold, by symbol: as many as it may have balances of at most. */
export async function listRealizedProfits(db: Database, account: string): Promise<RealizedProfit[]> {
  const rows = await db.all<Omit<RealizedProfit, 'isPartial'> & { isPartial: number }>(sql`
    SELECT a.id AS assetId, a.symbol, cash.scale AS cashScale,
           coalesce((SELECT profit FROM realized_profits WHERE account = ${account} AND asset = a.id AND quote_asset = cash.id), 0) AS profit,
           EXISTS (SELECT 1 FROM trades WHERE seller = ${account} AND asset_id = a.id AND seller_cost IS NULL)
           OR EXISTS (SELECT 1 FROM realized_profits WHERE account = ${account} AND asset = a.id AND quote_asset <> cash.id) AS isPartial
    FROM (SELECT asset FROM realized_profits WHERE account = ${account}
          UNION SELECT asset_id FROM trades WHERE seller = ${account} AND seller_cost IS NULL) sold
    JOIN assets a ON a.id = sold.asset JOIN assets cash ON cash.symbol = ${CASH_SYMBOL}
    ORDER BY a.symbol`);
  return rows.map((row) => ({ ...row, isPartial: row.isPartial === 1 }));
}
