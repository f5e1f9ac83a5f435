import { type SQL, sql } from 'drizzle-orm';
import { BOUNDARY_ACCOUNT } from '../../domain/ledger/boundary-accounts.ts';
import type { Database } from '../database.ts';

/** Whether somebody holds an asset (more has come in than has gone out), or it was ever traded. */
export async function isAssetInUse(db: Database, id: string): Promise<boolean> {
  const row = await db.get<{ inUse: number }>(sql`SELECT ${assetInUse(id)} AS inUse`);
  return row?.inUse === 1;
}

/** The same as a condition of a statement. */
export function assetInUse(id: string): SQL {
  const { deposits, withdrawals, issuance } = BOUNDARY_ACCOUNT;
  return sql`(
    (SELECT coalesce(SUM(available), 0) FROM balances WHERE account IN (${deposits}, ${withdrawals}, ${issuance}) AND asset = ${id}) <> 0
    OR EXISTS (SELECT 1 FROM markets m
               WHERE m.base_asset = ${id} AND EXISTS (SELECT 1 FROM trades t WHERE t.book = m.symbol)))`;
}
