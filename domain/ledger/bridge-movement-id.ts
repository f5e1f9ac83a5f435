import { createHash } from 'node:crypto';

/** What a movement of the ledger does for a transfer of the bridge: takes its funds from an account, pays it to one, gives its funds back to one, or credits its organization with what it has earned. */
export type BridgePurpose = 'debit' | 'payout' | 'refund' | 'fee';

/**
 * The one id that the ledger takes such a movement under, so that it happens once, whoever asks for it: in the form of a UUIDv7, with the transfer's time. It follows from the
 * transfer's terms, so that other terms of the same transfer have none. A debit from before there were such ids has the transfer's own, a payment one that follows from the transfer.
 *
 * An id of this form is no proof of its terms: it has 72 bits of them, and may be stated as the id of another transfer. Whoever finds a movement by it compares transfer and commitment.
 *
 * @param commitment of the transfer's terms (`termsCommitment`); left out for movements of before
 */
export function bridgeMovementId(transfer: string, purpose: BridgePurpose, commitment?: string): string {
  if (purpose === 'debit' && commitment === undefined) return transfer;
  const hex = createHash('sha256')
    .update(JSON.stringify(named(transfer, purpose, commitment)))
    .digest('hex');
  return `${transfer.slice(0, 13)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}

function named(transfer: string, purpose: BridgePurpose, commitment: string | undefined): readonly string[] {
  if (commitment === undefined) return ['edge.bridge.payment.v1', transfer, purpose];
  return purpose === 'debit'
    ? ['edge.bridge.debit.v2', transfer, commitment]
    : ['edge.bridge.payment.v2', transfer, purpose, commitment];
}
