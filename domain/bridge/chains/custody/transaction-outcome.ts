import type { CustodyTransaction } from './custody-api.ts';

/**
 * What a transaction has come to, as far as it can be told from what the provider says.
 *
 * - `completed`: it is on the chain, with the confirmations that it has.
 * - `dead`: it was never signed, and never will be.
 * - `open`: anything else. It may still reach the chain, also where the provider gave it up after it had signed: one that is out is not called back.
 */
export type TransactionOutcome = 'completed' | 'dead' | 'open';

/** Held back by people, who may let it go on. */
const HELD = new Set(['AUTO_FREEZE', 'FROZEN_MANUALLY', 'REJECTED_AML_SCREENING']);

/** Of `FAILED`: what the provider finds before its keys sign. */
const FAILED_UNSIGNED = new Set([
  'ADDRESS_WHITELISTING_SUSPENDED',
  'AMOUNT_TOO_SMALL',
  'AUTHORIZATION_FAILED',
  'AUTHORIZER_NOT_FOUND',
  'BLOCKED_BY_POLICY',
  'ENV_UNSUPPORTED_ASSET',
  'ERROR_UNSUPPORTED_TRANSACTION_TYPE',
  'FAIL_ON_LOW_FEE',
  'INSUFFICIENT_FUNDS',
  'INSUFFICIENT_FUNDS_FOR_FEE',
  'INVALID_ADDRESS',
  'MISSING_TAG_OR_MEMO',
  'UNALLOWED_TRANSACTION',
]);

export function outcomeOf({ status, subStatus, txHash }: CustodyTransaction): TransactionOutcome {
  if (status === 'COMPLETED') return 'completed';
  const isOut = txHash !== undefined && txHash !== null && txHash !== '';
  if (isOut) return 'open';
  if (status === 'CANCELLED') return 'dead';
  if (status === 'REJECTED' || status === 'BLOCKED') return HELD.has(subStatus ?? '') ? 'open' : 'dead';
  return status === 'FAILED' && FAILED_UNSIGNED.has(subStatus ?? '') ? 'dead' : 'open';
}
