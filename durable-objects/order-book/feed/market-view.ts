import type { BarUpdate, SettlementChunk } from '../../../domain/ledger/records.ts';
import type { EngineEvent } from '../engine/engine.ts';

/** What the public sees of a book beside its levels; follows from its journal alone. */
export interface MarketViewSnapshot {
  readonly bookSequence: number;
  /** Of a snapshot from before it was kept: undefined. */
  readonly changedAt?: number | undefined;
  readonly bars: readonly BarUpdate[];
}

/**
 * Keeps, over the cycles of a book, how often its displayed levels have changed, when it last did anything that the public sees, and the
 * current bar of each interval. The numbers and times of the engine count hidden orders and stops as well: they are not for the public.
 */
export class MarketView {
  /** Changes of displayed levels so far. */
  bookSequence: number;
  /** Time of the last cycle that changed a displayed level or traded, Unix milliseconds; 0 before the first. */
  changedAt: number;
  readonly #bars: Map<string, BarUpdate>;

  /** @param time_ms of the last cycle before the snapshot: of one that does not say when the public saw anything last, it was by then */
  constructor(snapshot: MarketViewSnapshot = { bookSequence: 0, bars: [] }, time_ms = 0) {
    this.bookSequence = snapshot.bookSequence;
    this.changedAt = snapshot.changedAt ?? time_ms;
    this.#bars = new Map(snapshot.bars.map((bar) => [bar.interval, bar]));
  }

  snapshot(): MarketViewSnapshot {
    return { bookSequence: this.bookSequence, changedAt: this.changedAt, bars: [...this.#bars.values()] };
  }

  /** The bar of an interval that the last trade fell into; undefined before the first trade. */
  bar(interval: string): BarUpdate | undefined {
    return this.#bars.get(interval);
  }

  /**
   * Takes in what a cycle did.
   *
   * @param countsInPublic false: the number of the engine's event may have been told of this cycle, below which the sequence never goes
   */
  advance(
    events: readonly EngineEvent[],
    chunks: readonly SettlementChunk[],
    time_ms: number,
    countsInPublic: boolean,
  ): void {
    let levels = 0;
    let told = 0;
    for (const event of events) {
      if (event.type !== 'level') continue;
      levels += 1;
      if (!countsInPublic) told = event.sequence;
    }
    this.bookSequence = Math.max(this.bookSequence + levels, told);
    if (levels > 0 || chunks.some(({ trades }) => trades.length > 0)) this.changedAt = time_ms;
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
