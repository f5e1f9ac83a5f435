import { sql } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { idsFrom } from '../../ids-from.ts';

export interface LookedAtAccount {
  readonly account: string;
  /** Whether it has final orders that are to be archived. */
  readonly due: boolean;
}

/** The next accounts with orders in D1, by id; fewer than `limit` when there are no more. Each is found along the index of orders. */
export async function lookAtAccounts(
  db: Database,
  { after, endedBefore, limit }: { readonly after: string; readonly endedBefore: number; readonly limit: number },
): Promise<LookedAtAccount[]> {
  const rows = await db.all<{ account: string; due: number }>(sql`
    WITH RECURSIVE next(account, number) AS (
      SELECT (SELECT min(account) FROM orders WHERE account > ${after}), 1
      UNION ALL
      SELECT (SELECT min(account) FROM orders WHERE account > next.account), number + 1 FROM next
      WHERE account IS NOT NULL AND number < CAST(${limit} AS INTEGER))
    SELECT n.account, EXISTS (
      SELECT 1 FROM orders o WHERE o.account = n.account AND o.open = 0 AND o.id < ${idsFrom(endedBefore)}
        AND o.updated_at < CAST(${endedBefore} AS INTEGER)) AS due
    FROM next n WHERE n.account IS NOT NULL ORDER BY n.account`);
  return rows.map(({ account, due }) => ({ account, due: due === 1 }));
}
