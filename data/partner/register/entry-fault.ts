import { sql } from 'drizzle-orm';
import { AMOUNT_MAX, COST_MAX } from '../../../domain/ledger/balances.ts';
import { BOUNDARY_ACCOUNT } from '../../../domain/ledger/boundary-accounts.ts';
import type { Database } from '../../database.ts';
import { listParts } from '../../list-parts.ts';
import { sharesInAccounts } from '../actions/merger-actions.ts';
import type { RegisterLine } from './register-events.ts';

const ACCOUNTS_AT_ONCE_MAX = 5_000;

/** Why the ledger would not take what these lines issue, by what D1 shows; null where nothing is known against it. How many lots there may be the ledger alone knows. */
export async function entryFault(
  db: Database,
  security: string,
  lines: readonly RegisterLine[],
): Promise<{ readonly reason: 'has_deposits' | 'balance_too_large' } | null> {
  // What is registered is what is outstanding, and D1 shows it before it shows the balance of the ledger.
  const registered = await db.get<{ shares: number; hasRegister: number }>(sql`
    SELECT coalesce(sum(shares), 0) AS shares, count(*) > 0
      OR EXISTS (SELECT 1 FROM balances WHERE account = ${BOUNDARY_ACCOUNT.issuance} AND asset = ${security}) AS hasRegister
    FROM register_holdings WHERE security = ${security}`);
  if (registered?.hasRegister !== 1 && (await sharesInAccounts(db, security)).shares > 0)
    return { reason: 'has_deposits' };
  const issued = lines.reduce((sum, { shares }) => sum + shares, registered?.shares ?? 0);
  if (issued > AMOUNT_MAX) return { reason: 'balance_too_large' };
  const costs = new Map<string, number>();
  for (const { holder, cost } of lines)
    if (holder.account !== null) costs.set(holder.account, (costs.get(holder.account) ?? 0) + cost);
  for (const part of listParts([...costs], ACCOUNTS_AT_ONCE_MAX)) {
    const above = await db.get(sql`
      SELECT 1 FROM json_each(${JSON.stringify(part)}) j
        LEFT JOIN balances b ON b.account = j.value ->> 0 AND b.asset = ${security}
      WHERE j.value ->> 1 + coalesce(b.cost, 0) > CAST(${COST_MAX} AS INTEGER) LIMIT 1`);
    if (above !== undefined) return { reason: 'balance_too_large' };
  }
  return null;
}
