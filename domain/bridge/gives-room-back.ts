import { CLUSTER_THRESHOLD, type Transfer } from './transfer.ts';

/**
 * Whether a transfer may have room of its lane that it has no use for: the guard was asked for it, and its funds go back. One whose funds are lost may come again, and is paid then.
 */
export function givesRoomBack({ state, funds, attestedBy, payment, refundReason }: Transfer): boolean {
  if (funds === null || funds.isLost || attestedBy.length < CLUSTER_THRESHOLD) return false;
  switch (state) {
    case 'refundable':
    case 'refund_signing':
    case 'refund_broadcast':
    case 'refunded':
      return true;
    case 'signing':
    case 'broadcast':
      return payment?.kind === 'payout' && refundReason !== null;
    default:
      return false;
  }
}
