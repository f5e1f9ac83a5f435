import { and, eq } from 'drizzle-orm';
import { bridgeBoundary } from '../../domain/ledger/boundary-accounts.ts';
import type { BridgeVaultName } from '../../domain/ledger/transactions.ts';
import type { Database } from '../database.ts';
import { ledgerTransactions } from '../schema/ledger.ts';

/** What an account has got by a vault under this id, or, below 0, what has left it; scaled integer. Null for nothing, as far as D1 shows the ledger. */
export async function findBridgeMovement(
  db: Database,
  {
    id,
    account,
    asset,
    vault,
  }: { readonly id: string; readonly account: string; readonly asset: string; readonly vault: BridgeVaultName },
): Promise<number | null> {
  const row = await db
    .select({ amount: ledgerTransactions.amount })
    .from(ledgerTransactions)
    .where(
      and(
        eq(ledgerTransactions.id, id),
        eq(ledgerTransactions.kind, 'bridge'),
        eq(ledgerTransactions.account, account),
        eq(ledgerTransactions.asset, asset),
        eq(ledgerTransactions.boundary, bridgeBoundary(vault)),
      ),
    )
    .get();
  return row?.amount ?? null;
}
