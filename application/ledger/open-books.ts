import { askLedger } from './ask-ledger.ts';
import type { LedgerEnv } from './ledger-env.ts';

/** Books in which the account has open orders, by the ledger: D1 may not show the newest. Null when the ledger is out of reach. */
export function openBooks(env: LedgerEnv, account: string): Promise<string[] | null> {
  return askLedger(env, (ledger) => ledger.openBooks(account));
}
