import { bookChecksum, type WireLevel } from '../../protocol/feeds/checksum.ts';
import type { BookSnapshotMessage, BookUpdateMessage } from '../../protocol/feeds/server-message.ts';

const LEVELS = 60;
const TICKS_PER_UNIT = 100;
const MIDDLE_TICKS = 2_500;

/** A book whose levels change without end, in the words of the feed: a level of a side gets another size, or is emptied and filled again. */
export class BusyBook {
  readonly #symbol: string;
  readonly #depth: number;
  readonly #bids: number[] = [];
  readonly #asks: number[] = [];
  #sequence = 1;

  constructor(symbol: string, depth: number) {
    this.#symbol = symbol;
    this.#depth = depth;
    for (let level = 0; level < LEVELS; level++) {
      this.#bids.push(1 + Math.floor(Math.random() * 500));
      this.#asks.push(1 + Math.floor(Math.random() * 500));
    }
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Best first, within the depth. */
  get bids(): WireLevel[] {
    return this.#levels(this.#bids, -1);
  }

  get asks(): WireLevel[] {
    return this.#levels(this.#asks, 1);
  }

  snapshot(): BookSnapshotMessage {
    return { type: 'orderbook_snapshot', ...this.#said(), bids: this.bids, asks: this.asks };
  }

  /** The next change; what it brings into the depth, or takes out of it, is told with it. */
  update(): BookUpdateMessage {
    const [bids, asks] = [this.bids, this.asks];
    const side = Math.random() < 0.5 ? this.#bids : this.#asks;
    // Most changes are near the touch.
    const level = Math.floor(LEVELS * Math.random() ** 3);
    side[level] = side[level] !== 0 && Math.random() < 0.2 ? 0 : 1 + Math.floor(Math.random() * 500);
    this.#sequence += 1;
    return {
      type: 'orderbook_update',
      ...this.#said(),
      prev_sequence: this.#sequence - 1,
      bids: changes(bids, this.bids),
      asks: changes(asks, this.asks),
    };
  }

  #said() {
    const timestamp = Date.now();
    const checksum = bookChecksum(this.bids, this.asks);
    return { channel: 'orderbook', symbol: this.#symbol, sequence: this.#sequence, checksum, timestamp } as const;
  }

  #levels(sizes: readonly number[], away: 1 | -1): WireLevel[] {
    return sizes
      .flatMap((size, at): WireLevel[] =>
        size === 0 ? [] : [[(MIDDLE_TICKS + away * (at + 1)) / TICKS_PER_UNIT, size]],
      )
      .slice(0, this.#depth);
  }
}

function changes(before: readonly WireLevel[], after: readonly WireLevel[]): WireLevel[] {
  const [was, is] = [new Map(before), new Map(after)];
  return [
    ...before.filter(([price]) => !is.has(price)).map(([price]): WireLevel => [price, 0]),
    ...after.filter(([price, size]) => was.get(price) !== size),
  ];
}
