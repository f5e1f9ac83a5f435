/** Bindings that the ledger and its doors need. */
export type LedgerEnv = Pick<Env, 'DB' | 'LEDGER' | 'ORDER_BOOK' | 'ORDER_ARCHIVE'>;
