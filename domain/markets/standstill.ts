import type { MarketStatus } from './market.ts';

/**
 * Why a market takes no orders. `ledger_halted`, `ledger_away`, `ledger_refuses`: the ledger takes none of any market. `shares_split`: its shares
 * are being split or exchanged. `market_halted`: by an operator or its lister. `band_halt`: its book has stopped by itself, and ends that by itself.
 * `book_halted`: what its book has written down is not right. `book_away`: it does not answer. `book_not_started`: it answers, but could not start.
 */
export const STANDSTILL_CAUSES = [
  'venue_halted',
  'ledger_halted',
  'ledger_away',
  'market_closed',
  'asset_not_approved',
  'market_halted',
  'book_halted',
  'book_away',
  'book_not_started',
  'ledger_refuses',
  'shares_split',
  'band_halt',
] as const;

export type StandstillCause = (typeof STANDSTILL_CAUSES)[number];

/** Whether the ledger takes orders; `not_asked` where nobody asked it. */
export type LedgerState = 'runs' | 'refuses' | 'halted' | 'away' | 'not_asked';

export interface MarketState {
  readonly venueHalted: boolean;
  /** Its own, as its book has it where that runs. */
  readonly status: MarketStatus;
  /** Whether both assets of its pair are approved. */
  readonly isApproved: boolean;
  /** Unix ms at which the halt ends that its book has begun by itself; null while there is none. */
  readonly haltedUntil: number | null;
  /** Whether its shares are being split or exchanged. */
  readonly isSplitting: boolean;
  /** What its book says: why it stands still, or null, and as whom it runs. `away` where it does not answer, `not_asked` where nobody asked it. */
  readonly book: { readonly halted: string | null; readonly owner: string } | 'away' | 'not_asked';
  readonly ledger: LedgerState;
}

/** Everything that keeps a market from taking orders, in the order in which it is to be mended; none while it takes them. */
export function standstillCauses(
  { venueHalted, status, isApproved, haltedUntil, isSplitting, book, ledger }: MarketState,
  now: number,
): readonly StandstillCause[] {
  const holds: Readonly<Record<StandstillCause, boolean>> = {
    venue_halted: venueHalted,
    ledger_halted: ledger === 'halted',
    ledger_away: ledger === 'away',
    market_closed: status === 'closed',
    asset_not_approved: !isApproved && status !== 'closed',
    market_halted: status === 'halted',
    book_halted: typeof book === 'object' && book.halted !== null,
    book_away: book === 'away',
    book_not_started: typeof book === 'object' && book.halted === null && book.owner === '',
    ledger_refuses: ledger === 'refuses',
    shares_split: isSplitting && status !== 'closed',
    band_halt: haltedUntil !== null && haltedUntil > now && status === 'open',
  };
  return STANDSTILL_CAUSES.filter((cause) => holds[cause]);
}
