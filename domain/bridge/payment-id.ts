import { createHash } from 'node:crypto';

/**
 * Id of a payment that is a transaction of the ledger, in the form of a UUIDv7 with the time of its transfer: another one for each kind and each attempt, and the same however
 * often it is asked for.
 */
export function ledgerPaymentId(transferId: string, kind: 'payout' | 'refund', attempt: number): string {
  const text = JSON.stringify(['edge.bridge.payment.v1', transferId, kind, attempt]);
  const hex = createHash('sha256').update(text).digest('hex');
  return `${transferId.slice(0, 13)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}
