import { sql } from 'drizzle-orm';
import type { Database } from '../database.ts';

export interface RegCfPurchases {
  /** Quote units of the currency that was asked for. */
  readonly paid: number;
  /** Symbol of another currency that something was paid in; null if nothing was. */
  readonly otherCurrency: string | null;
}

/** What the account has paid for assets under Regulation Crowdfunding since a time (17 CFR 227.100(a)(2)). */
export async function readRegCfPurchases(
  db: Database,
  { account, quoteAsset, since }: { readonly account: string; readonly quoteAsset: string; readonly since: number },
): Promise<RegCfPurchases> {
  const [row] = await db.all<RegCfPurchases>(sql`
    SELECT coalesce(SUM(CASE WHEN t.quote_asset = ${quoteAsset} THEN coalesce(d.notional, t.notional) END), 0) AS paid,
           MAX(CASE WHEN t.quote_asset <> ${quoteAsset} THEN q.symbol END) AS otherCurrency
    FROM trades t JOIN assets a ON a.id = t.asset_id JOIN assets q ON q.id = t.quote_asset
    LEFT JOIN trade_adjustments d ON d.trade_id = t.id
    WHERE t.buyer = ${account} AND a.regulation = 'reg_cf' AND t.executed_at > ${since}`);
  return row ?? { paid: 0, otherCurrency: null };
}
