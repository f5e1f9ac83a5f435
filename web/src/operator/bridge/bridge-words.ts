import type { BridgeTransfer } from '../desk-queries.ts';

type TransferState = BridgeTransfer['state'];

export function toneOfTransfer(state: TransferState): 'ok' | 'warn' | 'bad' | 'run' | 'wait' | 'none' {
  switch (state) {
    case 'confirmed':
      return 'ok';
    case 'refunded':
    case 'expired':
      return 'none';
    case 'paid_by_other':
      return 'warn';
    case 'refundable':
    case 'refund_signing':
    case 'refund_broadcast':
      return 'bad';
    case 'awaiting_funds':
    case 'queued':
    case 'challenge':
      return 'wait';
    default:
      return 'run';
  }
}

const MINUTE_MS = 60_000;

/** A length of time that operators have set, in whole minutes. */
export function minutesOf(ms: string | number): string {
  return String(Math.round(Number(ms) / MINUTE_MS));
}

/** The end of a long address or key: enough to tell one from another. */
export function shortAddress(address: string): string {
  return address.length > 20 ? `${address.slice(0, 8)}…${address.slice(-6)}` : address;
}
