import { eq } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { accounts, transfers } from '../schema/accounts.ts';
import { assets } from '../schema/catalog.ts';
import { ledgerTransactions } from '../schema/ledger.ts';

export type TransferRow = typeof transfers.$inferSelect;

/** What a transfer must know before it is made. */
export interface TransferContext {
  /** The transfer that stands under its id. */
  readonly made: TransferRow | null;
  /** Whether the id stands for some ledger transaction. */
  readonly isIdTaken: boolean;
  readonly accountExists: boolean;
  /** Null where the asset does not exist. */
  readonly tracksLots: boolean | null;
}

export async function readTransferContext(
  db: Database,
  { id, account, asset }: { readonly id: string; readonly account: string; readonly asset: string },
): Promise<TransferContext> {
  const [made, taken, holder, held] = await db.batch([
    db.select().from(transfers).where(eq(transfers.id, id)),
    db.select({ id: ledgerTransactions.id }).from(ledgerTransactions).where(eq(ledgerTransactions.id, id)),
    db.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, account)),
    db.select({ tracksLots: assets.tracksLots }).from(assets).where(eq(assets.id, asset)),
  ]);
  return {
    made: made[0] ?? null,
    isIdTaken: taken.length > 0,
    accountExists: holder.length > 0,
    tracksLots: held[0]?.tracksLots ?? null,
  };
}

/** The transfer under this id, or null. */
export async function findTransfer(db: Database, id: string): Promise<TransferRow | null> {
  return (await db.select().from(transfers).where(eq(transfers.id, id)).get()) ?? null;
}
