import type { BarRow, SettlementChunk } from '../../data/ledger/rows.ts';
import type { EngineEvent } from './engine/engine.ts';

/** What the public sees of a book beside its levels; follows from its journal alone. */
export interface MarketViewSnapshot {
  readonly bookSequence: number;
  readonly bars: readonly BarRow[];
}

/** Keeps, over the cycles of a book, the sequence of the last change of its levels and the current bar of each interval. */
export class MarketView {
  /** Sequence of the last event that changed a displayed level; 0 before the first. */
  bookSequence: number;
  readonly #bars: Map<string, BarRow>;

  constructor(snapshot: MarketViewSnapshot = { bookSequence: 0, bars: [] }) {
    this.bookSequence = snapshot.bookSequence;
    this.#bars = new Map(snapshot.bars.map((bar) => [bar[0], bar]));
  }

  snapshot(): MarketViewSnapshot {
    return { bookSequence: this.bookSequence, bars: [...this.#bars.values()] };
  }

  /** The bar of an interval that the last trade fell into; undefined before the first trade. */
  bar(interval: string): BarRow | undefined {
    return this.#bars.get(interval);
  }

  /** Takes in what a cycle did. */
  advance(events: readonly EngineEvent[], chunks: readonly SettlementChunk[]): void {
    const last = events.findLast((event) => event.type === 'level');
    if (last !== undefined) this.bookSequence = last.sequence;
    for (const { bars } of chunks) for (const bar of bars) this.#add(bar);
  }

  #add(bar: BarRow): void {
    const [interval, bucket, , high, low, close, volume, quoteVolume, trades] = bar;
    const current = this.#bars.get(interval);
    this.#bars.set(
      interval,
      current === undefined || current[1] !== bucket
        ? bar
        : [
            interval,
            bucket,
            current[2],
            Math.max(current[3], high),
            Math.min(current[4], low),
            close,
            current[6] + volume,
            current[7] + quoteVolume,
            current[8] + trades,
          ],
    );
  }
}
