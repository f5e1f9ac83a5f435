import { LEDGER_SHARD, type LedgerApi } from '../../durable-objects/ledger/api.ts';

/** Bindings that the ledger and its doors need. */
export type LedgerEnv = Pick<Env, 'DB' | 'LEDGER' | 'ORDER_BOOK' | 'ORDER_ARCHIVE'>;

/**
 * A fresh stub of the ledger. After an exception a stub stays broken, so one is made for every call. The binding's type wraps every
 * value in disposables, which plain data never is; the object implements this interface.
 */
export function ledgerOf(env: LedgerEnv): LedgerApi {
  return env.LEDGER.getByName(LEDGER_SHARD) as unknown as LedgerApi;
}
