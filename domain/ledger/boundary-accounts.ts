/**
 * Accounts through which money, assets and allowances enter and leave. They alone may be negative
 * (docs/design/ledger.md#boundary-accounts).
 */
export const BOUNDARY_ACCOUNT = {
  deposits: 'boundary:deposits',
  withdrawals: 'boundary:withdrawals',
  fees: 'boundary:fees',
  limits: 'boundary:limits',
  brokerClearing: 'boundary:broker-clearing',
  /** The other side of every share that an issuer has outstanding. */
  issuance: 'boundary:issuance',
  /** Shares of registered holders who have no account; never negative. */
  register: 'boundary:register',
  /** Cash on its way from a payer to holders; never negative. */
  distributions: 'boundary:distributions',
  primeClearing: 'boundary:prime-clearing',
} as const;
