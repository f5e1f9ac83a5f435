/** Where a request to pay in or out stands. */
export const TRANSFER_REQUEST_STATES = ['requested', 'approved', 'rejected', 'executed', 'cancelled'] as const;
