import { MINUTE_MS, SECOND_MS } from '../../../domain/calendar/durations.ts';
import { type BandStand, minuteOf, referenceAfter } from '../../../domain/markets/band-reference.ts';
import type { Market } from '../../../domain/markets/market.ts';
import { LEAST_TICKS, type PriceBand, priceBand } from '../../../domain/markets/price-band.ts';

/** Rules of a market that decide what its book matches: journaled when they change, so that replay goes by the same. */
export type BandRules = Pick<
  Market,
  'bandBps' | 'bandHaltSeconds' | 'referencePrice' | 'referenceStatement' | 'tickSize'
> & {
  /** Ticks that the band reaches at least to both sides; none in rules from before. */
  readonly leastTicks?: number;
};

/** What a band is laid around, as a cycle begins. */
export interface BandPrices {
  /** The last trade. */
  readonly last: number | null;
  /** What most of those who traded last agree on (domain/markets/going-price.ts). */
  readonly going: number | null;
  /** Whether the band follows the going price, slowly, and halts where it stands at the end; else the last trade, and halts for one trade. */
  readonly followsGoing: boolean;
  /** Whether a reference price that an operator states holds until there is another going price. */
  readonly statementsHold: boolean;
  /** Whether the lowest price there is, one tick, is no end of the band, however far the band reaches. */
  readonly lowestIsNoEnd: boolean;
}

/** How long trading may stand at the end of the band before the market is halted: the limit state of the Limit Up-Limit Down plan, section VI. @internal */
export const LIMIT_STATE_MS = 15 * SECOND_MS;

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
  /** What the ledger was told last; undefined before it was told anything. */
  readonly told?: ToldBand | undefined;
}

type ToldBand = Omit<BandStand, 'at'>;

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
  #told: ToldBand | undefined;

  constructor({ rules, reference, minute, haltedUntil, limit, halts, told }: TradingBandSnapshot = AT_FIRST) {
    this.#rules = rules;
    this.#reference = reference;
    this.#minute = minute;
    this.#haltedUntil = haltedUntil;
    this.#limit = limit ?? null;
    this.#halts = halts ?? null;
    this.#told = told;
  }

  snapshot(): TradingBandSnapshot {
    return {
      rules: this.#rules,
      reference: this.#reference,
      minute: this.#minute,
      haltedUntil: this.#haltedUntil,
      ...(this.#limit === null ? {} : { limit: this.#limit }),
      ...(this.#halts === null ? {} : { halts: this.#halts }),
      ...(this.#told === undefined ? {} : { told: this.#told }),
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
    const minutes = minuteOf(time_ms) - this.#minute;
    const endsHalt = this.#haltedUntil !== null && time_ms >= this.#haltedUntil;
    const { bandBps = 0, referencePrice = null } = this.#rules ?? {};
    if (prices.followsGoing)
      return referenceAfter(
        minutes,
        { reference: this.#reference, target: this.#target(prices) },
        { bandBps, referencePrice },
        endsHalt,
      );
    const isFirst = this.#reference === null && referencePrice === null;
    return minutes > 0 || endsHalt || isFirst ? prices.last : this.#reference;
  }

  /** Before enough accounts agree on a price: around the reference price, or where there is none the last trade. */
  #target({ going, last }: Pick<BandPrices, 'going' | 'last'>): number | null {
    return going ?? ((this.#rules?.referencePrice ?? null) === null ? last : null);
  }

  /**
   * A cycle begins: a minute may have turned, a limit state or a halt may be over.
   *
   * @returns when the halt ends that begins with this; null where none does
   */
  begin(time_ms: number, prices: BandPrices): number | null {
    const halt = this.#endLimitState(time_ms, prices);
    this.#reference = this.referenceAt(time_ms, prices);
    this.#minute = Math.max(this.#minute, minuteOf(time_ms));
    if (!this.isHaltedAt(time_ms)) this.#haltedUntil = null;
    return halt;
  }

  /** One trade at the end does not halt a market: what most of those who traded last agree on does, when it stands there still. */
  #endLimitState(time_ms: number, prices: BandPrices): number | null {
    const limit = this.#limit;
    if (limit === null || time_ms < limit.until) return null;
    this.#limit = null;
    const { going } = prices;
    const standsThere =
      going !== null && ((going <= limit.low && this.#isEnd(limit.low, prices)) || going >= limit.high);
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
  hasRules(stated: BandRules): boolean {
    const rules = this.#rules;
    if (rules === null) return false;
    const { bandBps, bandHaltSeconds, referencePrice, referenceStatement, tickSize } = this.#latest(stated);
    return (
      rules.bandBps === bandBps &&
      rules.bandHaltSeconds === bandHaltSeconds &&
      rules.referencePrice === referencePrice &&
      (rules.referenceStatement ?? null) === (referenceStatement ?? null) &&
      rules.tickSize === tickSize &&
      rules.leastTicks === LEAST_TICKS
    );
  }

  /** Whether an operator has stated the reference price of these rules since those that the book goes by, be it the same one. */
  isStated({ referencePrice, referenceStatement }: BandRules): boolean {
    if (referencePrice === null) return false;
    const [statement, known] = [referenceStatement ?? null, this.#rules?.referenceStatement ?? null];
    if (statement !== null) return statement > (known ?? 0);
    return known === null && this.#rules !== null && this.#rules.referencePrice !== referencePrice;
  }

  /** D1 shows the past while it is rebuilt: a price that was stated after that stands. */
  #latest(rules: BandRules): BandRules {
    const known = this.#rules;
    if (known === null || (rules.referenceStatement ?? 0) >= (known.referenceStatement ?? 0)) return rules;
    return { ...rules, referencePrice: known.referencePrice, referenceStatement: known.referenceStatement };
  }

  /**
   * Rules without a halt end one that is under way. A reference price that an operator states anew is what the band lies around from then on, whatever
   * has traded before. Rules that move the ends of the band end a limit state: trading has not come to those.
   *
   * @returns whether these end a halt
   */
  goBy(rules: BandRules, prices: BandPrices): boolean {
    const before = this.band;
    const isHeld = prices.statementsHold && this.isStated(rules);
    const taken = prices.statementsHold ? this.#latest(rules) : rules;
    const known = this.#rules === null ? taken.referencePrice : this.#rules.referencePrice;
    // A statement that is withdrawn moves nothing: the band stays where it lies.
    if (prices.statementsHold && taken.referencePrice === null) this.#reference ??= known;
    const isOther = prices.followsGoing && taken.referencePrice !== null && taken.referencePrice !== known;
    if (isHeld || isOther) this.#reference = null;
    this.#rules = taken;
    if (prices.statementsHold && !isSameBand(before, this.band)) this.#limit = null;
    if (rules.bandHaltSeconds > 0) return false;
    this.#limit = null;
    if (this.#haltedUntil === null) return false;
    this.#haltedUntil = null;
    if (!isHeld) this.#reference = prices.followsGoing ? (prices.going ?? this.#reference) : prices.last;
    return true;
  }

  /**
   * Shares of the market were split: as after a halt, the band lies around what its price comes to. Where nobody agrees on one, that is what it lay around.
   *
   * @param splitOf what a price of before comes to
   */
  reprice({ last, going, followsGoing, statementsHold }: BandPrices, splitOf: (price: number) => number): void {
    this.#limit = null;
    const before = statementsHold ? (this.#reference ?? this.#rules?.referencePrice ?? null) : null;
    this.#reference = followsGoing ? (going ?? (before === null ? last : splitOf(before))) : last;
  }

  /** Whether the ledger has never been told where the band lies. */
  get isUntold(): boolean {
    return this.#told === undefined && (this.#rules?.bandBps ?? 0) > 0;
  }

  /** A version that tells it in another way has run a cycle. */
  forgetTold(): void {
    this.#told = undefined;
  }

  /** Where the band lies and goes as a cycle ends; null where the ledger was told so, and where there is no band. */
  tell(time_ms: number, prices: BandPrices): BandStand | null {
    const { bandBps = 0, referenceStatement: statement = null } = this.#rules ?? {};
    if (bandBps === 0) return null;
    const stand = { reference: this.#reference, target: this.#target(prices), statement };
    const told = this.#told;
    const isTold =
      told?.reference === stand.reference && told.target === stand.target && told.statement === stand.statement;
    if (isTold) return null;
    this.#told = stand;
    return { ...stand, at: time_ms };
  }

  /** Prices that trades may have in this cycle; null for any. */
  get band(): PriceBand | null {
    if (this.#rules === null) return null;
    return priceBand(this.#rules, { reference: this.#reference }, this.#rules.leastTicks ?? 0);
  }

  /** Where nothing trades below anyway, a market that trades there stands still for no reason: at a price of one tick each trade would be one at the end. */
  #isEnd(price: number, { lowestIsNoEnd }: Pick<BandPrices, 'lowestIsNoEnd'>): boolean {
    return !lowestIsNoEnd || price > (this.#rules?.tickSize ?? 0);
  }

  /**
   * Trading has reached the end `price` of the band: a limit state begins, or where the band follows single trades a halt.
   *
   * @returns when the halt ends that begins with this; null where none does
   */
  reached(
    time_ms: number,
    price: number,
    { followsGoing, lowestIsNoEnd }: Pick<BandPrices, 'followsGoing' | 'lowestIsNoEnd'>,
  ): number | null {
    if (!this.#isEnd(price, { lowestIsNoEnd })) return null;
    if (this.isHaltedAt(time_ms) || (this.#rules?.bandHaltSeconds ?? 0) === 0) return null;
    if (!followsGoing) return this.#halt(time_ms, false);
    const { band } = this;
    if (band !== null) this.#limit ??= { ...band, until: time_ms + LIMIT_STATE_MS };
    return null;
  }
}

/** The rules of a market by which its book matches. */
export function bandRulesOf({
  bandBps,
  bandHaltSeconds,
  referencePrice,
  referenceStatement = null,
  tickSize,
}: BandRules): BandRules {
  const statement = referenceStatement === null ? {} : { referenceStatement };
  return { bandBps, bandHaltSeconds, referencePrice, ...statement, tickSize, leastTicks: LEAST_TICKS };
}

function isSameBand(one: PriceBand | null, other: PriceBand | null): boolean {
  return one?.low === other?.low && one?.high === other?.high;
}
