import { and, eq, ne } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { assets, balances } from '../schema.ts';

/** Scaled by the asset's scale. */
export interface BalanceRecord {
  readonly symbol: string;
  readonly scale: number;
  readonly available: number;
  readonly held: number;
}

/** What the account owns, by symbol. Allowances and position limits are balances too, but nobody's property, and left out. */
export async function listBalancesOf(db: Database, account: string): Promise<BalanceRecord[]> {
  return db
    .select({ symbol: assets.symbol, scale: assets.scale, available: balances.available, held: balances.held })
    .from(balances)
    .innerJoin(assets, eq(assets.id, balances.asset))
    .where(and(eq(balances.account, account), ne(assets.category, 'allowance')))
    .orderBy(assets.symbol);
}
