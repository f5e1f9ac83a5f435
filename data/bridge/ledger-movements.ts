import { and, eq } from 'drizzle-orm';
import { referenceOfTransfer } from '../../domain/accounts/reference-of-transfer.ts';
import type { MovementName } from '../../domain/bridge/ledger-movement.ts';
import { bridgeBoundary } from '../../domain/ledger/boundary-accounts.ts';
import type { BridgeVaultName } from '../../domain/ledger/transactions.ts';
import type { Database } from '../database.ts';
import { transfers } from '../schema/accounts.ts';
import { ledgerTransactions } from '../schema/ledger.ts';

export interface WantedMovement extends MovementName {
  readonly account: string;
  readonly asset: string;
  readonly vault: BridgeVaultName;
}

/** What an account has got by a vault for a transfer, or, below 0, what has left it; scaled integer. Null for nothing, as far as D1 shows the ledger. */
export async function findBridgeMovement(db: Database, wanted: WantedMovement): Promise<number | null> {
  const { id, transfer, commitment, account, asset, vault } = wanted;
  const row = await db
    .select({ amount: ledgerTransactions.amount, commitment: ledgerTransactions.commitment })
    .from(ledgerTransactions)
    .innerJoin(transfers, eq(transfers.id, ledgerTransactions.id))
    .where(
      and(
        eq(ledgerTransactions.id, id),
        eq(ledgerTransactions.kind, 'bridge'),
        eq(ledgerTransactions.account, account),
        eq(ledgerTransactions.asset, asset),
        eq(ledgerTransactions.boundary, bridgeBoundary(vault)),
        eq(transfers.reference, referenceOfTransfer(transfer)),
      ),
    )
    .get();
  return row === undefined || row.commitment !== commitment ? null : row.amount;
}
