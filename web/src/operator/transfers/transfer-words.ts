import type { TransferRequest } from '../queue-queries.ts';

export const TRANSFER_STATES = ['requested', 'approved', 'executed', 'rejected', 'cancelled'] as const;

export type TransferDecision = 'approve' | 'execute' | 'reject';

/** What an operator may decide of a request, by where it stands. */
export function decisionsOf(status: TransferRequest['status']): readonly TransferDecision[] {
  switch (status) {
    case 'requested':
      return ['approve', 'reject'];
    case 'approved':
      return ['execute', 'reject'];
    default:
      return [];
  }
}

export function toneOfTransfer(status: TransferRequest['status']): 'ok' | 'warn' | 'bad' | 'run' | 'none' {
  return ({ requested: 'warn', approved: 'run', executed: 'ok', rejected: 'bad', cancelled: 'none' } as const)[status];
}
