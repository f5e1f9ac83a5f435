import type { VenueBook, VenueLevel } from '../broker/smart-order-router.ts';
import type { Side } from '../orders/order.ts';
import { displayedBooks, epochOf } from './displayed-books.ts';
import type { PriceProcess } from './price-process.ts';

/** What one price of a venue gave. */
interface Taken {
  readonly price: number;
  readonly quantity: number;
}

/** The venues' displayed books of the current epoch, less what has been taken from them. A new epoch quotes them anew. */
export class Liquidity {
  readonly #process: PriceProcess;
  #epoch = -1;
  #books = new Map<string, VenueBook>();

  constructor(process: PriceProcess) {
    this.#process = process;
  }

  books(at_ms: number): readonly VenueBook[] {
    return [...this.#at(at_ms).values()];
  }

  /** Takes from a venue what it displays within a limit. */
  take(venue: string, side: Side, quantity: number, limit: number, at_ms: number): readonly Taken[] {
    const book = this.#at(at_ms).get(venue);
    if (book === undefined) return [];
    const levels = side === 'buy' ? book.asks : book.bids;
    const taken: Taken[] = [];
    const rest: VenueLevel[] = [];
    let left = quantity;
    for (const { price, quantity: displayed } of levels) {
      const part = (side === 'buy' ? price <= limit : price >= limit) ? Math.min(left, displayed) : 0;
      if (part > 0) taken.push({ price, quantity: part });
      if (displayed > part) rest.push({ price, quantity: displayed - part });
      left -= part;
    }
    this.#books.set(venue, side === 'buy' ? { ...book, asks: rest } : { ...book, bids: rest });
    return taken;
  }

  #at(at_ms: number): ReadonlyMap<string, VenueBook> {
    const epoch = epochOf(at_ms);
    if (epoch !== this.#epoch) {
      this.#epoch = epoch;
      this.#books = new Map(displayedBooks(this.#process, at_ms).map((book) => [book.venue, book]));
    }
    return this.#books;
  }
}
