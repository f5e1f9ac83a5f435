import type { MarketStatus } from '../../domain/markets/market.ts';
import type { OrderStatus, OrderType, Side, TimeInForce } from '../../domain/orders/order.ts';
import type { WireLevel } from './checksum.ts';
import type { MessageError } from './feed-error.ts';
import type { ALL_MARKETS, Channel, OwnChannel } from './topic.ts';

/**
 * What a feed says (X-EVT-01 to X-EVT-06, X-BKR-02, X-BKR-03). Prices and sizes are JSON numbers, times Unix milliseconds. `sequence`
 * grows per pair; what it counts in each message stands in docs/design/feeds.md#sequences. Where each message builds on the one before,
 * `prev_sequence` is the sequence of that one.
 */
export type ServerMessage =
  | BookSnapshotMessage
  | BookUpdateMessage
  | TradeMessage
  | TickerMessage
  | StatusMessage
  | CandleMessage
  | OrderMessage
  | FillMessage
  | SettlementMessage
  | TradeAdjustmentMessage
  | FillAdjustmentMessage
  | {
      readonly type: 'subscribed';
      readonly channel: Channel;
      readonly symbol: string;
      readonly sequence: number;
      readonly depth?: number;
      readonly interval?: string;
    }
  | { readonly type: 'unsubscribed'; readonly channel: Channel; readonly symbol: string }
  /** What followed `resume_from` is no longer there: read the current state anew, a snapshot follows where the channel has one. */
  | { readonly type: 'reset'; readonly channel: Channel; readonly symbol: string; readonly sequence: number }
  /** On `orderbook` and `trades`, nothing is missing when the last message had this sequence; elsewhere, that the stream lives. */
  | {
      readonly type: 'heartbeat';
      readonly channel: Channel;
      readonly symbol: string;
      readonly sequence: number;
      readonly timestamp: number;
    }
  /** May be answered by `pong` with the same id: what was sent before has arrived (docs/design/feeds.md#slow-consumers). */
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'pong'; readonly id?: string | number }
  | { readonly type: 'authenticated' }
  /** `channel` and `symbol` name the subscription that is refused, or ended: in the words of the client where its message is wrong. */
  | ({ readonly type: 'error' } & MessageError);

export interface BookSnapshotMessage {
  readonly type: 'orderbook_snapshot';
  readonly channel: 'orderbook';
  readonly symbol: string;
  readonly sequence: number;
  /** Best first, within the subscribed depth. */
  readonly bids: readonly WireLevel[];
  readonly asks: readonly WireLevel[];
  readonly checksum: number;
  readonly timestamp: number;
  /** The stream was interrupted: this replaces what the client has. */
  readonly resync?: true;
}

/** Levels within the subscribed depth that have changed; size 0 removes. None at all: the book changed beyond that depth. */
export interface BookUpdateMessage extends Omit<BookSnapshotMessage, 'type' | 'resync'> {
  readonly type: 'orderbook_update';
  readonly prev_sequence: number;
}

export interface TradeMessage {
  readonly type: 'trade';
  readonly channel: 'trades';
  readonly symbol: string;
  readonly sequence: number;
  readonly prev_sequence: number;
  readonly trade_id: string;
  readonly price: number;
  readonly size: number;
  /** Of the taker. */
  readonly side: Side;
  readonly timestamp: number;
}

interface TickerMessage {
  readonly type: 'ticker';
  readonly channel: 'ticker';
  readonly symbol: string;
  readonly sequence: number;
  readonly bid: number | null;
  readonly ask: number | null;
  readonly last: number | null;
  readonly timestamp: number;
}

/** Whether a market takes orders, and which prices. */
export interface StatusMessage {
  readonly type: 'status';
  readonly channel: 'status';
  readonly symbol: string;
  readonly sequence: number;
  readonly status: MarketStatus;
  /** Why it is halted: an operator halted it, or the venue, or trading reached the end of its band. Null while it is open or closed. */
  readonly reason: 'market' | 'venue' | 'price_band' | null;
  /** When a halt ends by itself, Unix milliseconds. */
  readonly halted_until: number | null;
  /** Prices that limits may have, both included; null for any. */
  readonly band: { readonly low: number; readonly high: number } | null;
  readonly timestamp: number;
}

export interface CandleMessage {
  readonly type: 'candle';
  readonly channel: 'candles';
  readonly symbol: string;
  readonly interval: string;
  readonly sequence: number;
  /** Start of the bar. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly timestamp: number;
}

/** An own order as a cycle has left it. */
export interface OrderMessage {
  readonly type: 'order';
  readonly channel: 'orders';
  readonly symbol: string;
  readonly sequence: number;
  readonly order_id: string;
  readonly side: Side;
  readonly status: OrderStatus;
  readonly price: number | null;
  readonly size: number;
  readonly filled_size: number;
  readonly remaining_size: number;
  readonly reason: string | null;
  readonly timestamp: number;
}

export interface FillMessage {
  readonly type: 'fill';
  readonly channel: 'orders';
  readonly symbol: string;
  readonly sequence: number;
  readonly trade_id: string;
  readonly order_id: string;
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly fee: number;
  readonly liquidity: 'maker' | 'taker';
  /** What the order has filled with it, and has left to fill; null where its book did not say so yet. */
  readonly filled_size: number | null;
  readonly remaining_size: number | null;
  readonly timestamp: number;
}

/** An earlier trade was taken back (`trade_bust`), or stands at another price. `sequence` is that of the last trade, which stays as it is. */
export interface TradeAdjustmentMessage {
  readonly type: 'trade_bust' | 'trade_correction';
  readonly channel: 'trades';
  readonly symbol: string;
  readonly sequence: number;
  readonly trade_id: string;
  /** Sequence of that trade. */
  readonly trade_sequence: number;
  /** As dealt. */
  readonly price: number;
  readonly size: number;
  /** What it stands at; null for nothing. */
  readonly corrected_price: number | null;
  readonly timestamp: number;
}

/** The same to those whose fill it was. */
export interface FillAdjustmentMessage extends Omit<TradeAdjustmentMessage, 'channel'> {
  readonly channel: 'orders';
  readonly order_id: string;
  readonly side: Side;
  /** What the fill was charged, and is now. */
  readonly fee: number;
  readonly corrected_fee: number;
}

/** The ledger has the fill: it is final unless the trade is taken back or corrected. */
export interface SettlementMessage {
  readonly type: 'settlement';
  readonly channel: 'orders';
  readonly symbol: string;
  readonly sequence: number;
  readonly trade_id: string;
  readonly order_id: string;
  readonly timestamp: number;
}

/** The same, and what only the own channels of all markets say. */
export type FeedMessage = ServerMessage | OwnMessage;

/**
 * What an account is told of all markets (docs/design/feeds.md#own-account). `sequence` grows over everything that the account is told,
 * whichever of the own channels says it; `prev_sequence` is that of the message before on the same channel.
 */
type OwnMessage =
  | OwnOrdersSnapshotMessage
  | OwnBalancesSnapshotMessage
  | OwnOrderMessage
  | OwnFillMessage
  | OwnAdjustmentMessage
  | OwnBalanceMessage;

/** An order as it stands. `client_order_id` is null where its holder gave none. */
export interface OwnOrder {
  readonly symbol: string;
  readonly order_id: string;
  readonly client_order_id: string | null;
  readonly side: Side;
  readonly order_type: OrderType;
  readonly time_in_force: TimeInForce;
  readonly price: number | null;
  readonly stop_price: number | null;
  readonly size: number;
  readonly filled_size: number;
  readonly remaining_size: number;
  /** Null before the first fill. */
  readonly average_price: number | null;
  readonly status: OrderStatus;
  /** Why it was rejected, cancelled or has expired. */
  readonly reason: string | null;
  readonly expires_at: number | null;
}

/** What an account has of an asset: `locked` is held by its open orders, `unsettled` are proceeds of sales in neither of the two, left out where there are none. */
export interface OwnBalance {
  readonly asset: string;
  readonly free: number;
  readonly locked: number;
  readonly unsettled?: number;
}

/** Open orders, oldest first. All of them are in the parts up to the one whose `more` is false. */
interface OwnOrdersSnapshotMessage {
  readonly type: 'orders_snapshot';
  readonly channel: OwnChannel;
  readonly symbol: typeof ALL_MARKETS;
  readonly sequence: number;
  readonly orders: readonly OwnOrder[];
  readonly more: boolean;
  readonly timestamp: number;
}

interface OwnBalancesSnapshotMessage {
  readonly type: 'balances_snapshot';
  readonly channel: OwnChannel;
  readonly symbol: typeof ALL_MARKETS;
  readonly sequence: number;
  readonly balances: readonly OwnBalance[];
  readonly timestamp: number;
}

/** The order as it now stands. */
export interface OwnOrderMessage extends OwnOrder {
  readonly type: 'order';
  readonly channel: OwnChannel;
  readonly sequence: number;
  readonly prev_sequence: number;
  readonly timestamp: number;
}

/** A settled execution. Sizes and average are those of the order after it. */
export interface OwnFillMessage {
  readonly type: 'fill';
  readonly channel: OwnChannel;
  readonly symbol: string;
  readonly sequence: number;
  readonly prev_sequence: number;
  readonly trade_id: string;
  readonly order_id: string;
  readonly client_order_id: string | null;
  readonly order_type: OrderType;
  readonly side: Side;
  readonly price: number;
  readonly size: number;
  readonly fee: number;
  readonly liquidity: 'maker' | 'taker';
  readonly order_size: number;
  readonly filled_size: number;
  readonly remaining_size: number;
  readonly average_price: number;
  readonly timestamp: number;
}

/** A fill that an operator took back or corrected; `corrected_price` is null for one that was taken back. */
export interface OwnAdjustmentMessage {
  readonly type: 'trade_bust' | 'trade_correction';
  readonly channel: OwnChannel;
  readonly symbol: string;
  readonly sequence: number;
  readonly prev_sequence: number;
  readonly trade_id: string;
  readonly order_id: string;
  readonly side: Side;
  /** As dealt, and what it was charged. */
  readonly price: number;
  readonly size: number;
  readonly fee: number;
  readonly corrected_price: number | null;
  readonly corrected_fee: number;
  readonly timestamp: number;
}

export interface OwnBalanceMessage extends OwnBalance {
  readonly type: 'balance';
  readonly channel: OwnChannel;
  readonly sequence: number;
  readonly prev_sequence: number;
  readonly timestamp: number;
}
