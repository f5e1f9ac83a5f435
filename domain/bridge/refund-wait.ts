import type { Vault } from './chains/chain-adapter.ts';
import { refundsFromDeposit } from './chains/refunds-from-deposit.ts';

/**
 * How long a refund waits to be signed until another reference takes its place (`refund_ms` of TransferRules); null where it has no other.
 *
 * @param source null where the ledger gives it back
 */
export function refundWait(source: Pick<Vault, 'chain' | 'custody'> | null, answer_ms: number): number | null {
  return source === null || refundsFromDeposit(source) ? null : answer_ms;
}
