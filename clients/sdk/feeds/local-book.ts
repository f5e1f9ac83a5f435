import { bookChecksum, type WireLevel } from '../../../protocol/feeds/checksum.ts';
import type { BookSnapshotMessage, BookUpdateMessage } from '../../../protocol/feeds/server-message.ts';

type Applied =
  | 'applied'
  /** Included in what the book already has. */
  | 'stale'
  /** Messages are missing, or the checksum differs: subscribe again for a fresh snapshot. */
  | 'gap'
  | 'checksum';

/** A client's copy of a book, kept right by snapshot and updates of the `orderbook` channel. */
export class LocalBook {
  readonly depth: number;
  readonly #bids = new Map<number, number>();
  readonly #asks = new Map<number, number>();
  #sequence = 0;
  #live = false;

  /** @param depth levels a side that it shows; the messages may have more, which others follow over the same connection */
  constructor(depth: number) {
    this.depth = depth;
  }

  /** Sequence of the last message it includes. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Whether it has had its snapshot, and nothing was missing since. */
  get isLive(): boolean {
    return this.#live;
  }

  /** Best first. */
  get bids(): WireLevel[] {
    return this.#told(this.#bids).slice(0, this.depth);
  }

  /** Best first. */
  get asks(): WireLevel[] {
    return this.#told(this.#asks).slice(0, this.depth);
  }

  apply(message: BookSnapshotMessage | BookUpdateMessage): Applied {
    if (message.type === 'orderbook_snapshot') return this.#begin(message);
    if (!this.#live) return 'gap';
    if (message.sequence <= this.#sequence) return 'stale';
    // Starting from a REST snapshot, the first update may reach back behind it.
    if (message.prev_sequence > this.#sequence) return this.#broken('gap');
    change(this.#bids, message.bids);
    change(this.#asks, message.asks);
    this.#sequence = message.sequence;
    return this.#checksum() === message.checksum ? 'applied' : this.#broken('checksum');
  }

  #begin({ sequence, bids, asks, checksum }: BookSnapshotMessage): Applied {
    this.#bids.clear();
    this.#asks.clear();
    change(this.#bids, bids);
    change(this.#asks, asks);
    this.#sequence = sequence;
    this.#live = true;
    return this.#checksum() === checksum ? 'applied' : this.#broken('checksum');
  }

  #broken(why: 'gap' | 'checksum'): Applied {
    this.#live = false;
    return why;
  }

  #checksum(): number {
    return bookChecksum(this.#told(this.#bids), this.#told(this.#asks));
  }

  #told(side: Map<number, number>): WireLevel[] {
    return [...side].sort((a, b) => (side === this.#bids ? b[0] - a[0] : a[0] - b[0]));
  }
}

function change(side: Map<number, number>, levels: readonly WireLevel[]): void {
  for (const [price, size] of levels) {
    if (size === 0) side.delete(price);
    else side.set(price, size);
  }
}
