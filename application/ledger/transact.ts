import type { OutcomeOf } from '../../domain/ledger/outcomes.ts';
import type { DoorTransaction } from '../../durable-objects/ledger/api.ts';
import { askLedger } from './ask-ledger.ts';
import type { LedgerEnv } from './ledger-env.ts';

/** The ledger stayed out of reach: the transaction may have been applied. The same one, under the same id, finds out. */
export interface OutcomeUnknown {
  readonly type: 'outcome_unknown';
}

/** Hands a transaction to the ledger, again and unchanged while the object is lost: it is applied once. */
export async function transact<T extends DoorTransaction>(
  env: LedgerEnv,
  transaction: T,
): Promise<OutcomeOf[T['kind']] | OutcomeUnknown> {
  const outcome = await askLedger<OutcomeOf[T['kind']]>(env, (ledger) => ledger.transact(transaction));
  return outcome ?? { type: 'outcome_unknown' };
}
