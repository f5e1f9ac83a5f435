/**
 * What becomes of a transfer instruction (docs/design/register.md#transfers). `rejecting`: its trade is being taken back. `reversed`: an operator has
 * taken its trade back, before it was recorded or afterwards.
 */
export const TRANSFER_STATES = ['pending', 'acknowledged', 'rejecting', 'rejected', 'completed', 'reversed'] as const;

export type TransferState = (typeof TRANSFER_STATES)[number];

export type TransferAct = 'acknowledge' | 'reject' | 'complete';

const NEXT: Readonly<Record<TransferAct, Partial<Record<TransferState, TransferState>>>> = {
  acknowledge: { pending: 'acknowledged' },
  reject: { pending: 'rejecting', acknowledged: 'rejecting', rejecting: 'rejecting' },
  complete: { acknowledged: 'completed' },
};

/** The state that an act leads to, or null where it may not be done. */
export function transferStateAfter(state: TransferState, act: TransferAct): TransferState | null {
  return NEXT[act][state] ?? null;
}

/**
 * For how long an agent may reject a transfer, from its instruction on. A registered transfer agent turns most items around within three business days (17 CFR
 * 240.17Ad-2); a week has those, a weekend and a holiday. Later its trade stands, unless an operator takes it back: nobody waits to see where the price goes.
 */
const REJECTION_MAX_MS = 7 * 86_400_000;

/** Whether an instruction of then may still be rejected. */
export function mayBeRejected(createdAt_ms: number, now_ms: number): boolean {
  return now_ms - createdAt_ms < REJECTION_MAX_MS;
}

/** Whether its agent can do nothing about it any more. */
export function isTransferFinal(state: TransferState): boolean {
  return state === 'rejected' || state === 'completed' || state === 'reversed';
}
