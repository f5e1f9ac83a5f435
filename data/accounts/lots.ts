import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { SoldLot } from '../../domain/resale/resale-rule.ts';
import type { Database } from '../database.ts';
import { lots } from '../schema/ledger.ts';

export type LotRow = typeof lots.$inferSelect;

/** Every lot of an account, oldest first within each asset. */
export function listLots(db: Database, account: string): Promise<LotRow[]> {
  return db
    .select()
    .from(lots)
    .where(and(eq(lots.account, account), gt(lots.quantity, 0)))
    .orderBy(asc(lots.asset), asc(lots.acquiredAt), asc(lots.id));
}

/** What no open sell has reserved of each lot, oldest first: what the next sell would take. */
export function listFreeLots(db: Database, account: string, asset: string): Promise<SoldLot[]> {
  return db
    .select({
      quantity: sql<number>`${lots.quantity} - ${lots.reserved}`,
      restrictionEndsAt: lots.restrictionEndsAt,
      offeringType: lots.offeringType,
    })
    .from(lots)
    .where(and(eq(lots.account, account), eq(lots.asset, asset), gt(lots.quantity, lots.reserved)))
    .orderBy(asc(lots.acquiredAt), asc(lots.id));
}
