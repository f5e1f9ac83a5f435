import { mustCancel, type Transfer } from './transfer.ts';

/** What whoever carries a transfer on has to do next. */
export type NextStep =
  | 'find_funds'
  | 'attest'
  | 'ask_guard'
  | 'watch_guard'
  | 'co_sign'
  | 'fix_payment'
  | 'pay'
  | 'cancel_payment'
  | 'watch_payment'
  /** Its funds may still be lost. */
  | 'watch_funds';

/** What a transfer waits for (docs/design/bridge.md#transfers). */
export function nextStep(transfer: Transfer): NextStep {
  switch (transfer.state) {
    case 'awaiting_funds':
    case 'expired':
    case 'paid_by_other':
      return 'find_funds';
    case 'confirming':
    case 'confirmed':
    case 'refunded':
      return 'watch_funds';
    case 'attesting':
      return 'attest';
    case 'limit_check':
    case 'queued':
      return 'ask_guard';
    case 'challenge':
      return 'watch_guard';
    case 'co_signing':
      return 'co_sign';
    case 'signing':
    case 'refund_signing':
      if (transfer.payment === null) return 'fix_payment';
      return mustCancel(transfer) ? 'cancel_payment' : 'pay';
    case 'broadcast':
    case 'refund_broadcast':
      return mustCancel(transfer) ? 'cancel_payment' : 'watch_payment';
    case 'refundable':
      return 'fix_payment';
  }
}
