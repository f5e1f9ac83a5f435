import { type SQL, sql } from 'drizzle-orm';
import { BOUNDARY_ACCOUNT } from '../domain/ledger/boundary-accounts.ts';
import type { Database } from './database.ts';
import { postEntry } from './postings.ts';
import { sqlBatch } from './sql-batch.ts';

/** An allowance given to an account, or (negative amount) taken back from what it has not used (DESIGN 8: limits are balances). */
export interface Grant {
  /** UUIDv7; granting the same id again changes nothing. */
  readonly id: string;
  readonly account: string;
  /** Asset of category `allowance`. */
  readonly asset: string;
  readonly amount: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** What must still hold in the ledger for the grant to be made. */
  readonly when?: SQL;
}

/** `refused`: the account or asset does not exist, `when` does not hold, or less than the amount taken back is available. */
export type GrantOutcome = 'granted' | 'granted_before' | 'refused';

/** Moves an allowance from boundary:limits to the account, whole in one batch. */
export async function grantAllowance(db: Database, grant: Grant): Promise<GrantOutcome> {
  const entry = postEntry({
    id: grant.id,
    kind: 'grant',
    createdAt: grant.createdAt,
    ...(grant.when === undefined ? {} : { when: grant.when }),
    postings: [
      { account: grant.account, asset: grant.asset, amount: grant.amount },
      { account: BOUNDARY_ACCOUNT.limits, asset: grant.asset, amount: -grant.amount },
    ],
  });
  const posted = sql`SELECT id FROM ledger_transactions WHERE id = ${grant.id} AND kind = 'grant'`;
  const results = await sqlBatch(db, [posted, ...entry.open, ...entry.close, posted]);
  if (results[0]?.length === 1) return 'granted_before';
  return results.at(-1)?.length === 1 ? 'granted' : 'refused';
}
