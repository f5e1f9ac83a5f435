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
  primeClearing: 'boundary:prime-clearing',
} as const;
