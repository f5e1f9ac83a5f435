/** Where a request for a verification by a third party stands. All but `REQUESTED` are final. */
export const VERIFICATION_STATES = ['REQUESTED', 'VERIFIED', 'REFUSED', 'EXPIRED'] as const;
