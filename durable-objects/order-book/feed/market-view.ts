import type { BarUpdate, SettlementChunk } from '../../../domain/ledger/records.ts';
import type { EngineEvent } from '../engine/engine.ts';

/** What the public sees of a book beside its levels; follows from its journal alone. */
export interface MarketViewSnapshot {
  readonly bookSequence: number;
  readonly bars: readonly BarUpdate[];
}

/** Keeps, over the cycles of a book, the sequence of the last change of its levels and the current bar of each interval. */
export class MarketView {
  /** Sequence of the last event that changed a displayed level; 0 before the first. */
  bookSequence: number;
  readonly #bars: Map<string, BarUpdate>;

  constructor(snapshot: MarketViewSnapshot = { bookSequence: 0, bars: [] }) {
    this.bookSequence = snapshot.bookSequence;
    this.#bars = new Map(snapshot.bars.map((bar) => [bar.interval, bar]));
  }

  snapshot(): MarketViewSnapshot {
    return { bookSequence: this.bookSequence, bars: [...this.#bars.values()] };
  }

  /** The bar of an interval that the last trade fell into; undefined before the first trade. */
  bar(interval: string): BarUpdate | undefined {
    return this.#bars.get(interval);
  }

  /** Takes in what a cycle did. */
  advance(events: readonly EngineEvent[], chunks: readonly SettlementChunk[]): void {
    const last = events.findLast((event) => event.type === 'level');
    if (last !== undefined) this.bookSequence = last.sequence;
    for (const { bars } of chunks) for (const bar of bars) this.#add(bar);
  }

  #add(bar: BarUpdate): void {
    const current = this.#bars.get(bar.interval);
    this.#bars.set(
      bar.interval,
      current === undefined || current.bucket !== bar.bucket
        ? bar
        : {
            ...bar,
            open: current.open,
            high: Math.max(current.high, bar.high),
            low: Math.min(current.low, bar.low),
            volume: current.volume + bar.volume,
            quoteVolume: current.quoteVolume + bar.quoteVolume,
            trades: current.trades + bar.trades,
          },
    );
  }
}
