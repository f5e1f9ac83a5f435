import { existsSync } from 'node:fs';
import type { LocalLedger } from './local-ledger.ts';
import { PATHS } from './paths.ts';
import { findRunning } from './run-lock.ts';
import { WRANGLER_ENVIRONMENT } from './wrangler-environment.ts';

/**
 * Works on the ledger in .state, which no system may be running on.
 *
 * @throws Error that says what to do when one is, or when there is no ledger yet
 */
export async function onStoppedLedger<Answer>(work: (ledger: LocalLedger) => Promise<Answer>): Promise<Answer> {
  const running = findRunning();
  if (running !== null)
    throw new Error(`The exchange is running on port ${running.port} (process ${running.pid}). Stop it first.`);
  if (!existsSync(PATHS.state)) throw new Error(`There is no ledger in ${PATHS.state} yet: run \`npm start\` first.`);
  Object.assign(process.env, WRANGLER_ENVIRONMENT);
  const { openLocalLedger } = await import('./local-ledger.ts');
  const ledger = await openLocalLedger();
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}
