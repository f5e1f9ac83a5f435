/**
 * States of a listing event (docs/design/pre-ipo.md#the-listing-event): its terms stand; the issuer's shares are on offer; each indication has
 * its allotment; what could turn firm has; the asset trades as the terms say. `refused`: nothing more becomes of it, because the issuer's shares could not be
 * offered or an operator has stopped it. One that is being stopped is `withdrawing` where its offer may be about to be placed, and `stopping` until the
 * offer is taken back and every allotment known.
 */
export const LISTING_STATES = [
  'announced',
  'offered',
  'allotted',
  'converted',
  'done',
  'refused',
  'withdrawing',
  'stopping',
] as const;

export type ListingState = (typeof LISTING_STATES)[number];

/** As operators see them. */
export const SHOWN_LISTING_STATES = [...LISTING_STATES, 'stopped'] as const;

/** `stopped` is a state to look at alone: a Worker of the deployment before takes it for one that is under way. */
export function shownListingState({
  state,
  stoppedAt,
}: {
  readonly state: ListingState;
  readonly stoppedAt: number | null;
}): (typeof SHOWN_LISTING_STATES)[number] {
  return state === 'refused' && stoppedAt !== null ? 'stopped' : state;
}

/** Of an indication at the event. `pending`: it is allotted shares, and is yet to be converted. */
export const ALLOTMENT_OUTCOMES = ['pending', 'converted', 'not_allotted', 'failed'] as const;

export type AllotmentOutcome = (typeof ALLOTMENT_OUTCOMES)[number];

/** Whether nothing more becomes of the event. */
export function isListingOver(state: ListingState): boolean {
  return state === 'done' || state === 'refused';
}
