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

export interface TradedLotsRest {
  /** Those of a taker oldest first. */
  readonly trades: readonly (readonly [tradeId: string, lots: TradedLots, taker: string])[];
  /** Of takers with as many parts, who gives room first. */
  readonly takers: readonly string[];
}

/** As older checkpoints have it. */
type TradedLotsRestBefore = readonly (readonly [tradeId: string, lots: TradedLots])[];

/**
 * Parts of all known trades, some 150 bytes each: 20,000 trades that moved shares of one lot into another. It decides what can be taken back, so it is part of
 * replay.
 */
const PARTS_MAX = 60_000;

/** A trade itself, and each lot that it took from or went into. */
function partsOf({ given, received }: TradedLots): number {
  return 1 + given.length + received.length;
}

interface TradesOfTaker {
  /** In the order in which they came, from `oldest` on. */
  ids: string[];
  oldest: number;
  parts: number;
}

/** How many ids that were forgotten an account's list may begin with, beyond half of it. */
const FORGOTTEN_IDS_MAX = 1_000;

/**
 * Which shares the latest trades in securities with lots have moved. A trade that is not here any more cannot be taken back. Where there are too many, the oldest of
 * the account that has taken most gives room: whoever trades a lot pushes out their own, and nobody those of others. A trade counts for its taker, since nobody
 * chooses who takes from them.
 */
export class RecentTradedLots {
  readonly #partsMax: number;
  readonly #trades = new Map<string, { readonly lots: TradedLots; readonly taker: string }>();
  readonly #ofTaker = new Map<string, TradesOfTaker>();
  /** By number of parts; no set is empty. */
  readonly #takersWith = new Map<number, Set<string>>();
  /** No taker has more. */
  #partsMost = 0;
  #parts = 0;

  constructor(partsMax = PARTS_MAX) {
    this.#partsMax = partsMax;
  }

  add(tradeId: string, lots: TradedLots, taker: string): void {
    this.#keep(tradeId, lots, taker);
    const of = this.#ofTaker.get(taker) as TradesOfTaker;
    this.#rank(taker, of.parts - partsOf(lots), of.parts);
    while (this.#parts > this.#partsMax) this.#forgetOne();
  }

  find(tradeId: string): TradedLots | null {
    return this.#trades.get(tradeId)?.lots ?? null;
  }

  rest(): TradedLotsRest {
    const trades = Array.from(this.#trades, ([id, { lots, taker }]) => [id, lots, taker] as const);
    const numbers = [...this.#takersWith.keys()].sort((a, b) => a - b);
    return { trades, takers: numbers.flatMap((parts) => [...(this.#takersWith.get(parts) ?? [])]) };
  }

  finish(rest: TradedLotsRest | TradedLotsRestBefore): void {
    if (!('takers' in rest)) {
      for (const [tradeId, lots] of rest) this.add(tradeId, lots, '');
      return;
    }
    for (const [tradeId, lots, taker] of rest.trades) this.#keep(tradeId, lots, taker);
    for (const taker of rest.takers) this.#rank(taker, 0, this.#ofTaker.get(taker)?.parts ?? 0);
  }

  #keep(tradeId: string, lots: TradedLots, taker: string): void {
    const parts = partsOf(lots);
    this.#trades.set(tradeId, { lots, taker });
    this.#parts += parts;
    const of = this.#ofTaker.get(taker);
    if (of === undefined) this.#ofTaker.set(taker, { ids: [tradeId], oldest: 0, parts });
    else {
      of.ids.push(tradeId);
      of.parts += parts;
    }
  }

  /** A taker has another number of parts. */
  #rank(taker: string, before: number, after: number): void {
    const left = this.#takersWith.get(before);
    left?.delete(taker);
    if (left?.size === 0) this.#takersWith.delete(before);
    if (after === 0) return;
    const joined = this.#takersWith.get(after);
    if (joined === undefined) this.#takersWith.set(after, new Set([taker]));
    else joined.add(taker);
    this.#partsMost = Math.max(this.#partsMost, after);
  }

  #forgetOne(): void {
    let takers = this.#takersWith.get(this.#partsMost);
    while (takers === undefined) {
      this.#partsMost -= 1;
      takers = this.#takersWith.get(this.#partsMost);
    }
    const taker = takers.values().next().value as string;
    const of = this.#ofTaker.get(taker) as TradesOfTaker;
    const id = of.ids[of.oldest] as string;
    const parts = partsOf(this.#trades.get(id)?.lots as TradedLots);
    this.#trades.delete(id);
    this.#parts -= parts;
    this.#rank(taker, of.parts, of.parts - parts);
    of.parts -= parts;
    of.oldest += 1;
    if (of.parts === 0) this.#ofTaker.delete(taker);
    else if (of.oldest > FORGOTTEN_IDS_MAX && of.oldest * 2 > of.ids.length) {
      of.ids = of.ids.slice(of.oldest);
      of.oldest = 0;
    }
  }
}
