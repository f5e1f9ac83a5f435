import type { ToldAdjustment } from '../rpc/told-adjustment.ts';

const KEY = 'feed_adjustments';
const KEPT = 200;

interface Kept {
  /** The stream's sequence when it was told; null where the book had not started. */
  readonly at: number | null;
  readonly told: ToldAdjustment;
}

interface Stored {
  readonly kept: readonly Kept[];
  /** Greatest sequence at which one was told that is kept no more; −1 for none. */
  readonly gone: number;
}

/**
 * The latest trades of a book that were taken back or corrected, for those who were away. They have no sequence of their own, so whoever has seen all of the stream up to one
 * may have missed what was told at that one.
 */
export class ToldAdjustments {
  readonly #storage: Pick<DurableObjectStorage, 'kv'>;
  #stored: Stored | null = null;

  constructor(storage: Pick<DurableObjectStorage, 'kv'>) {
    this.#storage = storage;
  }

  /** Keeps the last word on a trade. */
  keep(told: ToldAdjustment, at: number | null): void {
    const { kept, gone } = this.#read();
    // What was told before, nobody knew when, was told by now.
    const latest = at ?? Number.MAX_SAFE_INTEGER;
    const others = kept.filter(({ told: { trade } }) => trade.id !== told.trade.id);
    const all = [...others.map((one) => ({ ...one, at: one.at ?? at })), { at, told }];
    const dropped = all.slice(0, Math.max(0, all.length - KEPT));
    this.#stored = {
      kept: all.slice(dropped.length),
      gone: Math.max(Math.min(gone, latest), ...dropped.map((one) => one.at ?? latest)),
    };
    this.#storage.kv.put(KEY, this.#stored);
  }

  /** Those that somebody may have missed who has seen the stream up to `sequence`; null where some of them are no longer here. */
  since(sequence: number): ToldAdjustment[] | null {
    const { kept, gone } = this.#read();
    if (gone >= sequence) return null;
    return kept.filter(({ at }) => at === null || at >= sequence).map(({ told }) => told);
  }

  #read(): Stored {
    this.#stored ??= this.#storage.kv.get<Stored>(KEY) ?? { kept: [], gone: -1 };
    return this.#stored;
  }
}
