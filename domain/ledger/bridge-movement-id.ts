import { createHash } from 'node:crypto';

/** What a movement of the ledger does for a transfer of the bridge: takes its funds from an account, pays it to one, or gives its funds back to one. */
export type BridgePurpose = 'debit' | 'payout' | 'refund';

/**
 * The one id that the ledger takes such a movement under, so that it happens once, whoever asks for it. Of a debit, the transfer's own; of a payment, one in the form of a UUIDv7 with
 * the transfer's time.
 */
export function bridgeMovementId(transfer: string, purpose: BridgePurpose): string {
  if (purpose === 'debit') return transfer;
  const hex = createHash('sha256')
    .update(JSON.stringify(['edge.bridge.payment.v1', transfer, purpose]))
    .digest('hex');
  return `${transfer.slice(0, 13)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}
