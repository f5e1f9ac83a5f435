/** Whether somebody has said who a face is that the rule left open. */
export const REVIEW_STATUSES = ['pending', 'confirmed', 'rejected'] as const;

export type ReviewStatus = (typeof REVIEW_STATUSES)[number];
