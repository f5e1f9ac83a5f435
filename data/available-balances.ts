import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from './database.ts';
import { balances } from './schema.ts';

/** What an account has available of each of these assets, by asset id; 0 of those it has none of. */
export async function readAvailable(
  db: Database,
  account: string,
  assetIds: readonly string[],
): Promise<(assetId: string) => number> {
  const rows = await db
    .select({ asset: balances.asset, available: balances.available })
    .from(balances)
    .where(and(eq(balances.account, account), inArray(balances.asset, [...assetIds])));
  const available = new Map(rows.map((row) => [row.asset, row.available]));
  return (assetId) => available.get(assetId) ?? 0;
}
