import type { MarketStatus } from './market.ts';

/**
 * Why a market takes no orders. `market_halted`: by an operator or its lister. `band_halt`: its book has stopped by itself, and ends that by
 * itself. `book_halted`: what its book has written down is not right. `book_away`: it does not answer.
 */
export const STANDSTILL_CAUSES = [
  'venue_halted',
  'market_closed',
  'asset_not_approved',
  'market_halted',
  'book_halted',
  'book_away',
  'band_halt',
] as const;

export type StandstillCause = (typeof STANDSTILL_CAUSES)[number];

export interface MarketState {
  readonly venueHalted: boolean;
  /** Its own. */
  readonly status: MarketStatus;
  /** Whether both assets of its pair are approved. */
  readonly isApproved: boolean;
  /** Unix ms at which the halt ends that its book has begun by itself; null while there is none. */
  readonly haltedUntil: number | null;
  /** What its book says: why it stands still, or null. `away` where it does not answer, `not_asked` where nobody asked it. */
  readonly book: { readonly halted: string | null } | 'away' | 'not_asked';
}

/** Everything that keeps a market from taking orders, in the order in which it is to be mended; none while it takes them. */
export function standstillCauses(
  { venueHalted, status, isApproved, haltedUntil, book }: MarketState,
  now: number,
): readonly StandstillCause[] {
  const holds: Readonly<Record<StandstillCause, boolean>> = {
    venue_halted: venueHalted,
    market_closed: status === 'closed',
    asset_not_approved: !isApproved && status !== 'closed',
    market_halted: status === 'halted',
    book_halted: typeof book === 'object' && book.halted !== null,
    book_away: book === 'away',
    band_halt: haltedUntil !== null && haltedUntil > now && status === 'open',
  };
  return STANDSTILL_CAUSES.filter((cause) => holds[cause]);
}
