import { MINUTE_MS, SECOND_MS } from '../../../domain/calendar/durations.ts';
import type { Market } from '../../../domain/markets/market.ts';
import { type PriceBand, priceBand } from '../../../domain/markets/price-band.ts';
import { mulDivFloor } from '../../../domain/money/arithmetic.ts';

const BPS = 10_000;

/** Rules of a market that decide what its book matches: journaled when they change, so that replay goes by the same. */
export type BandRules = Pick<Market, 'bandBps' | 'bandHaltSeconds' | 'referencePrice' | 'tickSize'>;

/** What a band is laid around, as a cycle begins. */
export interface BandPrices {
  /** The last trade. */
  readonly last: number | null;
  /** What most of those who traded last agree on (domain/markets/going-price.ts). */
  readonly going: number | null;
  /** Whether the band follows the going price, slowly, and halts where it stands at the end; else the last trade, and halts for one trade. */
  readonly followsGoing: boolean;
}

/** How long trading may stand at the end of the band before the market is halted: the limit state of the Limit Up-Limit Down plan, section VI. @internal */
export const LIMIT_STATE_MS = 15 * SECOND_MS;

/** The band moves by at most this part of its width a minute. */
const MOVES_A_WIDTH = 5;

/** After so many minutes without a cycle the band has had time to come anywhere. */
const MINUTES_COUNTED_MAX = 1_000;

/** A halt that begins within so long of the end of another lasts twice as long as that one, so that somebody has time to look. */
const HALTS_APART_MS = 10 * MINUTE_MS;
const HALT_DOUBLINGS_MAX = 4;

/** Trading has come to an end of the band, which was this then. */
interface LimitState extends PriceBand {
  readonly until: number;
}

export interface TradingBandSnapshot {
  readonly rules: BandRules | null;
  readonly reference: number | null;
  /** Minutes since the Unix epoch: that of the last cycle. */
  readonly minute: number;
  readonly haltedUntil: number | null;
  /** Of a snapshot from before there were any: undefined. */
  readonly limit?: LimitState | null | undefined;
  /** The last halt: its end, and how often halts have followed each other. */
  readonly halts?: { readonly endedAt: number; readonly doublings: number } | null | undefined;
}

const AT_FIRST: TradingBandSnapshot = { rules: null, reference: null, minute: 0, haltedUntil: null };

/**
 * The price band of a book, the price that it lies around, and the halt that follows when trading stands at its end. The reference follows the
 * going price of earlier minutes, by at most a fifth of the width a minute, so that no two accounts move it and nobody moves it fast; after a halt it
 * is the going price. All times are those of cycles.
 */
export class TradingBand {
  #rules: BandRules | null;
  #reference: number | null;
  #minute: number;
  #haltedUntil: number | null;
  #limit: LimitState | null;
  #halts: { readonly endedAt: number; readonly doublings: number } | null;

  constructor({ rules, reference, minute, haltedUntil, limit, halts }: TradingBandSnapshot = AT_FIRST) {
    this.#rules = rules;
    this.#reference = reference;
    this.#minute = minute;
    this.#haltedUntil = haltedUntil;
    this.#limit = limit ?? null;
    this.#halts = halts ?? null;
  }

  snapshot(): TradingBandSnapshot {
    return {
      rules: this.#rules,
      reference: this.#reference,
      minute: this.#minute,
      haltedUntil: this.#haltedUntil,
      ...(this.#limit === null ? {} : { limit: this.#limit }),
      ...(this.#halts === null ? {} : { halts: this.#halts }),
    };
  }

  /** The price that the band lies around; null where that is the reference price of the rules, if any. */
  get reference(): number | null {
    return this.#reference;
  }

  /** Unix ms at which the halt ends; null while there is none. */
  get haltedUntil(): number | null {
    return this.#haltedUntil;
  }

  /** Unix ms at which something follows by itself: the end of a halt, or of a limit state. Null for never. */
  get nextDue(): number | null {
    return this.#haltedUntil ?? this.#limit?.until ?? null;
  }

  isHaltedAt(time_ms: number): boolean {
    return this.#haltedUntil !== null && time_ms < this.#haltedUntil;
  }

  /** The price that the band lies around at a time, from the last cycle on. */
  referenceAt(time_ms: number, prices: BandPrices): number | null {
    const minutes = Math.floor(time_ms / MINUTE_MS) - this.#minute;
    const endsHalt = this.#haltedUntil !== null && time_ms >= this.#haltedUntil;
    if (prices.followsGoing) return this.#following(prices, minutes, endsHalt);
    const isFirst = this.#reference === null && (this.#rules?.referencePrice ?? null) === null;
    return minutes > 0 || endsHalt || isFirst ? prices.last : this.#reference;
  }

  /** Before enough accounts agree on a price: around the reference price, or where there is none the last trade. */
  #following({ going, last }: BandPrices, minutes: number, endsHalt: boolean): number | null {
    const { referencePrice = null, bandBps = 0 } = this.#rules ?? {};
    const target = going ?? (referencePrice === null ? last : null);
    if (target === null) return this.#reference;
    const from = this.#reference ?? referencePrice;
    if (endsHalt || from === null || bandBps === 0 || minutes > MINUTES_COUNTED_MAX) return target;
    if (minutes <= 0) return this.#reference;
    const width = mulDivFloor(from, bandBps, BPS);
    const step = Math.max(1, mulDivFloor(width, minutes, MOVES_A_WIDTH));
    return Math.min(Math.max(target, from - step), from + step);
  }

  /**
   * A cycle begins: a minute may have turned, a limit state or a halt may be over.
   *
   * @returns when the halt ends that begins with this; null where none does
   */
  begin(time_ms: number, prices: BandPrices): number | null {
    const halt = this.#endLimitState(time_ms, prices);
    this.#reference = this.referenceAt(time_ms, prices);
    this.#minute = Math.max(this.#minute, Math.floor(time_ms / MINUTE_MS));
    if (!this.isHaltedAt(time_ms)) this.#haltedUntil = null;
    return halt;
  }

  /** One trade at the end does not halt a market: what most of those who traded last agree on does, when it stands there still. */
  #endLimitState(time_ms: number, { going }: BandPrices): number | null {
    const limit = this.#limit;
    if (limit === null || time_ms < limit.until) return null;
    this.#limit = null;
    const standsThere = going !== null && (going <= limit.low || going >= limit.high);
    return standsThere ? this.#halt(time_ms, true) : null;
  }

  #halt(time_ms: number, isLongerSoonAfter: boolean): number | null {
    const halt_ms = (this.#rules?.bandHaltSeconds ?? 0) * SECOND_MS;
    if (halt_ms === 0) return null;
    const isSoon = this.#halts !== null && time_ms - this.#halts.endedAt < HALTS_APART_MS;
    const doublings = isLongerSoonAfter && isSoon ? Math.min((this.#halts?.doublings ?? 0) + 1, HALT_DOUBLINGS_MAX) : 0;
    const endedAt = time_ms + halt_ms * 2 ** doublings;
    if (isLongerSoonAfter) this.#halts = { endedAt, doublings };
    this.#haltedUntil = endedAt;
    return endedAt;
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
   * Rules without a halt end one that is under way. A reference price that an operator states anew is what the band lies around from then on.
   *
   * @returns whether these end a halt
   */
  goBy(rules: BandRules, prices: BandPrices): boolean {
    const stated = this.#rules === null ? rules.referencePrice : this.#rules.referencePrice;
    if (prices.followsGoing && rules.referencePrice !== null && rules.referencePrice !== stated) this.#reference = null;
    this.#rules = rules;
    if (rules.bandHaltSeconds > 0) return false;
    this.#limit = null;
    if (this.#haltedUntil === null) return false;
    this.#haltedUntil = null;
    this.#reference = prices.followsGoing ? (prices.going ?? this.#reference) : prices.last;
    return true;
  }

  /** Shares of the market were split: as after a halt, the band lies around what its price comes to. */
  reprice({ last, going, followsGoing }: BandPrices): void {
    this.#limit = null;
    this.#reference = followsGoing ? (going ?? last) : last;
  }

  /** Prices that trades may have in this cycle; null for any. */
  get band(): PriceBand | null {
    return this.#rules === null ? null : priceBand(this.#rules, { reference: this.#reference });
  }

  /**
   * Trading has reached the end of the band: a limit state begins, or where the band follows single trades a halt.
   *
   * @returns when the halt ends that begins with this; null where none does
   */
  reached(time_ms: number, { followsGoing }: Pick<BandPrices, 'followsGoing'>): number | null {
    if (this.isHaltedAt(time_ms) || (this.#rules?.bandHaltSeconds ?? 0) === 0) return null;
    if (!followsGoing) return this.#halt(time_ms, false);
    const { band } = this;
    if (band !== null) this.#limit ??= { ...band, until: time_ms + LIMIT_STATE_MS };
    return null;
  }
}

/** The rules of a market by which its book matches. */
export function bandRulesOf({ bandBps, bandHaltSeconds, referencePrice, tickSize }: BandRules): BandRules {
  return { bandBps, bandHaltSeconds, referencePrice, tickSize };
}
