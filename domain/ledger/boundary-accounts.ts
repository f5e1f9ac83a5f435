/** Accounts through which money, assets and allowances enter and leave (DESIGN 7). They alone may be negative. */
export const BOUNDARY_ACCOUNT = {
  deposits: 'boundary:deposits',
  withdrawals: 'boundary:withdrawals',
  fees: 'boundary:fees',
  limits: 'boundary:limits',
  brokerClearing: 'boundary:broker-clearing',
  primeClearing: 'boundary:prime-clearing',
} as const;
