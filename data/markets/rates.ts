import { type SQL, sql } from 'drizzle-orm';
import type { VersionedRate } from '../../domain/money/dollar-rate.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import type { Database } from '../database.ts';
import { rates } from '../schema/markets.ts';

/** Of rows of `rates`: that no later one was stated. */
export const isInForce: SQL = sql`${rates.version} = (SELECT max(later.version) FROM rates later WHERE later.asset = ${rates.asset})`;

/** What is stated of an asset, with what it is counted in. */
export interface RateRow extends VersionedRate {
  readonly assetId: string;
  readonly symbol: string;
  readonly assetScale: number;
  readonly dollarScale: number;
  /** Unix milliseconds. */
  readonly statedAt: number;
}

/** Every rate in force, by symbol. The ledger bounds how many there are. */
export function listRates(db: Database): Promise<RateRow[]> {
  return db.all<RateRow>(sql`${CURRENT} ORDER BY a.symbol`);
}

/** The rate of an asset that is in force, or null. */
export async function findRate(db: Database, assetId: string): Promise<RateRow | null> {
  const [row] = await db.all<RateRow>(sql`${CURRENT} AND rates.asset = ${assetId}`);
  return row ?? null;
}

const CURRENT = sql`
  SELECT a.id AS assetId, a.symbol, a.scale AS assetScale, cash.scale AS dollarScale, rates.version, rates.numerator,
         rates.denominator, rates.stated_at AS statedAt
  FROM rates JOIN assets a ON a.id = rates.asset JOIN assets cash ON cash.symbol = ${CASH_SYMBOL}
  WHERE ${isInForce}`;
