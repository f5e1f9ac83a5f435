import { sql } from 'drizzle-orm';
import type { Database } from './database.ts';

/** Quote units that the account has paid for assets under Regulation Crowdfunding since a time (17 CFR 227.100(a)(2)). */
export async function readRegCfPurchases(
  db: Database,
  { account, quoteAsset, since }: { readonly account: string; readonly quoteAsset: string; readonly since: number },
): Promise<number> {
  const [row] = await db.all<{ paid: number }>(sql`
    SELECT coalesce(SUM(t.notional), 0) AS paid FROM trades t JOIN assets a ON a.id = t.asset_id
    WHERE t.buyer = ${account} AND t.quote_asset = ${quoteAsset} AND a.regulation = 'reg_cf' AND t.executed_at > ${since}`);
  return row?.paid ?? 0;
}
