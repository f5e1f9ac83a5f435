/** How a trade that was an error is put right: nothing of it stands, or it stands at another price. */
export const ADJUSTMENT_TYPES = ['bust', 'correction'] as const;

export type AdjustmentType = (typeof ADJUSTMENT_TYPES)[number];
