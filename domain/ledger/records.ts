import type { TransferRequestState } from '../accounts/transfer-request.ts';
import type { TransferType } from '../accounts/transfer-type.ts';
import type { CalendarDate } from '../calendar/calendar-date.ts';
import type { BarInterval } from '../charts/bar-interval.ts';
import type { BandStand } from '../markets/band-reference.ts';
import type { OrderStatus, OrderType, Side, TimeInForce } from '../orders/order.ts';
import type { Balance } from './balances.ts';
import { type RecordCodec, recordCodec } from './record-codec.ts';

/**
 * What books, operators and other callers hand to the ledger, as records with named fields. Amounts are scaled integers of their asset,
 * times Unix milliseconds. Each record has its codec beside it: the packed form is for the wire and the journal alone.
 */

/** What an order or amendment holds. */
export interface Holds {
  /** Cash of a buy, shares of a sell. */
  readonly reserve: number;
  /** Of a Reg CF allowance; units of the venue's dollar. */
  readonly allowance: number;
  /** Of a position limit of the API key; base units. */
  readonly position: number;
}

/** The same with what it is held of; null where nothing of the kind is held. */
export interface HeldAssets extends Holds {
  readonly reserveAsset: string;
  readonly allowanceAsset: string | null;
  readonly positionAsset: string | null;
}

/** What an order may come to, in units of the quote asset: what it counts, and holds, against daily limits once in dollars. */
export interface Exposure {
  /** Of the whole order: what has filled, and what is left at its limit. */
  readonly notional: number;
  /** Shares that a sell has left; 0 for a buy. */
  readonly quantity: number;
  /** What those shares bring at the least, at the limit and less the highest fee; 0 for a buy. */
  readonly proceeds: number;
}

/** Daily limits of an API key, in units of the venue's dollar; null where there is none. */
export interface DailyLimits {
  /** What its orders of a UTC day may come to. */
  readonly notionalMax: number | null;
  /** What its sales may lose in a UTC day. */
  readonly lossMax: number | null;
}

/** An order asking to be admitted, or (`code` set) one that its book has refused and only has recorded as rejected. */
export interface OrderAdmission extends HeldAssets {
  /** UUIDv7. */
  readonly id: string;
  readonly account: string;
  /** Organization of the account. */
  readonly owner: string;
  readonly keyId: string | null;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly quantity: number;
  readonly price: number | null;
  readonly stopPrice: number | null;
  readonly expiresAt: number | null;
  readonly clientOrderId: string | null;
  readonly status: OrderStatus;
  /** Versions that the checks of order entry saw. */
  readonly factsVersion: number;
  readonly rulesVersion: number;
  readonly createdAt: number;
  readonly code: string | null;
  /** Of its key, with what it counts against them; null where the key has none. */
  readonly daily: (DailyLimits & Exposure) | null;
  /** Of the quote asset, of an order under a limit in money; left out for dollars. */
  readonly rateVersion?: number | null | undefined;
  /** Of a market of indications; left out for any other. */
  readonly preIpo?: boolean | undefined;
  /** What its executions may bring at most; left out where they bring nothing from outside (incoming-room.ts). */
  readonly incoming?: number | undefined;
  /** Whose account it is, of an investor that the partner `owner` has introduced; left out for an account that is its owner's only one. */
  readonly investor?: string | undefined;
  /** Until when the identity counts by which it was checked, Unix milliseconds; left out for no end. */
  readonly identityEndsAt?: number | undefined;
}

export const orderAdmissionCodec: RecordCodec<OrderAdmission> = recordCodec<OrderAdmission>(
  (
    id,
    account,
    owner,
    keyId,
    side,
    type,
    timeInForce,
    quantity,
    price,
    stopPrice,
    expiresAt,
    clientOrderId,
    status,
    reserveAsset,
    reserve,
    allowanceAsset,
    allowance,
    positionAsset,
    position,
    factsVersion,
    rulesVersion,
    createdAt,
    code,
    daily,
    rateVersion,
    preIpo,
    incoming,
    investor,
    identityEndsAt,
  ) => ({
    id,
    account,
    owner,
    keyId,
    side,
    type,
    timeInForce,
    quantity,
    price,
    stopPrice,
    expiresAt,
    clientOrderId,
    status,
    reserveAsset,
    reserve,
    allowanceAsset,
    allowance,
    positionAsset,
    position,
    factsVersion,
    rulesVersion,
    createdAt,
    code,
    daily,
    rateVersion,
    preIpo,
    incoming,
    investor,
    identityEndsAt,
  }),
  { leftOut: { preIpo: true, incoming: true, investor: true, identityEndsAt: true } },
);

/** The extra hold that an amendment asks for. */
export interface AmendmentAdmission extends HeldAssets {
  readonly id: string;
  readonly orderId: string;
  readonly account: string;
  readonly factsVersion: number;
  readonly rulesVersion: number;
  readonly createdAt: number;
  /** Of the order as amended. */
  readonly exposure: Exposure;
  /** The API key that asks, if it is under a daily limit. */
  readonly limitedKey: string | null;
  /** What its order may bring beyond what it may bring already, as of an order. */
  readonly incoming?: number | undefined;
  /** As of an order. */
  readonly identityEndsAt?: number | undefined;
}

export const amendmentAdmissionCodec: RecordCodec<AmendmentAdmission> = recordCodec<AmendmentAdmission>(
  (
    id,
    orderId,
    account,
    reserveAsset,
    reserve,
    allowanceAsset,
    allowance,
    positionAsset,
    position,
    factsVersion,
    rulesVersion,
    createdAt,
    exposure,
    limitedKey,
    incoming,
    identityEndsAt,
  ) => ({
    id,
    orderId,
    account,
    reserveAsset,
    reserve,
    allowanceAsset,
    allowance,
    positionAsset,
    position,
    factsVersion,
    rulesVersion,
    createdAt,
    exposure,
    limitedKey,
    incoming,
    identityEndsAt,
  }),
  { leftOut: { incoming: true, identityEndsAt: true } },
);

/** One execution. Its cash, share and fee legs, and what it draws on limits, follow from it and its two orders. */
export interface Trade {
  readonly id: string;
  /** Gapless within its book. */
  readonly sequence: number;
  readonly price: number;
  readonly quantity: number;
  readonly notional: number;
  readonly takerSide: Side;
  readonly buyOrder: string;
  readonly sellOrder: string;
  readonly buyer: string;
  readonly seller: string;
  readonly buyerFee: number;
  readonly sellerFee: number;
  readonly executedAt: number;
  /** What either order has filled with it, and has left to fill; unknown of trades from before books said so. */
  readonly buyFilled?: number | undefined;
  readonly buyRemaining?: number | undefined;
  readonly sellFilled?: number | undefined;
  readonly sellRemaining?: number | undefined;
  /** Dollars that it has drawn on the buyer's allowance; left out where that is its notional, or nothing. */
  readonly allowance?: number | null | undefined;
  /** Of a broker's execution, when it does not settle at once: the seller's cash, or the buyer's shares, wait until this day. */
  readonly settlesOn?: CalendarDate | null | undefined;
}

const tradeCodec: RecordCodec<Trade> = recordCodec<Trade>(
  (
    id,
    sequence,
    price,
    quantity,
    notional,
    takerSide,
    buyOrder,
    sellOrder,
    buyer,
    seller,
    buyerFee,
    sellerFee,
    executedAt,
    buyFilled,
    buyRemaining,
    sellFilled,
    sellRemaining,
    allowance,
    settlesOn,
  ) => ({
    id,
    sequence,
    price,
    quantity,
    notional,
    takerSide,
    buyOrder,
    sellOrder,
    buyer,
    seller,
    buyerFee,
    sellerFee,
    executedAt,
    buyFilled,
    buyRemaining,
    sellFilled,
    sellRemaining,
    allowance,
    settlesOn,
  }),
  { leftOut: { buyFilled: true, buyRemaining: true, sellFilled: true, sellRemaining: true } },
);

/** Whole state of an order after a chunk of effects, with what it still holds. A final order holds nothing. */
export interface OrderState extends Holds {
  readonly id: string;
  readonly status: OrderStatus;
  readonly filled: number;
  readonly filledNotional: number;
  readonly fee: number;
  /** Whether it sells restricted lots. */
  readonly restricted: boolean;
  readonly quantity: number;
  readonly price: number | null;
  /** Why it was rejected or cancelled. */
  readonly code: string | null;
  readonly updatedAt: number;
  readonly executedAt: number | null;
  readonly cancelledAt: number | null;
  /** What is left of an open order from which self-trade prevention has taken; left out where it is what has not filled. */
  readonly remaining?: number | undefined;
  /** What its executions may still bring; left out where that is nothing, or nothing from outside, and by books before engine version 12. */
  readonly incoming?: number | undefined;
}

const orderStateCodec: RecordCodec<OrderState> = recordCodec<OrderState>(
  (
    id,
    status,
    filled,
    filledNotional,
    fee,
    reserve,
    allowance,
    position,
    restricted,
    quantity,
    price,
    code,
    updatedAt,
    executedAt,
    cancelledAt,
    remaining,
    incoming,
  ) => ({
    id,
    status,
    filled,
    filledNotional,
    fee,
    reserve,
    allowance,
    position,
    restricted,
    quantity,
    price,
    code,
    updatedAt,
    executedAt,
    cancelledAt,
    remaining,
    incoming,
  }),
  { leftOut: { remaining: true, incoming: true } },
);

/**
 * Change of what one account has available of one asset; 0 where only what it holds changes, which follows from the orders' states.
 * Every balance that a chunk touches is named once.
 */
export interface BalanceMove {
  readonly account: string;
  readonly asset: string;
  readonly available: number;
  /** Quote units added to the cost of the holding. */
  readonly bought: number;
  /** Quantity sold, which takes its share of the cost away first (average cost). */
  readonly sold: number;
}

const balanceMoveCodec: RecordCodec<BalanceMove> = recordCodec<BalanceMove>(
  (account, asset, available, bought, sold) => ({ account, asset, available, bought, sold }),
);

/** A lot that a buyer received, or that came with a deposit. */
export interface ReceivedLot {
  /** `<UUID>.<n>`: the trade or transfer it came of, and its number there. */
  readonly id: string;
  readonly account: string;
  readonly quantity: number;
  /** Paid for `quantity`: quote units of a fill, dollars of a deposit. */
  readonly cost: number;
  readonly acquiredAt: number;
  readonly restrictionEndsAt: number | null;
  readonly offeringType: string | null;
}

const receivedLotCodec: RecordCodec<ReceivedLot> = recordCodec<ReceivedLot>(
  (id, account, quantity, cost, acquiredAt, restrictionEndsAt, offeringType) => ({
    id,
    account,
    quantity,
    cost,
    acquiredAt,
    restrictionEndsAt,
    offeringType,
  }),
);

/** What the reservation of a lot gave up: `consumed` left with a fill, `released` went back to the lot. */
export interface LotMove {
  /** Order or amendment that reserved it. */
  readonly reservationId: string;
  readonly lotId: string;
  readonly consumed: number;
  readonly released: number;
}

const lotMoveCodec: RecordCodec<LotMove> = recordCodec<LotMove>((reservationId, lotId, consumed, released) => ({
  reservationId,
  lotId,
  consumed,
  released,
}));

/** What trades add to the bar of one interval. */
export interface BarUpdate {
  readonly interval: BarInterval;
  /** Start of the bar. */
  readonly bucket: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly quoteVolume: number;
  readonly trades: number;
}

const barUpdateCodec: RecordCodec<BarUpdate> = recordCodec<BarUpdate>(
  (interval, bucket, open, high, low, close, volume, quoteVolume, trades) => ({
    interval,
    bucket,
    open,
    high,
    low,
    close,
    volume,
    quoteVolume,
    trades,
  }),
);

/** A stop that awaits its trigger has another one. */
export interface StopPriceChange {
  readonly id: string;
  readonly stopPrice: number;
}

/** What a broker's report may be that does not fit the orders of a routed market (docs/design/broker.md#breaks). */
export const BREAK_KINDS = [
  'unknown_order',
  'order_ended',
  'exceeds_order',
  'too_many_executions',
  'outside_limit',
  'wrong_side',
  'not_exact',
  'filled_differs',
  'unknown_replacement',
  'execution_differs',
  'bust',
  'correction',
] as const;

export type BreakKind = (typeof BREAK_KINDS)[number];

/** A report that was not applied: nothing moved for it, and people settle it with the broker. */
export interface BrokerBreak {
  /** The broker's id of the report; unique within a book. */
  readonly id: string;
  readonly kind: BreakKind;
  readonly orderId: string;
  readonly executionId: string | null;
  /** As the broker said it, in words; amounts that fit the market's units stand beside it. */
  readonly detail: string;
  /** When the broker says that it happened, Unix ms. */
  readonly at: number;
  /** Of an execution, where the broker says it. */
  readonly side?: Side | undefined;
  /** Of an execution, where it fits. */
  readonly price?: number | undefined;
  /** Of an execution; of an order that ended or was replaced what had filled. Left out where it does not fit. */
  readonly quantity?: number | undefined;
  /** Of an execution that is known with other terms: those. */
  readonly known?: KnownTerms | undefined;
}

/** What was said of an execution first; null where it did not fit the units. */
export interface KnownTerms {
  readonly side: Side;
  readonly price: number | null;
  readonly quantity: number | null;
}

/** How a break was closed: people have settled it with the broker, or its execution was booked. */
export const BREAK_RESOLUTIONS = ['acknowledged', 'booked'] as const;

/** Effects that settle together or not at all; balanced in themselves, so that L1 to L3 hold between any two chunks. */
export interface SettlementChunk {
  readonly trades: readonly Trade[];
  readonly orders: readonly OrderState[];
  readonly balances: readonly BalanceMove[];
  readonly lots: readonly ReceivedLot[];
  readonly lotMoves: readonly LotMove[];
  /** Ids of amendments whose extra hold has moved into its order or gone back. */
  readonly amendments: readonly string[];
  readonly bars: readonly BarUpdate[];
  /** Triggers that amendments have changed. */
  readonly stopPrices?: readonly StopPriceChange[] | undefined;
  /** Unix ms at which a halt ends that the book has begun by itself. */
  readonly haltedUntil?: number | undefined;
  /** Reports of a broker that were not applied. */
  readonly breaks?: readonly BrokerBreak[] | undefined;
  /** What the price band of the book lies around from here on, scaled; 0 for the reference price of its rules. */
  readonly bandReference?: number | undefined;
  /** The same with where it goes, of books from engine version 11 on, which say no `bandReference`. */
  readonly band?: BandStand | undefined;
}

export const settlementChunkCodec: RecordCodec<SettlementChunk> = recordCodec<SettlementChunk>(
  (
    trades,
    orders,
    balances,
    lots,
    lotMoves,
    amendments,
    bars,
    stopPrices,
    haltedUntil,
    breaks,
    bandReference,
    band,
  ) => ({
    trades,
    orders,
    balances,
    lots,
    lotMoves,
    amendments,
    bars,
    stopPrices,
    haltedUntil,
    breaks,
    bandReference,
    band,
  }),
  {
    leftOut: { stopPrices: true, haltedUntil: true, breaks: true, bandReference: true, band: true },
    lists: {
      trades: tradeCodec,
      orders: orderStateCodec,
      balances: balanceMoveCodec,
      lots: receivedLotCodec,
      lotMoves: lotMoveCodec,
      bars: barUpdateCodec,
    },
  },
);

/** What an event that leaves the system says (docs/design/shape.md#events-out); written to `domain_events` by the projection. */
export interface DomainEvent {
  /** UUIDv7, stable. */
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
}

/** A lot as it stands. */
export interface LotRecord {
  readonly id: string;
  readonly account: string;
  readonly asset: string;
  readonly quantity: number;
  /** What open sells have reserved of it. */
  readonly reserved: number;
  readonly cost: number;
  readonly acquiredAt: number;
  readonly restrictionEndsAt: number | null;
  readonly offeringType: string | null;
}

export interface AccountBalance extends Balance {
  readonly asset: string;
  /** Cash of sales that waits to settle, and is part of neither amount; left out where none does. */
  readonly unsettled?: number;
}

/** A request that waits for something: the amount of a withdrawal is held. */
export interface OpenTransferRequest {
  readonly id: string;
  readonly type: TransferType;
  readonly account: string;
  readonly asset: string;
  readonly amount: number;
  readonly reference: string | null;
  readonly state: TransferRequestState;
}
