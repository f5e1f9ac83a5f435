/** What the order-book profile answers to the calls that the gRPC interface wraps (X-BEP-01 to X-BEP-03). */

export interface RestOrder {
  readonly order_id: string;
  readonly client_order_id: string | null;
  readonly symbol: string;
  readonly side: string;
  readonly type: string;
  readonly time_in_force: string;
  readonly price: number | null;
  readonly stop_price: number | null;
  readonly size: number;
  readonly filled_size: number;
  /** An exchange of an earlier deployment says none. */
  readonly remaining_size?: number;
  readonly average_price: number | null;
  readonly status: string;
  readonly reason: string | null;
  readonly expires_at: number | null;
  readonly created_at: number;
}

export interface RestOrderChange {
  readonly order_id: string;
  readonly symbol: string;
  readonly price: number | null;
  readonly size: number;
  readonly filled_size: number;
  /** An exchange of an earlier deployment says none. */
  readonly remaining_size?: number;
  readonly average_price: number | null;
  readonly status: string;
  readonly updated_at: number;
}

export interface RestOrderBook {
  readonly symbol: string;
  readonly bids: readonly RestLevel[];
  readonly asks: readonly RestLevel[];
  readonly sequence: number;
  readonly timestamp: number;
}

interface RestLevel {
  readonly price: number;
  readonly size: number;
}
