import type { Engine, EngineSnapshot } from '../engine/engine.ts';
import { createFastEngine } from '../engine/fast.ts';

/**
 * One version of what the effects of a cycle follow from, beside the book's state and the journal entry. Rows and snapshots name theirs, and
 * each row is replayed by the version that made it. What differs between versions has a name here, and nowhere a copy of the code.
 */
export interface EngineVersion {
  readonly version: number;
  /** Starts from the snapshot of any version before, too: a book changes its version between two rows. */
  readonly createEngine: (snapshot?: EngineSnapshot) => Engine;
  /** Orders that expire in one cycle; the others do so in the next. */
  readonly expiriesPerCycleMax: number;
  /** Trades, and order states, that one chunk carries before the next is begun: bounds what settles, or fails, together. */
  readonly chunkTradesMax: number;
  readonly chunkOrdersMax: number;
  /** Trades say what either order has filled and has left. */
  readonly tradesSayProgress: boolean;
  /** The price band follows the going price, a market halts when that stands at its end, and the ledger is told what the band lies around. */
  readonly bandFollowsGoing: boolean;
  /** A reference price that an operator states holds until enough accounts agree anew, and the ledger is told where the band lies and goes. */
  readonly statementsHold: boolean;
  /** The trigger that an amendment changes stands in the chunk of its order. */
  readonly triggersStandWithOrders: boolean;
  /** The public sequence counts changes of levels by themselves, and not in the numbers of the engine's events. */
  readonly countsInPublic: boolean;
  /** Orders of a routed market say what their executions may still bring. */
  readonly saysIncoming: boolean;
  /** Nothing settles on the two days on which the exchange trades and banks are closed. */
  readonly banksClose: boolean;
  /** A band that ends at a price of one tick has no end there: nobody halts by trading at the lowest price there is. */
  readonly lowestIsNoEnd: boolean;
}

/** What one deployment of the book's code can do. */
export interface BookCode {
  /** Every version that it can replay. */
  readonly known: readonly EngineVersion[];
  /** The version of the rows that it writes; one of those. */
  readonly current: EngineVersion;
}

const VERSION_4: EngineVersion = {
  version: 4,
  createEngine: (snapshot) => createFastEngine(snapshot, undefined, Number.POSITIVE_INFINITY, false),
  expiriesPerCycleMax: 5_000,
  chunkTradesMax: 1_000,
  chunkOrdersMax: 2_000,
  tradesSayProgress: false,
  bandFollowsGoing: false,
  statementsHold: false,
  triggersStandWithOrders: false,
  countsInPublic: false,
  saysIncoming: false,
  banksClose: false,
  lowestIsNoEnd: false,
};

/**
 * Rows from here on may name the rules of their market, and triggers of stops that change. Rules bind who takes to a price band, let the book
 * halt at its end, and, where they have no halt, end one that is under way. Effects of earlier rows are the same.
 */
const VERSION_5: EngineVersion = { ...VERSION_4, version: 5 };

const VERSION_6: EngineVersion = { ...VERSION_5, version: 6, tradesSayProgress: true };

/** Orders from here on may carry their owner's family, which may buy what is restricted. Effects of earlier rows are the same. */
const VERSION_7: EngineVersion = { ...VERSION_6, version: 7 };

/** Rows from here on may name a split of the market's shares, after which prices from before count by its ratio. Effects of earlier rows are the same. */
const VERSION_8: EngineVersion = { ...VERSION_7, version: 8 };

/** A fill-or-kill order whose own account stands on the other side is judged by the thousand orders that rank first. */
const VERSION_9: EngineVersion = {
  ...VERSION_8,
  version: 9,
  createEngine: (snapshot) => createFastEngine(snapshot, undefined, undefined, false),
};

const VERSION_10: EngineVersion = { ...VERSION_9, version: 10, bandFollowsGoing: true };

/** Rules from here on may name the statement that their reference price is from. Rules that move the band end its limit state. */
const VERSION_11: EngineVersion = {
  ...VERSION_10,
  version: 11,
  statementsHold: true,
  triggersStandWithOrders: true,
  countsInPublic: true,
};

/**
 * Sells on a routed market from here on may name the highest price that an execution counts at. What a triggered stop without a limit does not
 * find stands at its collar.
 */
const VERSION_12: EngineVersion = {
  ...VERSION_11,
  version: 12,
  createEngine: (snapshot) => createFastEngine(snapshot),
  saysIncoming: true,
};

/** Rules from here on may name the ticks that the band reaches at least, and trades of public equities settle on days on which banks are open. */
const VERSION_13: EngineVersion = { ...VERSION_12, version: 13, banksClose: true };

const VERSION_14: EngineVersion = { ...VERSION_13, version: 14, lowestIsNoEnd: true };

/**
 * Another version is added, and made the current one, when the same entry would give other effects
 * (docs/design/order-path.md#engine-versions).
 */
export const BOOK_CODE: BookCode = {
  known: [
    VERSION_4,
    VERSION_5,
    VERSION_6,
    VERSION_7,
    VERSION_8,
    VERSION_9,
    VERSION_10,
    VERSION_11,
    VERSION_12,
    VERSION_13,
    VERSION_14,
  ],
  current: VERSION_14,
};

export function engineVersionOf({ known }: BookCode, version: number): EngineVersion | undefined {
  return known.find((each) => each.version === version);
}

/** Why this code cannot read what is of that version; null when it can. */
export function versionFailure(code: BookCode, what: string, version: number): string | null {
  if (engineVersionOf(code, version) !== undefined) return null;
  const versions = code.known.map((each) => each.version).join(' and ');
  return `${what} is of engine version ${version}, and this code has ${versions}`;
}
