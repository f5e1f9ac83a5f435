import type { BridgeVaultName } from './transactions.ts';

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

export const BRIDGE_PREFIX = 'boundary:bridge:';

/** Of an organization's vault on a chain: what of an asset has come in by it, and not left again, is its balance below 0; it is never above. */
export function bridgeBoundary({ organization, chain }: BridgeVaultName): string {
  return `${BRIDGE_PREFIX}${organization}:${chain}`;
}
