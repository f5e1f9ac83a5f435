import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { listBooksWithOpenOrders } from './orders.ts';
import { readDailyLoss } from './portfolio-trading.ts';
import { apiKeys } from './schema.ts';

/** An API key that has lost as much today as its limit allows, and the books in which its account has open orders. */
export interface BreachedKey {
  readonly account: string;
  readonly keyId: string;
  readonly books: readonly string[];
}

/** Which keys of these accounts have reached their daily loss limit by what has settled. */
export async function findBreachedKeys(
  db: Database,
  accounts: Iterable<string>,
  now: number,
): Promise<readonly BreachedKey[]> {
  const limited = await db
    .select({ keyId: apiKeys.id, account: apiKeys.account, dailyLossMax: apiKeys.dailyLossMax })
    .from(apiKeys)
    .where(
      and(
        sql`${apiKeys.account} IN (SELECT value FROM json_each(${JSON.stringify([...accounts])}))`,
        eq(apiKeys.status, 'active'),
        isNotNull(apiKeys.dailyLossMax),
      ),
    );
  const breached: BreachedKey[] = [];
  for (const { keyId, account, dailyLossMax } of limited) {
    const { loss } = await readDailyLoss(db, { account, keyId }, now);
    if (loss === 0 || dailyLossMax === null || loss < dailyLossMax) continue;
    const books = await listBooksWithOpenOrders(db, account);
    if (books.length > 0) breached.push({ account, keyId, books });
  }
  return breached;
}
