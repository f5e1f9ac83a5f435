import type { LedgerApi } from '../../durable-objects/ledger/api.ts';
import { type LedgerEnv, ledgerOf } from './ledger-of.ts';

/** Calls on a lost object, the first included, and the wait before the second; it doubles each time. */
const ATTEMPTS_MAX = 4;
const BACKOFF_MS = 40;

/**
 * Asks the ledger; the same again on a fresh stub when the object is lost in between (a deployment restarts objects). Null when it
 * stays out of reach: what a transaction came to is then unknown.
 */
export async function askLedger<T extends NonNullable<unknown>>(
  env: LedgerEnv,
  ask: (ledger: LedgerApi) => Promise<T>,
): Promise<T | null> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, BACKOFF_MS * 2 ** (attempt - 1)));
    try {
      return await ask(ledgerOf(env));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      console.warn(JSON.stringify({ level: 'warn', what: 'the ledger did not answer', attempt, reason }));
    }
  }
  return null;
}
