import { askLedger } from './ask-ledger.ts';
import type { LedgerEnv } from './ledger-env.ts';

/** Waits until D1 shows everything that the ledger knows now. False when it does not in time, or the ledger is out of reach. */
export async function projected(env: LedgerEnv): Promise<boolean> {
  return (await askLedger(env, (ledger) => ledger.projected())) ?? false;
}
