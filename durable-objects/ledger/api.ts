import type { HeldKind, HeldPage, HeldRow } from '../../domain/ledger/held-rows.ts';
import type { JournalPart } from '../../domain/ledger/journal-source.ts';
import type { KeyUse } from '../../domain/ledger/limited-keys.ts';
import type {
  BatchOutcome,
  Fence,
  LedgerViolationRow,
  OpenOrderPlace,
  OutcomeOf,
  OwnOutcome,
  ReservationRow,
} from '../../domain/ledger/outcomes.ts';
import type { AccountBalance } from '../../domain/ledger/records.ts';
import type {
  BookBatch,
  LedgerRulesChange,
  LedgerTransaction,
  TakeOwnership,
} from '../../domain/ledger/transactions.ts';

/** Accounts of one question: an answer of 5,000 numbers is some 60 kB. */
export const AVAILABLE_ACCOUNTS_MAX = 5_000;

/**
 * What others may ask of a ledger object. One object per shard, named `ledger:<n>`. Every answer is durable. Calls return values for
 * expected failures; an exception means that the outcome is unknown, and the caller sends the same transaction again on a fresh stub.
 */
export interface LedgerApi {
  /** A book's batch, in the text of `batchText` (domain/ledger/batch-text.ts); answers the text of a `CommitAnswer`. */
  commitText(batch: string): Promise<string>;
  /** Where the ledger stands with a book; a book it has never heard of has owner '', batch 0, settled 0. */
  fence(book: string): Promise<Fence>;
  takeOwnership(request: TakeOwnership): Promise<OwnOutcome>;
  /** Applies a transaction once: repeated under its id, it answers as before; another one under that id is an `id_conflict`. */
  transact<T extends DoorTransaction>(transaction: T): Promise<OutcomeOf[T['kind']]>;
  /** Everything that an account has, in the order in which it first had it; what was acknowledged by the ledger is in it. */
  balances(account: string): Promise<AccountBalance[]>;
  /**
   * What each of these accounts, AVAILABLE_ACCOUNTS_MAX of them at most, has available of an asset, in their order.
   * @throws RangeError beyond
   */
  available(accounts: readonly string[], asset: string): Promise<number[]>;
  /** What the orders of an API key come to today, and what so many of the account's shares of an asset have cost. */
  dailyUse(question: DailyUseQuestion): Promise<DailyUse>;
  /** Books in which open orders or amendments of the account hold something, by the ledger's knowledge. */
  openBooks(account: string): Promise<string[]>;
  /** Where an order of the account is open, by its id or by its client order id; null when it is not. */
  openOrder(
    account: string,
    wanted: { readonly orderId: string } | { readonly clientOrderId: string },
  ): Promise<OpenOrderPlace | null>;
  /** Client order ids of open orders, in the order of their ids; null where there is none. */
  clientOrderIds(orderIds: string[]): Promise<(string | null)[]>;
  /**
   * Whether an order of this id will never be admitted any more, because the id is too old to be told from a repetition, and nothing is
   * held under it. What became of it, if anything, stands in D1 once that is `projected()`.
   */
  isForgotten(orderId: string): Promise<boolean>;
  /**
   * Resolves once D1 shows everything that was journaled before this call, so that a read which follows sees it. False when that did
   * not happen within PROJECTED_WAIT_MS: D1 is away or far behind.
   */
  projected(): Promise<boolean>;
  /** Cheap: it may be polled. */
  status(): Promise<LedgerStatus>;
  /** A hash over the whole state, and the journal row after which it was that. It walks everything that the ledger holds. */
  stateHash(): Promise<{ readonly journaled: number; readonly stateHash: string }>;
  /** Compares the ledger with the replay of its own journal, and checks L1 to L3 and the lots over all it holds; [] when all is right. */
  selfAudit(): Promise<LedgerViolationRow[]>;
  /** Every reservation of a book, for the audit of ledger against book, order by order. */
  reservations(book: string): Promise<ReservationRow[]>;
  /** Rows of one kind that the ledger holds, from a place on, for the audit of D1: `count` places, and HELD_ROWS_MAX at most. */
  heldPage(kind: HeldKind, from: number, count: number): Promise<HeldPage>;
  /** What it holds under these keys, HELD_ROWS_MAX of them at most. @throws RangeError beyond */
  heldRows(kind: HeldKind, keys: readonly string[]): Promise<HeldRow[]>;
  /** Rows of the journal after `seq`; a halted ledger answers, too. Segments lie in the bucket LEDGER_JOURNAL. */
  journalPartAfter(seq: number): Promise<JournalPart>;
  /**
   * Begins to write the read model again: proves the journal whole, empties the tables of D1 that are projected, and lets the projector
   * write them from the first row on; each in bounded steps that go on after a crash. `status()` shows how far it is. While D1 lacks what it
   * showed, reads of accounts are refused and nothing new is admitted.
   *
   * @param id of who asks: asked again, the same rebuild is answered
   */
  rebuildReadModel(id: string): Promise<RebuildOutcome>;
}

/**
 * `begun`: it is under way, or was before under this id. `under_way`: another one is. `shared`: another shard is projected into this D1.
 * Nothing was done in the last two cases.
 */
export type RebuildOutcome =
  | { readonly type: 'begun' | 'under_way'; readonly rebuild: RebuildProgress }
  | { readonly type: 'shared'; readonly shard: string };

/** How far a rebuild of the read model is; numbers are rows of the journal unless they say otherwise. */
export interface RebuildProgress {
  readonly id: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** `failed`: the journal is not whole, and D1 is as it was. */
  readonly phase: 'verifying' | 'emptying' | 'writing' | 'done' | 'failed';
  /** The journal's last row when it began. */
  readonly to: number;
  /** Proved to be whole. */
  readonly verified: number;
  /** Rows of D1 that this instance of the ledger has deleted. */
  readonly emptied: number;
  readonly projected: number;
  readonly journaled: number;
  readonly reason: string | null;
}

/** Rows of one answer to an audit. */
export const HELD_ROWS_MAX = 10_000;

/** The one shard that there is. */
export const LEDGER_SHARD = 'ledger:0';

export const PROJECTED_WAIT_MS = 5_000;

/** Transactions of every caller but a book. A change of rules is missing: the ledger makes it by itself. */
export type DoorTransaction = Exclude<LedgerTransaction, BookBatch | TakeOwnership | LedgerRulesChange>;

export type CommitAnswer =
  | BatchOutcome
  /** The effects break an invariant: the book must halt. Nothing of the batch is in. */
  | { readonly type: 'violated'; readonly message: string };

/** An order that a key under daily limits might place; `quantity` is 0 for a buy. */
export interface DailyUseQuestion {
  readonly keyId: string;
  readonly account: string;
  readonly asset: string;
  readonly quantity: number;
}

/** Against what an order under daily limits is judged (domain/ledger/daily-limits.ts). */
export interface DailyUse extends KeyUse {
  readonly cost: number;
}

export interface LedgerStatus {
  /** Sequence of the last journal row, and the last that stands in D1. */
  readonly journaled: number;
  readonly projected: number;
  /** The last row that is sealed in R2. What is not stays in the object, up to `unsealedBytesMax` of its settings. */
  readonly sealed: number;
  /** How long D1 has been behind, Unix ms of the oldest row it lacks; null when it lacks none. */
  readonly behindSince: number | null;
  readonly accounts: number;
  readonly balances: number;
  /** Open orders, and amendments. */
  readonly reservations: number;
  readonly amendments: number;
  readonly lots: number;
  /** Sums of cash and shares that wait to settle. */
  readonly unsettled: number;
  /** How full the ledger is, bound by bound. */
  readonly bounds: readonly BoundFill[];
  /** Whether new orders are admitted: not while it is halted, D1 or R2 are too far behind, or the read model is being rebuilt. */
  readonly admits: boolean;
  /** Books have not confirmed yet that they cancelled what a freeze or a revocation asked of them. */
  readonly cancellationsPending: number;
  /** The last rebuild of the read model; null when there never was one. */
  readonly rebuild: RebuildProgress | null;
  /** Why the ledger stands still, if it does. */
  readonly halted: string | null;
}

type BoundName =
  | 'balances'
  | 'reservations'
  | 'amendments'
  | 'lots'
  | 'unsettled'
  | 'queued_transactions'
  | 'queued_bytes'
  | 'unprojected_rows'
  | 'unprojected_bytes'
  | 'unsealed_bytes'
  | 'store_bytes';

/** A bound of the ledger: what counts against it now, and where it ends. */
export interface BoundFill {
  readonly bound: BoundName;
  readonly used: number;
  readonly max: number;
}

/**
 * A fresh stub of a ledger. After an exception a stub stays broken, so one is made for every call. The binding's type wraps every value in
 * disposables, which plain data never is; the object implements this interface.
 */
export function ledgerOf(
  env: { readonly LEDGER: { getByName(name: string): unknown } },
  shard: string = LEDGER_SHARD,
): LedgerApi {
  return env.LEDGER.getByName(shard) as LedgerApi;
}
