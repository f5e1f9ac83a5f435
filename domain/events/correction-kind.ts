/** What operators correct on a timeline. */
export const CORRECTION_KINDS = [
  'not_this_person',
  'restored',
  'merge',
  'manual_entry',
  'match_confirmed',
  'match_rejected',
] as const;

export type CorrectionKind = (typeof CORRECTION_KINDS)[number];
