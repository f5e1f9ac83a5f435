/** Shares that a seller gave, as they were in the lot that they came from. */
export interface GivenLot {
  readonly quantity: number;
  /** Dollars that the seller had paid for them. */
  readonly cost: number;
  readonly acquiredAt: number;
  readonly restrictionEndsAt: number | null;
  readonly offeringType: string | null;
  /** Whether the seller had bought them; left out where they came by a register or deposit. */
  readonly isBought?: true;
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

/** Whose doing a trade is, and whose lots it took from. */
export interface TradedBy {
  readonly taker: string;
  readonly giver: string;
}

export interface TradedLotsRest {
  /** Those of an account oldest first. Without a giver all of a trade counts for its taker, as it did in older checkpoints. */
  readonly trades: readonly (readonly [tradeId: string, lots: TradedLots, taker: string, giver?: string])[];
  /** Of accounts with as many parts, who gives room first. */
  readonly takers: readonly string[];
}

/** As older checkpoints have it. */
type TradedLotsRestBefore = readonly (readonly [tradeId: string, lots: TradedLots])[];

/**
 * Parts of all known trades, some 150 bytes each: 20,000 trades that moved shares of one lot into another. It decides what can be taken back, so it is part of
 * replay.
 */
const PARTS_MAX = 60_000;

/** A trade, one lot that it took from and one that it went into are its taker's, who chose it. That there are more is the doing of who gave shares that lay in them. */
function partsOf({ given, received }: TradedLots): Readonly<Record<keyof TradedBy, number>> {
  const taker = 1 + Math.min(1, given.length) + Math.min(1, received.length);
  return { taker, giver: 1 + given.length + received.length - taker };
}

interface Kept extends TradedBy {
  readonly lots: TradedLots;
}

interface TradesOfAccount {
  /** In the order in which they came, from `oldest` on. Those that another account's turn has forgotten stay until there are too many of them. */
  ids: string[];
  oldest: number;
  /** How many of them are known. */
  known: number;
  parts: number;
}

/** How many ids that were forgotten an account's list may have, beyond as many as are known. */
const FORGOTTEN_IDS_MAX = 1_000;

/**
 * Which shares the latest trades in securities with lots have moved. A trade that is not here any more cannot be taken back. Where there are too many, the oldest of
 * the account that has most gives room: whoever trades a lot, or gives shares that lie in many lots, pushes out their own, and nobody those of others.
 */
export class RecentTradedLots {
  readonly #partsMax: number;
  readonly #trades = new Map<string, Kept>();
  readonly #ofAccount = new Map<string, TradesOfAccount>();
  /** By number of parts; no set is empty. */
  readonly #accountsWith = new Map<number, Set<string>>();
  /** No account has more. */
  #partsMost = 0;
  #parts = 0;

  constructor(partsMax = PARTS_MAX) {
    this.#partsMax = partsMax;
  }

  add(tradeId: string, lots: TradedLots, by: TradedBy): void {
    for (const [account, parts] of this.#keep(tradeId, { lots, ...by })) this.#rank(account, parts);
    while (this.#parts > this.#partsMax) this.#forgetOne();
  }

  find(tradeId: string): TradedLots | null {
    return this.#trades.get(tradeId)?.lots ?? null;
  }

  rest(): TradedLotsRest {
    const trades = Array.from(this.#trades, ([id, { lots, taker, giver }]) => [id, lots, taker, giver] as const);
    const numbers = [...this.#accountsWith.keys()].sort((a, b) => a - b);
    return { trades, takers: numbers.flatMap((parts) => [...(this.#accountsWith.get(parts) ?? [])]) };
  }

  finish(rest: TradedLotsRest | TradedLotsRestBefore): void {
    if (!('takers' in rest)) {
      for (const [tradeId, lots] of rest) this.add(tradeId, lots, { taker: '', giver: '' });
      return;
    }
    for (const [tradeId, lots, taker, giver = taker] of rest.trades) this.#keep(tradeId, { lots, taker, giver });
    for (const account of rest.takers) this.#rank(account, 0);
  }

  /** @returns how many parts each account had before, and has more of */
  #keep(tradeId: string, kept: Kept): Map<string, number> {
    this.#trades.set(tradeId, kept);
    const before = new Map<string, number>();
    for (const [account, parts] of chargesOf(kept)) {
      const of = this.#ofAccount.get(account) ?? { ids: [], oldest: 0, known: 0, parts: 0 };
      this.#ofAccount.set(account, of);
      before.set(account, of.parts);
      of.ids.push(tradeId);
      of.known += 1;
      of.parts += parts;
      this.#parts += parts;
      compact(of, this.#trades);
    }
    return before;
  }

  /** An account has another number of parts than before. */
  #rank(account: string, before: number): void {
    const left = this.#accountsWith.get(before);
    left?.delete(account);
    if (left?.size === 0) this.#accountsWith.delete(before);
    const after = this.#ofAccount.get(account)?.parts ?? 0;
    if (after === 0) return;
    const joined = this.#accountsWith.get(after);
    if (joined === undefined) this.#accountsWith.set(after, new Set([account]));
    else joined.add(account);
    this.#partsMost = Math.max(this.#partsMost, after);
  }

  #forgetOne(): void {
    let accounts = this.#accountsWith.get(this.#partsMost);
    while (accounts === undefined) {
      this.#partsMost -= 1;
      accounts = this.#accountsWith.get(this.#partsMost);
    }
    const heaviest = accounts.values().next().value as string;
    const theirs = this.#ofAccount.get(heaviest) as TradesOfAccount;
    while (!this.#trades.has(theirs.ids[theirs.oldest] as string)) theirs.oldest += 1;
    const id = theirs.ids[theirs.oldest] as string;
    const kept = this.#trades.get(id) as Kept;
    this.#trades.delete(id);
    for (const [account, parts] of chargesOf(kept)) {
      const of = this.#ofAccount.get(account) as TradesOfAccount;
      const before = of.parts;
      of.parts -= parts;
      of.known -= 1;
      this.#parts -= parts;
      if (of.known === 0) this.#ofAccount.delete(account);
      this.#rank(account, before);
      compact(of, this.#trades);
    }
  }
}

/** What a trade counts for whom; nothing for a giver of one lot. */
function chargesOf({ lots, taker, giver }: Kept): Map<string, number> {
  const parts = partsOf(lots);
  const charges = new Map([[taker, parts.taker]]);
  if (parts.giver > 0) charges.set(giver, parts.giver + (charges.get(giver) ?? 0));
  return charges;
}

/** Once more of an account's ids are forgotten than known, and many, they go. */
function compact(of: TradesOfAccount, known: ReadonlyMap<string, unknown>): void {
  if (of.ids.length <= 2 * of.known + FORGOTTEN_IDS_MAX) return;
  of.ids = of.ids.slice(of.oldest).filter((id) => known.has(id));
  of.oldest = 0;
}
