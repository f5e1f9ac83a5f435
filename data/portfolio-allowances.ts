import { type SQL, sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import type { Database } from './database.ts';
import { grantAllowance } from './grants.ts';

/** What an account may still use of a limit. All amounts are scaled integers of one unit. */
export interface Allowance {
  readonly account: string;
  /** Balance asset that stands for the limit. */
  readonly asset: string;
  /** The limit itself. */
  readonly limit: number;
  /** What counts against it now, as an SQL expression over the settled ledger. */
  readonly used: SQL;
}

/** Other changes of the same balance that an alignment gives way to before it gives up. */
const ATTEMPTS_MAX = 5;

/**
 * Brings an allowance's balance, available and held together, to limit − used: grants what has become free, takes back what no
 * longer is, as far as no open order holds it. The grant is made only if balance and use are still those it was worked out from, so
 * that two at once never give twice.
 */
export async function alignAllowance(
  db: Database,
  { account, asset, limit, used }: Allowance,
  now: number,
): Promise<void> {
  const available = sql`coalesce((SELECT available FROM balances WHERE account = ${account} AND asset = ${asset}), 0)`;
  const held = sql`coalesce((SELECT held FROM balances WHERE account = ${account} AND asset = ${asset}), 0)`;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const [found] = await db.all<{ available: number; held: number; used: number }>(
      sql`SELECT ${available} AS available, ${held} AS held, ${used} AS used`,
    );
    if (found === undefined) return;
    const wanted = Math.max(0, limit - found.used) - found.available - found.held;
    const amount = Math.max(wanted, -found.available);
    if (amount === 0) return;
    const outcome = await grantAllowance(db, {
      id: uuidv7(),
      account,
      asset,
      amount,
      createdAt: now,
      when: sql`${available} = ${found.available} AND ${held} = ${found.held} AND ${used} = ${found.used}`,
    });
    if (outcome === 'granted') return;
  }
}

/** Quote units that the account has paid for assets under Regulation Crowdfunding since a time (17 CFR 227.100(a)(2)). */
export function regCfPurchases(account: string, quoteAsset: string, since: number): SQL {
  return sql`(SELECT coalesce(SUM(t.notional), 0) FROM trades t JOIN assets a ON a.id = t.asset_id
    WHERE t.buyer = ${account} AND t.quote_asset = ${quoteAsset} AND a.regulation = 'reg_cf' AND t.executed_at > ${since})`;
}

/** What the account holds of an asset. */
export function positionIn(account: string, asset: string): SQL {
  return sql`coalesce((SELECT available + held FROM balances WHERE account = ${account} AND asset = ${asset}), 0)`;
}
