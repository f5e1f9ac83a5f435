import type { ComplianceFacts } from '../accounts/account.ts';
import type { TransferDecisionName } from '../accounts/transfer-request.ts';
import type { TransferType } from '../accounts/transfer-type.ts';
import type { Relationship } from '../accreditation/family.ts';
import type { Regulation } from '../assets/asset.ts';
import type { CalendarDate } from '../calendar/calendar-date.ts';
import type { Market, VenueRoute } from '../markets/market.ts';
import type { DollarRate } from '../money/dollar-rate.ts';
import type { Side } from '../orders/order.ts';
import type { LedgerLimits } from './ledger-limits.ts';
import type {
  AmendmentAdmission,
  DomainEvent,
  OrderAdmission,
  ReceivedLot,
  SettlementChunk,
  Trade,
} from './records.ts';
import type { SplitRatio } from './split-units.ts';

/**
 * Everything that changes the ledger, whoever asks: there is no second door. A transaction is applied whole or not at all, and the
 * ledger's answer to it is its outcome (outcomes.ts).
 */
export type LedgerTransaction =
  | BookBatch
  | TakeOwnership
  | Transfer
  | TransferRequest
  | TransferDecision
  | Grant
  | FactsChange
  | FamilyChange
  | KeyRevocation
  | MarketChange
  | VenueChange
  | RateChange
  | TradeAdjustment
  | RegisterEntry
  | Distribution
  | BridgeMovement
  | Split
  | Settlement
  | BreakResolution
  | RejectedOrderRecord
  | CancellationConfirmed
  | LedgerRulesChange;

/** One cycle of an order book: fence, the effects of earlier cycles, then the commands that ask to be admitted. */
export interface BookBatch {
  readonly kind: 'batch';
  readonly book: string;
  /** Instance of the book that sends it. */
  readonly owner: string;
  /** The number that this batch moves the fence to. */
  readonly batch: number;
  /** Outbox sequence settled before and after this batch. */
  readonly settledFrom: number;
  readonly settledTo: number;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly tracksLots: boolean;
  /** Whether fills go out as events (private securities: settlement audit, webhooks). */
  readonly emitsEvents: boolean;
  readonly chunks: readonly SettlementChunk[];
  readonly orders: readonly OrderAdmission[];
  readonly amendments: readonly AmendmentAdmission[];
}

/** A new instance of a book takes it over from the owner that it read, and from no other. */
export interface TakeOwnership {
  readonly kind: 'own';
  readonly book: string;
  readonly owner: string;
  readonly previousOwner: string;
}

/** A deposit or withdrawal, against its boundary account. */
export interface Transfer {
  readonly kind: 'transfer';
  /** UUIDv7 of the transfer. */
  readonly id: string;
  readonly type: TransferType;
  readonly account: string;
  readonly asset: string;
  /** Above 0. */
  readonly amount: number;
  /** Quote units paid; 0 for a withdrawal. */
  readonly cost: number;
  readonly tracksLots: boolean;
  /** Of a deposit of an asset that tracks lots; they sum to `amount`. A withdrawal takes the oldest that are free. */
  readonly lots: readonly ReceivedLot[];
  readonly reference: string | null;
  readonly createdAt: number;
  /** Its operator event; `before` and `after` balances are added to its payload. Null while seeding. */
  readonly event: DomainEvent | null;
}

/** A user asks to pay in or out; the amount of a withdrawal is held from here on. Of assets without lots. */
export interface TransferRequest {
  readonly kind: 'transfer_request';
  /** UUIDv7 of the request, and of the transfer that it may become. */
  readonly id: string;
  readonly type: TransferType;
  readonly account: string;
  readonly asset: string;
  /** Above 0. */
  readonly amount: number;
  readonly reference: string | null;
  readonly createdAt: number;
}

/** What becomes of a request: by its user (`cancel`), or an operator. */
export interface TransferDecision {
  readonly kind: 'transfer_decision';
  readonly id: string;
  /** Id of the request. */
  readonly request: string;
  /** Whose request it is. */
  readonly account: string;
  readonly decision: TransferDecisionName;
  /** Quote units paid for what a deposit brings; 0 otherwise. */
  readonly cost: number;
  readonly reason: string | null;
  readonly createdAt: number;
  /** Its operator event; `before` and `after` are added to its payload. Null for a user's. */
  readonly event: DomainEvent | null;
}

/** An allowance given to an account, or (negative) taken back from what it has not used, against boundary:limits. */
export interface Grant {
  readonly kind: 'grant';
  readonly id: string;
  readonly account: string;
  readonly asset: string;
  readonly amount: number;
  readonly createdAt: number;
  /** What must still stand for the grant to be made. */
  readonly expect: readonly ExpectedBalance[];
}

export interface ExpectedBalance {
  readonly account: string;
  readonly asset: string;
  readonly available: number;
  readonly held: number;
}

/** New compliance facts of an account: its version rises by one, so that nothing checked under the old ones is admitted. */
export interface FactsChange {
  readonly kind: 'facts';
  readonly id: string;
  readonly account: string;
  /** Version that the change was worked out from. */
  readonly expectedVersion: number;
  /** Null raises the version alone (a kill switch). */
  readonly facts: ComplianceFacts | null;
  /** Whether open orders of the account must be cancelled: kept with the books that have to, until each has confirmed. */
  readonly cancelsOrders: boolean;
  /** Of a limit that has fallen; null or left out where none has. */
  readonly ceiling?: AllowanceCeiling | null;
  readonly createdAt: number;
  readonly event: DomainEvent | null;
}

/** What open orders may hold of an allowance from here on. Where they hold more, the buys that draw on it must be cancelled. */
export interface AllowanceCeiling {
  /** The allowance's balance of the account. */
  readonly asset: string;
  readonly heldMax: number;
  /** What must still stand of the balance: a fill since then has taken from what is left of the limit. */
  readonly available: number;
  readonly held: number;
}

/**
 * Two accounts are family from here on, or no longer. The versions of both rise by one, so that nothing checked before is admitted; where a
 * relation ends, what either has open that carries the other must be cancelled.
 */
export interface FamilyChange {
  readonly kind: 'family';
  /** UUIDv7 of the operator's action. */
  readonly id: string;
  /** Id of the action that made the relation. */
  readonly relation: string;
  readonly account: string;
  readonly relative: string;
  /** Versions that the change was worked out from. */
  readonly expectedVersion: number;
  readonly expectedRelativeVersion: number;
  /** What is recorded, and by whom. */
  readonly change: FamilyRecorded | FamilyEnded;
  readonly createdAt: number;
  readonly event: DomainEvent;
}

interface FamilyRecorded {
  readonly type: 'recorded';
  /** What the relative is to the account. */
  readonly relationship: Relationship;
  readonly evidence: string;
  /** User id of the operator. */
  readonly by: string;
}

interface FamilyEnded {
  readonly type: 'ended';
  readonly reason: string;
  /** User id of the operator. */
  readonly by: string;
}

/** API keys that end: nothing of theirs is admitted any more, and their open orders must be cancelled. */
export interface KeyRevocation {
  readonly kind: 'revoke_keys';
  readonly id: string;
  readonly account: string;
  readonly keyIds: readonly string[];
  readonly createdAt: number;
}

/** What an operator may change of a market while orders rest. */
export type MarketRules = Pick<
  Market,
  | 'status'
  | 'quantityMin'
  | 'quantityMax'
  | 'makerFeeBps'
  | 'takerFeeBps'
  | 'bandBps'
  | 'bandHaltSeconds'
  | 'tradingHours'
  | 'referencePrice'
  | 'referenceStatement'
>;

/** New rules of a market: its version rises by one. */
export interface MarketChange {
  readonly kind: 'market';
  readonly id: string;
  readonly symbol: string;
  readonly expectedVersion: number;
  readonly rules: MarketRules;
  readonly createdAt: number;
  readonly event: DomainEvent | null;
}

/** The market-wide halt, or its end. */
export interface VenueChange {
  readonly kind: 'venue';
  readonly id: string;
  readonly halted: boolean;
  readonly createdAt: number;
  readonly event: DomainEvent | null;
}

/**
 * Dollars for an asset that markets quote in: units of the venue's dollar for `denominator` units of the asset. Its version rises by one, so
 * that no order is admitted that was checked by the rate of before.
 */
export interface RateChange extends DollarRate {
  readonly kind: 'rate';
  readonly id: string;
  readonly asset: string;
  /** 0 for the first. */
  readonly expectedVersion: number;
  readonly createdAt: number;
  readonly event: DomainEvent | null;
}

/** What a trade comes to. */
export interface TradeTerms extends Pick<Trade, 'price' | 'quantity' | 'notional' | 'buyerFee' | 'sellerFee'> {}

/** A trade as it settled. */
export interface AdjustedTrade
  extends TradeTerms,
    Pick<
      Trade,
      'id' | 'sequence' | 'buyOrder' | 'sellOrder' | 'buyer' | 'seller' | 'takerSide' | 'executedAt' | 'settlesOn'
    > {}

/** A trade that was an error: taken back, or settled at another price. Once a trade. */
export interface TradeAdjustment {
  readonly kind: 'adjust_trade';
  /** UUIDv7 of the operator's action. */
  readonly id: string;
  readonly book: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly tracksLots: boolean;
  readonly trade: AdjustedTrade;
  /** What it stands at from here on, for the same quantity; null for nothing: a bust. */
  readonly to: TradeTerms | null;
  /** API key of the selling order; its daily loss gets back what the sale had lost. */
  readonly sellKey: string | null;
  /** Of its quote asset when it settled; left out for dollars, and where none was stated. */
  readonly rate?: DollarRate | null | undefined;
  readonly reason: string;
  readonly createdAt: number;
  readonly event: DomainEvent | null;
}

/**
 * What an issuer's register does to the shares of a security: issued, cancelled, or between holders who have an account and those who have none. Its
 * legs sum to zero; the first one of an asset opens its register.
 */
export interface RegisterEntry {
  readonly kind: 'register_entry';
  /** UUIDv7 of the register's event. */
  readonly id: string;
  readonly asset: string;
  /** Each account once. */
  readonly legs: readonly RegisterLeg[];
  readonly createdAt: number;
  readonly event: DomainEvent | null;
}

export interface RegisterLeg {
  /** An account, `boundary:issuance` or `boundary:register`. */
  readonly account: string;
  /** Never 0. */
  readonly change: number;
  /** What an account receives; they sum to `change`. What leaves an account are its oldest free shares. */
  readonly lots: readonly ReceivedLot[];
}

/**
 * Cash of a corporate action, between accounts and `boundary:distributions`: from who pays, to holders, or back. A leg that cannot be done is left out.
 */
export interface Distribution {
  readonly kind: 'distribution';
  /** UUID that follows from the action, the step and its part. */
  readonly id: string;
  readonly asset: string;
  /** Each account once; the pool has the other side. */
  readonly legs: readonly DistributionLeg[];
  /** What the accounts are told of it. */
  readonly reference: string;
  readonly createdAt: number;
}

export interface DistributionLeg {
  readonly account: string;
  /** Above 0 for what the account gets; never 0. */
  readonly change: number;
}

/**
 * Units of an asset that come in by a bridge (`mint`) or leave by it (`burn`), against the boundary account of the vault that has them on the other
 * chain: no more leave by a vault than have come in by it. `void` moves nothing, and takes the id from a payout that has not landed.
 */
export interface BridgeMovement {
  readonly kind: 'bridge';
  /** The one of its kind that the transfer has (`bridgeMovementId`). */
  readonly id: string;
  /** UUIDv7 of the bridge's transfer. */
  readonly transfer: string;
  /** Of its transfer's terms (`termsCommitment`), from which its id follows. Absent in those of before. */
  readonly commitment?: string;
  readonly type: 'mint' | 'burn' | 'void';
  readonly account: string;
  readonly asset: string;
  /** Above 0. */
  readonly amount: number;
  readonly vault: BridgeVaultName;
  readonly createdAt: number;
}

/** Whose vault, and on which chain. */
export interface BridgeVaultName {
  readonly organization: string;
  readonly chain: string;
}

/**
 * A step of the split of an asset that goes by its register. It begins once; then parts of the accounts follow each other, and nothing else moves shares
 * of the asset until the last of them. What counts is how far the ledger is, so a step that is repeated under another id moves nothing twice.
 */
export interface Split {
  readonly kind: 'split';
  /** UUIDv7 of the step. */
  readonly id: string;
  /** UUIDv7 of the register's event. */
  readonly split: string;
  readonly asset: string;
  /** `give_up` ends it before its first part. */
  readonly step: SplitBegin | SplitPart | { readonly type: 'give_up' };
  readonly createdAt: number;
}

export interface SplitTerms extends SplitRatio {
  /** What `boundary:register` has, and what it has once it is split: the sum over its holders, each by the ratio. */
  readonly register: { readonly from: number; readonly to: number };
  /** What takes the place of the units, all of which end; absent where nothing does. */
  readonly into?: Conversion;
}

/** Units of another asset that goes by a register, so many for so many of those that end: what a merger for stock does. */
export interface Conversion extends SplitRatio {
  readonly asset: string;
  /** What `boundary:register` gets: the sum over its holders, each by the ratio. */
  readonly register: number;
  /** No lot is free before, Unix ms; null where each keeps its own end. */
  readonly restrictionEndsAt: number | null;
  /** Of the asset whose units end: what governs lots that name nothing themselves. Absent in conversions of before, whose lots took the rule of the other asset. */
  readonly regulation?: Regulation | null;
}

export interface SplitBegin extends SplitTerms {
  readonly type: 'begin';
  /** Of the asset: no order may be open in them. */
  readonly books: readonly string[];
}

interface SplitPart {
  readonly type: 'part';
  /** The first is 1. */
  readonly part: number;
}

/** What is due by a day settles: cash of sales leaves broker clearing, shares of purchases may leave their accounts. In parts. */
export interface Settlement {
  readonly kind: 'settle';
  readonly id: string;
  readonly through: CalendarDate;
  readonly createdAt: number;
  /** Of an operator who has it done; null for the job. */
  readonly event: DomainEvent | null;
}

/** An execution that fits no order, as it is to count after all: in full units, free of fees. */
export interface BreakBooking {
  /** Of the market: whose clearing account is the other side. */
  readonly route: VenueRoute;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly tracksLots: boolean;
  readonly account: string;
  /** Of the account. */
  readonly side: Side;
  readonly executionId: string;
  readonly price: number;
  readonly quantity: number;
  readonly notional: number;
  /** When it executed, Unix ms. */
  readonly executedAt: number;
  /** Left out where it settles at once. */
  readonly settlesOn?: CalendarDate | undefined;
}

/** An operator closes a break of a book, for a reason: people have settled it with the broker, or its execution is booked. Once a break. */
export interface BreakResolution {
  readonly kind: 'resolve_break';
  /** UUIDv7 of the operator's action. */
  readonly id: string;
  readonly book: string;
  /** The broker's id of the report. */
  readonly breakId: string;
  /** Null where nothing is to move: it is acknowledged. */
  readonly booking: BreakBooking | null;
  readonly reason: string;
  /** User id of the operator. */
  readonly by: string;
  readonly createdAt: number;
  readonly event: DomainEvent | null;
}

/** An order that failed a check of order entry, kept as rejected; it never reached a book and holds nothing. */
export interface RejectedOrderRecord {
  readonly kind: 'rejected_order';
  readonly order: RejectedOrder;
}

export type RejectedOrder = Pick<
  OrderAdmission,
  | 'id'
  | 'account'
  | 'owner'
  | 'keyId'
  | 'side'
  | 'type'
  | 'timeInForce'
  | 'quantity'
  | 'price'
  | 'stopPrice'
  | 'expiresAt'
  | 'clientOrderId'
  | 'reserveAsset'
  | 'createdAt'
  | 'investor'
> & {
  /** Null for a route without a book. */
  readonly book: string | null;
  readonly assetId: string;
  readonly preIpo: boolean;
  readonly code: string;
};

/** A book has cancelled what a facts change or a revocation asked it to. */
export interface CancellationConfirmed {
  readonly kind: 'cancelled';
  /** Id of the transaction that asked for it. */
  readonly id: string;
  readonly book: string;
}

/** From here on the ledger goes by these rules. It is the ledger's own: the object writes it when its code has other rules on start. */
export interface LedgerRulesChange {
  readonly kind: 'ledger_rules';
  readonly version: number;
  /** One that is not named does not limit: older rules did not have it. */
  readonly limits: Partial<LedgerLimits>;
}
