/** Shares that a seller gave, as they were in the lot that they came from. */
export interface GivenLot {
  readonly quantity: number;
  /** Dollars that the seller had paid for them. */
  readonly cost: number;
  readonly acquiredAt: number;
  readonly restrictionEndsAt: number | null;
  readonly offeringType: string | null;
}

/** What a lot of the buyer got of a trade. Fills of one order may share a lot. */
export interface ReceivedPart {
  readonly lotId: string;
  readonly quantity: number;
  /** Dollars that the buyer has paid for them. */
  readonly cost: number;
}

/** Which shares a trade has moved. */
export interface TradedLots {
  /** In the order in which they left. */
  readonly given: readonly GivenLot[];
  /** Lots of the buyer that they went into, each once. */
  readonly received: readonly ReceivedPart[];
}

export type TradedLotsRest = readonly (readonly [tradeId: string, TradedLots])[];

/** Trades whose lots are known. It decides what can be taken back, so it is part of replay: more may be kept later, never fewer. */
const TRADED_LOTS_MAX = 10_000;

/**
 * Which shares the latest trades in securities with lots have moved. A trade that is not here any more cannot be taken back. Exactly the
 * latest so many: a ledger that began to keep them later than its replay does knows no trade that the replay does not.
 */
export class RecentTradedLots {
  readonly #max: number;
  readonly #lots = new Map<string, TradedLots>();
  /** Ids in the order in which they came, from `#oldest` on and around. */
  #ids: string[] = [];
  #oldest = 0;

  constructor(max = TRADED_LOTS_MAX) {
    this.#max = max;
  }

  add(tradeId: string, lots: TradedLots): void {
    this.#lots.set(tradeId, lots);
    if (this.#ids.length < this.#max) {
      this.#ids.push(tradeId);
      return;
    }
    this.#lots.delete(this.#ids[this.#oldest] as string);
    this.#ids[this.#oldest] = tradeId;
    this.#oldest = (this.#oldest + 1) % this.#max;
  }

  find(tradeId: string): TradedLots | null {
    return this.#lots.get(tradeId) ?? null;
  }

  /** Oldest first. */
  rest(): TradedLotsRest {
    const ids = [...this.#ids.slice(this.#oldest), ...this.#ids.slice(0, this.#oldest)];
    return ids.map((id) => [id, this.#lots.get(id) as TradedLots] as const);
  }

  finish(rest: TradedLotsRest): void {
    for (const [tradeId, lots] of rest) this.add(tradeId, lots);
  }
}
