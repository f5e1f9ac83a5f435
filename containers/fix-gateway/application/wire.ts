/** Shapes of the order-book profile, as far as the gateway reads them. Prices and sizes are JSON numbers, times Unix milliseconds. */
export type WireStatus =
  | 'open'
  | 'partially_filled'
  | 'filled'
  | 'cancelled'
  | 'rejected'
  | 'pending_trigger'
  | 'expired';

export interface WireOrder {
  readonly order_id: string;
  readonly client_order_id: string | null;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly type: string;
  readonly time_in_force: string;
  readonly price: number | null;
  readonly stop_price: number | null;
  readonly size: number;
  readonly filled_size: number;
  /** What it may yet fill. */
  readonly remaining_size: number;
  readonly average_price: number | null;
  readonly status: WireStatus;
  readonly reason: string | null;
  readonly expires_at: number | null;
  readonly updated_at: number;
}

/** How an order stands at the exchange, whichever answer or message says it. The feed leaves the trigger out. */
export type OrderStanding = Pick<
  WireOrder,
  'order_id' | 'status' | 'size' | 'price' | 'filled_size' | 'remaining_size' | 'reason' | 'updated_at'
> &
  Partial<Pick<WireOrder, 'stop_price'>>;

/** What a cancellation or amendment has made of an order. */
export interface WireOrderChange {
  readonly order_id: string;
  readonly price: number | null;
  readonly size: number;
  readonly filled_size: number;
  readonly remaining_size: number;
  readonly status: WireStatus;
  readonly updated_at: number;
}

export interface WireFill {
  readonly trade_id: string;
  readonly order_id: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly size: number;
  readonly liquidity: 'maker' | 'taker';
  /** What the order had filled with it; null of the oldest trades. */
  readonly filled_size: number | null;
  /** What it had left to fill after it; null likewise. */
  readonly remaining_size: number | null;
  readonly timestamp: number;
}

/** A fill as it is listed, with what became of its trade. */
export interface WireListedFill extends WireFill {
  readonly status: 'executed' | 'bust' | 'correction';
  /** What it stands at once it is corrected. */
  readonly corrected_price: number | null;
  readonly adjusted_at: number | null;
  /** Place of that among all adjustments. */
  readonly adjustment_sequence: number | null;
}

export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface WireMarket {
  readonly symbol: string;
  readonly base_asset: string;
  readonly quote_asset: string;
  readonly lot_size: number;
  readonly size_min: number;
  /** Price times size, in the quote asset, of an order that may rest. */
  readonly notional_min: number;
}
