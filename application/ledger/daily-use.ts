import type { DailyUse, DailyUseQuestion } from '../../durable-objects/ledger/api.ts';
import { askLedger } from './ask-ledger.ts';
import type { LedgerEnv } from './ledger-env.ts';

/** Against what an order of a key under daily limits would be judged now, by the ledger itself; null when it is out of reach. */
export function readDailyUse(env: LedgerEnv, question: DailyUseQuestion): Promise<DailyUse | null> {
  return askLedger(env, (ledger) => ledger.dailyUse(question));
}
