/** What operators correct on a timeline. */
export const CORRECTION_KINDS = ['not_this_person', 'restored', 'merge', 'manual_entry'] as const;

export type CorrectionKind = (typeof CORRECTION_KINDS)[number];
