import { WORD_FAULTS } from './judge-word.ts';

/** What a signer was seen doing wrong: a word that does not count, two words on one thing, or a share, nonces or a signature that fit nothing. */
export const FAULT_REASONS = [...WORD_FAULTS, 'contradiction', 'wrong_share'] as const;
export type FaultReason = (typeof FAULT_REASONS)[number];

/** One fault of one signer in one transfer. */
export interface SignerFault {
  readonly signer: number;
  readonly reason: FaultReason;
  /** When it was seen first, Unix ms. */
  readonly at: number;
}

/** Faults with one more; of each signer each stands once. */
export function noteFault(faults: readonly SignerFault[], fault: SignerFault): readonly SignerFault[] {
  const isKnown = faults.some(({ signer, reason }) => signer === fault.signer && reason === fault.reason);
  return isKnown ? faults : [...faults, fault];
}
