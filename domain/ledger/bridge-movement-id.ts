import { createHash } from 'node:crypto';

/** What a movement of the ledger does for a transfer of the bridge: takes its funds from an account, pays it to one, gives its funds back to one, or credits its organization with what it has earned. */
export type BridgePurpose = 'debit' | 'payout' | 'refund' | 'fee';

/**
 * The one id that the ledger takes such a movement under, so that it happens once, whoever asks for it: in the form of a UUIDv7, with the transfer's time. That of a debit follows from the
 * transfer's terms, so that other terms of the same transfer have none. A debit from before there were such ids has the transfer's own.
 *
 * @param commitment of the transfer's terms (`termsCommitment`); of debits alone
 */
export function bridgeMovementId(transfer: string, purpose: BridgePurpose, commitment?: string): string {
  if (purpose === 'debit' && commitment === undefined) return transfer;
  const of =
    purpose === 'debit'
      ? ['edge.bridge.debit.v2', transfer, commitment]
      : ['edge.bridge.payment.v1', transfer, purpose];
  const hex = createHash('sha256').update(JSON.stringify(of)).digest('hex');
  return `${transfer.slice(0, 13)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}
