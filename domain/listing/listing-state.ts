/**
 * States of a listing event (docs/design/pre-ipo.md#the-listing-event): its terms stand; the issuer's shares are on offer; each indication has
 * its allotment; what could turn firm has; the asset trades as the terms say. `refused`: the issuer's shares could not be offered.
 */
export const LISTING_STATES = ['announced', 'offered', 'allotted', 'converted', 'done', 'refused'] as const;

export type ListingState = (typeof LISTING_STATES)[number];

/** Of an indication at the event. `pending`: it is allotted shares, and is yet to be converted. */
export const ALLOTMENT_OUTCOMES = ['pending', 'converted', 'not_allotted', 'failed'] as const;

export type AllotmentOutcome = (typeof ALLOTMENT_OUTCOMES)[number];

/** Whether nothing more becomes of the event. */
export function isListingOver(state: ListingState): boolean {
  return state === 'done' || state === 'refused';
}
