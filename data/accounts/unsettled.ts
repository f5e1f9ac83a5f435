import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { CalendarDate } from '../../domain/calendar/calendar-date.ts';
import type { UnsettledKind } from '../../domain/ledger/unsettled.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import { unsettledSums } from '../schema/ledger.ts';

/** US dollars of an account's sales that wait to settle, scaled. */
export async function readUnsettledCash(db: Database, account: string): Promise<number> {
  const row = await db
    .select({ amount: sql<number>`coalesce(sum(${unsettledSums.amount}), 0)` })
    .from(unsettledSums)
    .innerJoin(assets, and(eq(assets.id, unsettledSums.asset), eq(assets.symbol, CASH_SYMBOL)))
    .where(and(eq(unsettledSums.account, account), eq(unsettledSums.kind, 'cash')))
    .get();
  return row?.amount ?? 0;
}

/** Shares of an account that wait to settle, by asset. */
export async function readUnsettledShares(db: Database, account: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ asset: unsettledSums.asset, amount: sql<number>`sum(${unsettledSums.amount})` })
    .from(unsettledSums)
    .where(and(eq(unsettledSums.account, account), eq(unsettledSums.kind, 'shares')))
    .groupBy(unsettledSums.asset);
  return new Map(rows.map(({ asset, amount }) => [asset, amount]));
}

/** What all accounts together wait for on a day. */
export interface DueRow {
  readonly settlesOn: CalendarDate;
  readonly assetId: string;
  readonly symbol: string;
  readonly kind: UnsettledKind;
  readonly accounts: number;
  readonly amount: number;
  readonly scale: number;
}

/** What waits to settle, the earliest day first, by day, asset and kind. */
export function listDue(db: Database, limit: number): Promise<DueRow[]> {
  const { settlesOn, asset, kind, amount } = unsettledSums;
  return db
    .select({
      settlesOn,
      assetId: asset,
      symbol: assets.symbol,
      kind,
      accounts: sql<number>`count(*)`,
      amount: sql<number>`sum(${amount})`,
      scale: assets.scale,
    })
    .from(unsettledSums)
    .innerJoin(assets, eq(assets.id, asset))
    .where(gt(amount, 0))
    .groupBy(settlesOn, asset, kind)
    .orderBy(asc(settlesOn), asc(assets.symbol), asc(kind))
    .limit(limit);
}
