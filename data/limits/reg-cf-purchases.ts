import { sql } from 'drizzle-orm';
import { inDollarsUp } from '../../domain/money/dollar-rate.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import type { Database } from '../database.ts';

export interface RegCfPurchases {
  /** Units of the venue's dollar, each purchase by the rate at which it settled. */
  readonly paid: number;
  /** Symbol of a currency that something was paid in and no rate was ever stated for; null if nothing was. */
  readonly unrated: string | null;
}

/** What was paid in one currency, at one rate. */
interface Paid {
  readonly quote: string;
  readonly paid: number;
  /** Null for dollars, and where none was ever stated. */
  readonly numerator: number | null;
  readonly denominator: number | null;
}

/**
 * What the account has paid for assets under Regulation Crowdfunding since a time (17 CFR 227.100(a)(2)). A purchase from before the first
 * rate of its currency counts at that first rate.
 */
export async function readRegCfPurchases(
  db: Database,
  { account, since }: { readonly account: string; readonly since: number },
): Promise<RegCfPurchases> {
  const rows = await db.all<Paid>(sql`
    SELECT q.symbol AS quote, r.numerator, r.denominator, SUM(coalesce(d.notional, t.notional)) AS paid
    FROM trades t JOIN assets a ON a.id = t.asset_id JOIN assets q ON q.id = t.quote_asset
    LEFT JOIN trade_adjustments d ON d.trade_id = t.id
    LEFT JOIN rates r ON r.asset = t.quote_asset AND r.version = coalesce(t.rate_version, 1)
    WHERE t.buyer = ${account} AND a.regulation = 'reg_cf' AND t.executed_at > ${since}
    GROUP BY t.quote_asset, r.version`);
  let [paid, unrated]: [number, string | null] = [0, null];
  for (const { quote, paid: amount, numerator, denominator } of rows) {
    if (quote === CASH_SYMBOL) paid += amount;
    else if (numerator === null || denominator === null) unrated = quote;
    else paid += inDollarsUp(amount, { numerator, denominator });
  }
  return { paid, unrated };
}
