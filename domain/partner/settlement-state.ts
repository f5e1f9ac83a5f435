import type { TransferState } from '../register/transfer-state.ts';

/**
 * What becomes of the settlement of a trade (docs/design/partner.md#settlements). The ledger has moved when a trade is recorded, so nothing of it can fail
 * here: `recorded` and `FAILED` are of the chain.
 */
export const SETTLEMENT_STATUSES = ['pending', 'recorded', 'SETTLED', 'FAILED', 'REVERSED'] as const;

export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];

export type FinalizedStatus = Exclude<SettlementStatus, 'pending' | 'recorded'>;

/** What a settlement goes by. */
export interface SettlementFacts {
  /** The ledger has taken the trade back, for the agent who has rejected its transfer or for an operator. */
  readonly isTakenBack: boolean;
  /** Of the transfer instruction of the trade; null where there is none. */
  readonly transfer: TransferState | null;
  /** An agent keeps the register of the security: the instruction of the trade is made, or will be. */
  readonly hasAgent: boolean;
}

/** The status that follows, or null while it stays. One that has settled without an agent, or was completed by one, may still be taken back. */
export function settlementStatusAfter(status: SettlementStatus, facts: SettlementFacts): FinalizedStatus | null {
  if (status === 'FAILED' || status === 'REVERSED') return null;
  if (facts.isTakenBack) return 'REVERSED';
  if (status === 'SETTLED') return null;
  if (facts.transfer === null) return facts.hasAgent ? null : 'SETTLED';
  return facts.transfer === 'completed' ? 'SETTLED' : null;
}
