import { MINUTE_MS, SECOND_MS } from '../../../domain/calendar/durations.ts';
import type { Market } from '../../../domain/markets/market.ts';
import { type PriceBand, priceBand } from '../../../domain/markets/price-band.ts';

/** Rules of a market that decide what its book matches: journaled when they change, so that replay goes by the same. */
export type BandRules = Pick<Market, 'bandBps' | 'bandHaltSeconds' | 'referencePrice' | 'tickSize'>;

export interface TradingBandSnapshot {
  readonly rules: BandRules | null;
  readonly reference: number | null;
  /** Minutes since the Unix epoch: that of the last cycle. */
  readonly minute: number;
  readonly haltedUntil: number | null;
}

const AT_FIRST: TradingBandSnapshot = { rules: null, reference: null, minute: 0, haltedUntil: null };

/**
 * The price band of a book, the trade that it lies around, and the halt that follows when trading reaches its end. The reference trade is
 * the last one of an earlier minute, so that no sequence of orders drags the band along; after a halt it is the last one before it. All
 * times are those of cycles.
 */
export class TradingBand {
  #rules: BandRules | null;
  #reference: number | null;
  #minute: number;
  #haltedUntil: number | null;

  constructor({ rules, reference, minute, haltedUntil }: TradingBandSnapshot = AT_FIRST) {
    this.#rules = rules;
    this.#reference = reference;
    this.#minute = minute;
    this.#haltedUntil = haltedUntil;
  }

  snapshot(): TradingBandSnapshot {
    return {
      rules: this.#rules,
      reference: this.#reference,
      minute: this.#minute,
      haltedUntil: this.#haltedUntil,
    };
  }

  /** Unix ms at which the halt ends; null while there is none. */
  get haltedUntil(): number | null {
    return this.#haltedUntil;
  }

  isHaltedAt(time_ms: number): boolean {
    return this.#haltedUntil !== null && time_ms < this.#haltedUntil;
  }

  /** The trade that the band lies around at a time, from the last cycle on. */
  referenceAt(time_ms: number, last: number | null): number | null {
    const isLater = Math.floor(time_ms / MINUTE_MS) > this.#minute;
    const endsHalt = this.#haltedUntil !== null && time_ms >= this.#haltedUntil;
    const isFirst = this.#reference === null && (this.#rules?.referencePrice ?? null) === null;
    return isLater || endsHalt || isFirst ? last : this.#reference;
  }

  /** A cycle begins: a minute may have turned, a halt may be over. */
  begin(time_ms: number, last: number | null): void {
    this.#reference = this.referenceAt(time_ms, last);
    this.#minute = Math.max(this.#minute, Math.floor(time_ms / MINUTE_MS));
    if (!this.isHaltedAt(time_ms)) this.#haltedUntil = null;
  }

  /** Whether the book goes by these rules of its market already. */
  hasRules({ bandBps, bandHaltSeconds, referencePrice, tickSize }: BandRules): boolean {
    const rules = this.#rules;
    return (
      rules !== null &&
      rules.bandBps === bandBps &&
      rules.bandHaltSeconds === bandHaltSeconds &&
      rules.referencePrice === referencePrice &&
      rules.tickSize === tickSize
    );
  }

  /**
   * Rules without a halt end one that is under way.
   *
   * @returns whether these do
   */
  goBy(rules: BandRules, last: number | null): boolean {
    this.#rules = rules;
    if (rules.bandHaltSeconds > 0 || this.#haltedUntil === null) return false;
    this.#haltedUntil = null;
    this.#reference = last;
    return true;
  }

  /** Shares of the market were split: as after a halt, the band lies around the last trade, at what its price comes to. */
  reprice(last: number | null): void {
    this.#reference = last;
  }

  /** Prices that trades may have in this cycle; null for any. */
  get band(): PriceBand | null {
    return this.#rules === null ? null : priceBand(this.#rules, { reference: this.#reference });
  }

  /**
   * Trading has reached the end of the band.
   *
   * @returns when the halt ends that begins with this; null where none follows
   */
  reached(time_ms: number): number | null {
    const halt_ms = (this.#rules?.bandHaltSeconds ?? 0) * SECOND_MS;
    if (halt_ms === 0 || this.isHaltedAt(time_ms)) return null;
    this.#haltedUntil = time_ms + halt_ms;
    return this.#haltedUntil;
  }
}

/** The rules of a market by which its book matches. */
export function bandRulesOf({ bandBps, bandHaltSeconds, referencePrice, tickSize }: BandRules): BandRules {
  return { bandBps, bandHaltSeconds, referencePrice, tickSize };
}
