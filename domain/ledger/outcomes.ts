import type { TransferRequestState } from '../accounts/transfer-request.ts';
import type { MarketStatus } from '../markets/market.ts';
import type { Side } from '../orders/order.ts';
import type { HeldAssets, Holds, OpenTransferRequest } from './records.ts';
import type { LedgerTransaction } from './transactions.ts';
import type { UnsettledSum } from './unsettled.ts';

/** Why an order or amendment was not admitted; the first that applies, in this order. */
export type AdmissionRefusal =
  /** The id is known from an earlier batch. */
  | 'exists'
  | 'duplicate_client_order_id'
  | 'account_frozen'
  /** The identity of the account's owner has ended since it was checked. */
  | 'identity_ended'
  | 'key_revoked'
  /** The market is not open, the venue is halted, or its shares are being split. */
  | 'halted'
  /** Facts, rules or the rate have moved since they were checked. */
  | 'stale'
  /** The read model is too far behind: only what ends orders is taken. */
  | 'backlog'
  /** The shard holds as many reservations, balances or lots as it may. */
  | 'ledger_full'
  /** The account has as many open orders, amendments, lots, balances, sums that wait to settle, or API keys under daily limits as it may. */
  | 'account_orders'
  | 'account_amendments'
  | 'account_lots'
  | 'account_balances'
  | 'account_unsettled'
  | 'account_keys'
  | 'allowance'
  | 'position'
  /** Daily limits of the API key (daily-limits.ts). */
  | 'daily_notional'
  | 'daily_loss'
  /** A key under daily limits amends an order that does not count against it. */
  | 'outside_limit'
  /** The account, or all accounts together, would come to have more of what it brings than amounts are exact in (incoming-room.ts). */
  | 'holding'
  | 'balance';

export interface RefusedAdmission {
  readonly id: string;
  readonly refusal: AdmissionRefusal;
  /** What was available of the asset or limit that fell short, or the quota that the account has used up; 0 where none did. */
  readonly available: number;
  /** What it asked of a daily limit, or might bring; 0 where neither refused it. */
  readonly required: number;
  /** Order that carries the client order id already. */
  readonly existingId: string | null;
  /** Who has used a quota up, where it is not the account alone: its investor over all accounts, or all investors of the partner. */
  readonly of?: WiderOwner;
}

/** Whose quota an account shares with others. */
export type WiderOwner = 'investor' | 'partner';

/** A share of a lot that an admitted sell has reserved; oldest lots first. */
export interface ReservedLot {
  readonly reservationId: string;
  readonly lotId: string;
  readonly quantity: number;
  readonly restrictionEndsAt: number | null;
  readonly offeringType: string | null;
}

/** What a batch came to. Every order and amendment not refused was admitted. */
export type BatchOutcome =
  | {
      readonly type: 'landed';
      readonly refused: readonly RefusedAdmission[];
      readonly lots: readonly ReservedLot[];
      /** Of the rate that its trades settled at; left out without trades, for dollars, and where no rate is stated. */
      readonly rateVersion?: number;
    }
  /** Another instance owns the book, or it is not this batch's turn: the sender must stop at once. */
  | { readonly type: 'fenced'; readonly owner: string; readonly batch: number; readonly settled: number };

/** What an order or amendment holds that the ledger admitted and its book never journaled: released on recovery, never matched late. */
export interface UnjournaledHold extends HeldAssets {
  readonly kind: 'order' | 'amendment';
  readonly id: string;
  readonly account: string;
  readonly quantity: number;
  readonly price: number | null;
  readonly lots: readonly { readonly lotId: string; readonly quantity: number }[];
}

export type OwnOutcome =
  | {
      readonly type: 'taken';
      readonly batch: number;
      readonly settled: number;
      /** What the last batch admitted and still holds. The new owner releases it when its journal lacks that batch. */
      readonly admitted: readonly UnjournaledHold[];
      /** What admission goes by: D1 may be behind, or show the past while it is rebuilt. */
      readonly market: { readonly version: number; readonly status: MarketStatus };
      readonly venueHalted: boolean;
    }
  | { readonly type: 'fenced'; readonly owner: string; readonly batch: number; readonly settled: number };

/** Another transaction stands under this id. */
interface IdConflict {
  readonly type: 'id_conflict';
}

export type TransferOutcome =
  | {
      readonly type: 'done';
      /** Of the account's balance, for the audit event. */
      readonly before: { readonly available: number; readonly held: number };
      readonly after: { readonly available: number; readonly held: number };
      /** Lots that a withdrawal took from, so that the projection knows which to write. */
      readonly lotIds: readonly string[];
    }
  | { readonly type: 'insufficient_balance'; readonly required: number; readonly available: number }
  /** Shares that have not settled may not leave; `available`: those that may. */
  | { readonly type: 'unsettled'; readonly required: number; readonly available: number }
  /** A balance would leave the range that amounts are exact in. */
  | { readonly type: 'balance_too_large' }
  | { readonly type: 'ledger_full' }
  /** Shares of this asset come and go by its register alone. */
  | { readonly type: 'goes_by_register' }
  /** Its lots are not what it brings, or one of them is here already. */
  | { readonly type: 'malformed' }
  | TooManyLots
  | IdConflict;

/** An account, or a security, would have more lots than it may while the shard has as many as it has. */
export interface TooManyLots {
  readonly type: 'too_many_lots';
  readonly of: 'account' | 'security';
  /** Null for a security. */
  readonly account: string | null;
  readonly lotsMax: number;
}

export type RegisterEntryOutcome =
  /** `lotIds`: lots that it has made, changed or taken away. */
  | { readonly type: 'done'; readonly lotIds: readonly string[] }
  /** The account, or what holders without an account have together, does not have so many available. */
  | {
      readonly type: 'insufficient_balance';
      readonly account: string;
      readonly required: number;
      readonly available: number;
    }
  /** The asset has no register yet, and shares that came in by deposits. */
  | { readonly type: 'has_deposits' }
  /** Its shares are being split. */
  | { readonly type: 'split_under_way' }
  | { readonly type: 'balance_too_large' }
  | { readonly type: 'ledger_full' }
  | TooManyLots
  /** Its legs or lots contradict themselves. */
  | { readonly type: 'malformed'; readonly detail: RegisterEntryFault }
  /** It could not be applied: the ledger had to start again, and does not try it a second time. Nothing of it is in. */
  | { readonly type: 'failed' }
  | IdConflict;

export type RegisterEntryFault =
  | 'too_many_legs'
  | 'not_whole'
  | 'unbalanced'
  | 'repeated_account'
  | 'foreign_boundary'
  | 'wrong_lots'
  | 'lot_exists';

export type DistributionOutcome =
  /** Every leg was done but these. */
  | { readonly type: 'done'; readonly skipped: readonly SkippedLeg[] }
  | { readonly type: 'malformed'; readonly detail: DistributionFault }
  | IdConflict;

/** A leg that was left out: who pays has too little, who gets has no room, or the pool has less than that. */
export interface SkippedLeg {
  readonly account: string;
  readonly reason: 'insufficient_balance' | 'insufficient_pool' | 'ledger_full' | 'balance_too_large';
}

export type DistributionFault = 'too_many_legs' | 'not_whole' | 'repeated_account' | 'foreign_boundary' | 'no_cash';

/** Decided once under the id: who was refused asks under another one. */
export type BridgeOutcome =
  | { readonly type: 'done' }
  | { readonly type: 'insufficient_balance'; readonly required: number; readonly available: number }
  /** The account is frozen: nothing of it leaves. */
  | { readonly type: 'account_frozen' }
  /** So many have come in by that vault and not left again. */
  | { readonly type: 'vault_short'; readonly required: number; readonly available: number }
  | { readonly type: 'goes_by_register' }
  | { readonly type: 'balance_too_large' }
  | { readonly type: 'ledger_full' }
  /** Its amount or its vault is none. */
  | { readonly type: 'malformed' }
  | IdConflict;

/** What an account, or `boundary:register`, has more or less. */
export interface SplitChange {
  readonly account: string;
  /** Never 0. */
  readonly change: number;
}

export type SplitOutcome =
  /** `part`: how many are done; `isOver`: that was the last. `lotIds`: lots that it has changed or taken away. */
  | {
      readonly type: 'done';
      readonly part: number;
      readonly isOver: boolean;
      readonly changes: readonly SplitChange[];
      readonly lotIds: readonly string[];
      /** What holders got of the other asset; absent where nothing takes the place of what ended. */
      readonly converted?: { readonly asset: string; readonly changes: readonly SplitChange[] };
    }
  /** Shares are in orders or requested withdrawals, or have not settled; of no account: an order is open. */
  | { readonly type: 'held'; readonly account: string | null }
  /** The asset does not go by a register. */
  | { readonly type: 'no_register' }
  /** `boundary:register` has something else than was said. */
  | { readonly type: 'register_differs' }
  | { readonly type: 'balance_too_large' }
  /** No room for the balances of what takes the place of the units. */
  | { readonly type: 'ledger_full' }
  /** Another split of the asset is, or one into it or of what it goes into. */
  | { readonly type: 'under_way' }
  /** This one is not: it never began, or was given up. */
  | { readonly type: 'not_under_way' }
  /** So many parts are done: it is another one's turn, or too late to give up. */
  | { readonly type: 'not_next'; readonly part: number }
  /** It was carried out. */
  | { readonly type: 'over' }
  /** Its ratio or amounts are none. */
  | { readonly type: 'malformed' }
  | IdConflict;

export type TransferRequestOutcome =
  | { readonly type: 'done' }
  | { readonly type: 'account_frozen' }
  | { readonly type: 'insufficient_balance'; readonly required: number; readonly available: number }
  /** The account has as many open requests as it may. */
  | { readonly type: 'too_many_requests'; readonly openMax: number }
  | { readonly type: 'ledger_full' }
  | IdConflict;

/** Refusals of a transfer come as they are. */
export type TransferDecisionOutcome =
  | {
      readonly type: 'done';
      /** As it was. */
      readonly request: OpenTransferRequest;
      readonly state: TransferRequestState;
      /** The account's balance before and after an execution, with nothing held for the request. */
      readonly moved: Pick<Extract<TransferOutcome, { type: 'done' }>, 'before' | 'after'> | null;
    }
  /** It has ended, or there never was one of this account. */
  | { readonly type: 'not_open' }
  | { readonly type: 'not_allowed'; readonly from: TransferRequestState }
  /** Since it was opened. */
  | { readonly type: 'account_frozen' }
  | Exclude<TransferOutcome, { type: 'done' }>;

export type ChangeOutcome =
  /** `version` after the change; `cancelIn`: books that must cancel open orders. */
  | { readonly type: 'done'; readonly version: number; readonly cancelIn: readonly string[] }
  /** The facts, rules or balances that it was worked out from have moved. */
  | { readonly type: 'stale'; readonly version: number }
  | IdConflict;

export type FamilyOutcome =
  /** Versions of both accounts after the change; `cancelIn`: books that must cancel open orders. */
  | {
      readonly type: 'done';
      readonly version: number;
      readonly relativeVersion: number;
      readonly cancelIn: readonly string[];
    }
  /** The facts of one of them have moved. */
  | { readonly type: 'stale' }
  | IdConflict;

export type RateOutcome =
  /** `version` after the change. */
  | { readonly type: 'done'; readonly version: number }
  | { readonly type: 'stale'; readonly version: number }
  /** Rates are stated for as many assets as may be. */
  | { readonly type: 'too_many_rates'; readonly ratesMax: number }
  | IdConflict;

/** What one side of a trade must give back and does not have available. */
export interface MissingReturn {
  readonly side: 'buyer' | 'seller';
  readonly account: string;
  readonly asset: string;
  readonly required: number;
  readonly available: number;
}

export type AdjustmentOutcome =
  /** `lotIds`: lots that it has changed, made or taken away. */
  | {
      readonly type: 'done';
      readonly lotIds: readonly string[];
      /** What the trade had left unsettled is this much more or less; left out where that has settled, or never waited. */
      readonly unsettled?: UnsettledSum;
    }
  | { readonly type: 'not_returnable'; readonly missing: readonly MissingReturn[] }
  | { readonly type: 'already_adjusted' }
  /** Its shares have been split since, or are being split. */
  | { readonly type: 'split_since' }
  /** Too many trades ago: nobody knows any more which shares it moved. */
  | { readonly type: 'lots_unknown' }
  /** A side would have more than amounts are exact in. */
  | { readonly type: 'balance_too_large' }
  | { readonly type: 'ledger_full' }
  | IdConflict;

export type SettlementOutcome =
  /** `settled`: what was due, a bounded part of it. */
  { readonly type: 'done'; readonly settled: readonly UnsettledSum[] } | { readonly type: 'nothing_due' } | IdConflict;

/** What a break's execution came to. */
export interface BookedExecution {
  /** Lots that it has made or taken from. */
  readonly lotIds: readonly string[];
  /** Dollars that the shares of a sale had cost; null for a purchase. */
  readonly sellerCost: number | null;
  /** Of the rate that it was booked at; null for dollars, and where none is stated. */
  readonly rateVersion: number | null;
}

export type BreakOutcome =
  /** `booked`: null where it was acknowledged. */
  | { readonly type: 'done'; readonly booked: BookedExecution | null }
  | { readonly type: 'already_resolved' }
  /** By another break that tells of the same execution. */
  | { readonly type: 'already_booked' }
  | {
      readonly type: 'insufficient_balance';
      readonly asset: string;
      readonly required: number;
      readonly available: number;
    }
  | { readonly type: 'balance_too_large' }
  | { readonly type: 'ledger_full' }
  | IdConflict;

/** Where the ledger stands with a book; of one that it has never heard of: owner '', batch 0, settled 0. */
export interface Fence {
  readonly owner: string;
  readonly batch: number;
  /** Outbox sequence up to which the book's effects are in. */
  readonly settled: number;
}

/** What one reservation holds. */
export interface ReservationRow extends Holds {
  readonly kind: 'order' | 'amendment';
  readonly id: string;
  readonly account: string;
}

/** Where an open order stands. */
export interface OpenOrderPlace {
  readonly orderId: string;
  readonly book: string;
  readonly clientOrderId: string | null;
}

/** Books that must cancel open orders after a change of facts or a revocation, until each has confirmed. */
export interface PendingCancellation {
  /** Of the transaction that asked for it. */
  readonly id: string;
  readonly account: string;
  /** Only orders of these keys; null for all orders of the account. */
  readonly keyIds: readonly string[] | null;
  /** Only orders of this side; left out for both. */
  readonly side?: Side;
  /** Only orders of the two accounts that carry each other as family. */
  readonly relative?: string;
  readonly books: readonly string[];
}

export interface LedgerViolationRow {
  readonly invariant: 'L1' | 'L2' | 'L3' | 'lots' | 'unsettled' | 'replay';
  readonly violation: string;
}

export type RecordOutcome = { readonly type: 'done' } | { readonly type: 'exists' };

/** The outcome of each kind of transaction. */
export interface OutcomeOf {
  readonly batch: BatchOutcome;
  readonly own: OwnOutcome;
  readonly transfer: TransferOutcome;
  readonly transfer_request: TransferRequestOutcome;
  readonly transfer_decision: TransferDecisionOutcome;
  readonly grant: ChangeOutcome;
  readonly facts: ChangeOutcome;
  readonly family: FamilyOutcome;
  readonly revoke_keys: ChangeOutcome;
  readonly market: ChangeOutcome;
  readonly venue: ChangeOutcome;
  readonly rate: RateOutcome;
  readonly adjust_trade: AdjustmentOutcome;
  readonly register_entry: RegisterEntryOutcome;
  readonly distribution: DistributionOutcome;
  readonly bridge: BridgeOutcome;
  readonly split: SplitOutcome;
  readonly settle: SettlementOutcome;
  readonly resolve_break: BreakOutcome;
  readonly rejected_order: RecordOutcome;
  readonly cancelled: RecordOutcome;
  readonly ledger_rules: RecordOutcome;
}

export type LedgerOutcome = OutcomeOf[LedgerTransaction['kind']];
