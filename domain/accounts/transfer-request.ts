import { err, ok, type Result } from '../result.ts';

/** Where a request to pay in or out stands. */
export const TRANSFER_REQUEST_STATES = ['requested', 'approved', 'rejected', 'executed', 'cancelled'] as const;

export type TransferRequestState = (typeof TRANSFER_REQUEST_STATES)[number];

/** What is decided of a request: cancelled by its user, the rest by an operator. */
export type TransferDecisionName = 'approve' | 'reject' | 'execute' | 'cancel';

/** Every transition; what is not here is refused. A final state has none. */
const TRANSITIONS: Readonly<
  Record<TransferRequestState, Readonly<Partial<Record<TransferDecisionName, TransferRequestState>>>>
> = {
  requested: { approve: 'approved', reject: 'rejected', cancel: 'cancelled' },
  approved: { execute: 'executed', reject: 'rejected' },
  rejected: {},
  executed: {},
  cancelled: {},
};

/** The state that a decision leads to. */
export function decided(
  from: TransferRequestState,
  decision: TransferDecisionName,
): Result<TransferRequestState, { readonly reason: 'not_allowed'; readonly from: TransferRequestState }> {
  const to = TRANSITIONS[from][decision];
  return to === undefined ? err({ reason: 'not_allowed', from }) : ok(to);
}

/** Whether it still waits for something: an open withdrawal holds its amount. */
export function isOpenRequest(state: TransferRequestState): boolean {
  return Object.keys(TRANSITIONS[state]).length > 0;
}
