import type { VenueBook, VenueLevel } from '../broker/smart-order-router.ts';
import type { Side } from '../orders/order.ts';
import { noise } from './noise.ts';
import { fairPrice, type PriceProcess, SANDBOX_SCALE } from './price-process.ts';
import { SANDBOX_VENUES, type SandboxVenue } from './venues.ts';

/** Books stand still so long, then they are quoted anew. */
const EPOCH_MS = 250;
const LEVELS_MAX = 10;
/** A round lot, scaled. */
export const ROUND_LOT = 100 * 10 ** SANDBOX_SCALE;

const DOLLAR = 10 ** SANDBOX_SCALE;

/** The symbol's own; else a cent from a dollar on, and a hundredth of one below (17 CFR 242.612). */
export function tickAt({ tick }: Pick<PriceProcess, 'tick'>, price: number): number {
  return tick ?? (price >= DOLLAR ? DOLLAR / 100 : DOLLAR / 10_000);
}

export function epochOf(at_ms: number): number {
  return Math.floor(at_ms / EPOCH_MS);
}

/** What a venue displays at a moment, before anything of ours is taken from it. All venues quote around one fair price, so none crosses another. */
function displayedBook(process: PriceProcess, venue: SandboxVenue, at_ms: number): VenueBook {
  const epoch = epochOf(at_ms);
  const fair = fairPrice(process, epoch * EPOCH_MS);
  const tick = tickAt(process, fair);
  const number = SANDBOX_VENUES.indexOf(venue);
  const half =
    1 + Math.trunc((fair * venue.halfSpread_e6) / 1_000_000) + (noise(process.seed, number, epoch, 2) % tick);
  const levels = (side: Side): VenueLevel[] => {
    const isBid = side === 'buy';
    const [best, away] = isBid
      ? [Math.floor((fair - half) / tick) * tick, -tick]
      : [Math.ceil((fair + half) / tick) * tick, tick];
    const shown: VenueLevel[] = [];
    let price = best;
    for (let level = 0; level < LEVELS_MAX && price > 0; level++) {
      const drawn = noise(process.seed, number, epoch, isBid ? 0 : 1, level);
      shown.push({ price, quantity: (1 + (drawn % venue.depthLotsMax)) * ROUND_LOT });
      price += away * (1 + ((drawn >>> 16) % 2));
    }
    return shown;
  };
  return {
    venue: venue.id,
    isProtected: venue.isProtected,
    takeFee: venue.takeFee,
    bids: levels('buy'),
    asks: levels('sell'),
  };
}

export function displayedBooks(process: PriceProcess, at_ms: number): VenueBook[] {
  return SANDBOX_VENUES.map((venue) => displayedBook(process, venue, at_ms));
}
