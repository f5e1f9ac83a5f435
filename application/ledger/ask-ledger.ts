import { type LedgerApi, ledgerOf } from '../../durable-objects/ledger/api.ts';
import { log } from '../../durable-objects/log/log.ts';
import type { LedgerEnv } from './ledger-env.ts';

/** Calls on a lost object, the first included, and the wait before the second; it doubles each time. */
const ATTEMPTS_MAX = 4;
const BACKOFF_MS = 40;

/** An answer that takes longer than this, the ledger's own waits included, does not come any more. */
const ANSWER_WAIT_MS = 10_000;

/**
 * Asks the ledger; the same again on a fresh stub when the object is lost in between (a deployment restarts objects). Null when it
 * stays out of reach, or neither answers nor fails: what a transaction came to is then unknown.
 *
 * @param wait_ms for an answer that walks the whole ledger
 */
export async function askLedger<T extends NonNullable<unknown>>(
  env: LedgerEnv,
  ask: (ledger: LedgerApi) => Promise<T>,
  wait_ms = ANSWER_WAIT_MS,
): Promise<T | null> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, BACKOFF_MS * 2 ** (attempt - 1)));
    try {
      const answer = await within(wait_ms, ask(ledgerOf(env)));
      if (answer !== SILENT) return answer;
      warn(attempt, `no answer within ${wait_ms / 1_000} s`);
      return null;
    } catch (error) {
      warn(attempt, error instanceof Error ? error.message : String(error));
    }
  }
  return null;
}

const SILENT = Symbol('no answer');

function within<T>(wait_ms: number, answer: Promise<T>): Promise<T | typeof SILENT> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(SILENT), wait_ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function warn(attempt: number, reason: string): void {
  log('warn', 'the ledger did not answer', { attempt, reason });
}
