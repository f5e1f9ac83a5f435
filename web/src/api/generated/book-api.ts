/** Written by scripts/web/api-types.ts from the OpenAPI document of profile book. */
import type { ApiNumber } from '../json.ts';

export interface paths {
    "/v1/account/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the account owns */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Balances by asset. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Balances"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/candles/{symbol}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Candles of a symbol
         * @description Newest first, the running one included. Where nothing traded there is no candle. Times are UTC: candles of 4 h begin at midnight, those of a week on Monday.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only candles that start before. */
                    cursor?: ApiNumber;
                    /** @description First start, Unix milliseconds. */
                    from?: ApiNumber;
                    interval?: "1m" | "5m" | "15m" | "1h" | "1d" | "4h" | "1w";
                    limit?: ApiNumber;
                };
                header?: never;
                path: {
                    symbol: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The candles; the next page is in the Link header. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Candles"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fills of the account
         * @description `cursor` is the last trade that the caller has; fills of later ones follow, or of earlier ones with `order=newest_first`.
         */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: ApiNumber;
                    order?: "oldest_first" | "newest_first";
                    /** @description Fills of this order alone. */
                    order_id?: string;
                    symbol?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description As `order` says; the next page is in the Link header. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Fills"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/markets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Trading pairs and their rules */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description By symbol; the next page is in the Link header. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Markets"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orderbook/{symbol}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Levels of a book, best first */
        get: {
            parameters: {
                query?: {
                    depth?: ApiNumber;
                };
                header?: never;
                path: {
                    symbol: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The book. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderBook"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Orders of the account
         * @description `status=open` lists every order that is not final: open, partially_filled and pending_trigger; `status=done` every one that is over and was not rejected: filled, cancelled and expired.
         */
        get: {
            parameters: {
                query?: {
                    client_order_id?: string;
                    cursor?: string;
                    limit?: ApiNumber;
                    status?: "open" | "partially_filled" | "filled" | "cancelled" | "rejected" | "pending_trigger" | "expired" | "done" | "all";
                    symbol?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Newest first; the next page is in the Link header. A page may be short and yet lead on: the last one has no Link header. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Orders"];
                    };
                };
            };
        };
        put?: never;
        /** Place an order */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OrderRequest"];
                };
            };
            responses: {
                /** @description The order as the book has left it. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Order"];
                    };
                };
            };
        };
        /** Cancel every open order of the account, or those of a symbol or side */
        delete: {
            parameters: {
                query?: {
                    side?: "buy" | "sell";
                    symbol?: string;
                };
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was cancelled. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CancelledOrders"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/{order_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An order of the account */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    order_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The order. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Order"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Cancel an order
         * @description An order that is final is refused; a repetition under the same Idempotency-Key is answered as the first request.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description Cancels the order only if it stands on this symbol. */
                    symbol?: string;
                };
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    order_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The cancelled order. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderChange"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change size, price or trigger of an open order
         * @description Reducing the size keeps priority, anything else loses it.
         */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    order_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Amendment"];
                };
            };
            responses: {
                /** @description The amended order. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderChange"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/orders/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What an order would do and cost, without placing it
         * @description A check that fails is answered as placing would answer it.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OrderRequest"];
                };
            };
            responses: {
                /** @description The estimate. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrderPreview"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ticker/{symbol}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Best prices, last trade and the last 24 hours */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    symbol: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The ticker. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Ticker"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/trades/{symbol}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Trades of a symbol */
        get: {
            parameters: {
                query?: {
                    cursor?: ApiNumber;
                    limit?: ApiNumber;
                };
                header?: never;
                path: {
                    symbol: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Newest first; the next page is in the Link header. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Trades"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Amendment: {
            /** @description New limit. */
            price?: ApiNumber | null;
            /** @description New total size, above what has been filled. */
            size?: ApiNumber | null;
            /** @description New trigger, of a stop that awaits it. */
            stop_price?: ApiNumber | null;
        };
        Balances: {
            balances: {
                /**
                 * @description Symbol.
                 * @example USD
                 */
                asset: string;
                free: ApiNumber;
                /** @description Held by open orders. */
                locked: ApiNumber;
                /** @description Proceeds of sales that have not settled, in neither of the two; left out where there are none. */
                unsettled?: ApiNumber;
            }[];
        };
        CancelledOrders: {
            /** @description Orders that are cancelled. */
            order_ids: string[];
            /** @description Orders that a broker may have and was asked to end. Each stays as it is until the broker answers, and may still fill; its end comes as that of any order, in feeds and reads. */
            pending_order_ids: string[];
        };
        Candles: {
            candles: {
                close: ApiNumber;
                high: ApiNumber;
                low: ApiNumber;
                open: ApiNumber;
                quote_volume: ApiNumber;
                /** @description Start of the candle, Unix milliseconds. */
                timestamp: ApiNumber;
                trades: ApiNumber;
                /** @description Base quantity. */
                volume: ApiNumber;
            }[];
            /** @enum {string} */
            interval: "1m" | "5m" | "15m" | "1h" | "1d" | "4h" | "1w";
            symbol: string;
        };
        Fill: {
            /** @description When it was taken back or corrected. */
            adjusted_at: ApiNumber | null;
            /** @description Place of that among all adjustments: a later one has a higher number. The cursor of `/v1/fills/adjusted`. */
            adjustment_sequence: ApiNumber | null;
            corrected_fee: ApiNumber | null;
            /** @description What it stands at; null unless it was corrected. */
            corrected_price: ApiNumber | null;
            /** @description In the quote asset. */
            fee: ApiNumber;
            /** @description What the order had filled with it, this fill included; null for the oldest trades. */
            filled_size: ApiNumber | null;
            /** @enum {string} */
            liquidity: "maker" | "taker";
            /** Format: uuid */
            order_id: string;
            price: ApiNumber;
            /** @description What the order had left to fill. */
            remaining_size: ApiNumber | null;
            /** @description Of the trade, gapless within the symbol. */
            sequence: ApiNumber;
            /** @enum {string} */
            side: "buy" | "sell";
            size: ApiNumber;
            /**
             * @description Whether the trade was taken back (nothing of it stands) or stands at another price since.
             * @enum {string}
             */
            status: "executed" | "bust" | "correction";
            symbol: string;
            /** @description Unix milliseconds. */
            timestamp: ApiNumber;
            /** Format: uuid */
            trade_id: string;
        };
        Fills: {
            fills: components["schemas"]["Fill"][];
        };
        Market: {
            base_asset: string;
            /** @description Unix milliseconds at which a halt ends by itself; null for none, or for one that does not. */
            halted_until: ApiNumber | null;
            /** @description Sizes are multiples of it. */
            lot_size: ApiNumber;
            /** @description Basis points of the amount traded, in the quote asset. */
            maker_fee_bps: ApiNumber;
            /** @description The same of the whole book. */
            open_orders_max: ApiNumber;
            /** @description Open orders that an account may have in this book; one more is RISK_LIMIT_EXCEEDED. */
            open_orders_per_account_max: ApiNumber;
            /** @description Times in force by order type. */
            order_types: {
                [key: string]: string[];
            };
            /** @description Limits outside are refused and nothing trades there; null where there is no band. */
            price_band: {
                high: ApiNumber;
                low: ApiNumber;
                width_bps: ApiNumber;
            } | null;
            price_decimals: ApiNumber;
            quote_asset: string;
            /** @description Last trade, before the first what the venue has set. */
            reference_price: ApiNumber | null;
            size_decimals: ApiNumber;
            size_max: ApiNumber;
            size_min: ApiNumber;
            /**
             * @description Orders are taken while open.
             * @enum {string}
             */
            status: "open" | "halted" | "closed";
            symbol: string;
            taker_fee_bps: ApiNumber;
            /** @description Prices are multiples of it. */
            tick_size: ApiNumber;
        };
        Markets: {
            markets: components["schemas"]["Market"][];
        };
        Order: {
            /** @description Of what has been filled; null before the first fill. */
            average_price: ApiNumber | null;
            client_order_id: string | null;
            /** @description Unix milliseconds. */
            created_at: ApiNumber;
            /** @description Unix milliseconds; of GTD orders. */
            expires_at: ApiNumber | null;
            filled_size: ApiNumber;
            /** @description An indication of interest in a pre-IPO asset, placed in profile A: while it is open it binds nobody and holds nothing. */
            is_indication: boolean;
            /** Format: uuid */
            order_id: string;
            price: ApiNumber | null;
            /** @description Why it was rejected, cancelled or has expired. */
            reason: string | null;
            /** @description What it may yet fill: less than the rest of its size once self-trade prevention has taken from it, 0 once it is final. */
            remaining_size: ApiNumber;
            /** @enum {string} */
            side: "buy" | "sell";
            size: ApiNumber;
            /** @enum {string} */
            status: "open" | "partially_filled" | "filled" | "cancelled" | "rejected" | "pending_trigger" | "expired";
            stop_price: ApiNumber | null;
            /** @example ACME-USD */
            symbol: string;
            /** @example GTC */
            time_in_force: string;
            /** @example limit */
            type: string;
            /** @description When it came to stand like this, Unix milliseconds. */
            updated_at: ApiNumber;
        };
        OrderBook: {
            asks: {
                price: ApiNumber;
                size: ApiNumber;
            }[];
            bids: {
                price: ApiNumber;
                size: ApiNumber;
            }[];
            /** @description Of the last change that the levels include. */
            sequence: ApiNumber;
            symbol: string;
            /** @description Unix milliseconds. */
            timestamp: ApiNumber;
        };
        OrderChange: components["schemas"]["Order"] & {
            /**
             * @description Null in the rare case that neither the book nor the database says it at the moment.
             * @enum {string|null}
             */
            side?: "buy" | "sell" | null;
            /**
             * @description Null in the rare case that neither the book nor the database says it at the moment.
             * @example GTC
             */
            time_in_force?: string | null;
            /**
             * @description Null in the rare case that neither the book nor the database says it at the moment.
             * @example limit
             */
            type?: string | null;
        };
        OrderPreview: {
            available: ApiNumber;
            estimated_average_price: ApiNumber | null;
            estimated_fee: ApiNumber;
            /** @description At once, in the book as it stands. */
            estimated_filled_size: ApiNumber;
            /** @description Paid by a buy or received by a sale, after fees. */
            estimated_total: ApiNumber;
            held: ApiNumber;
            held_asset: string;
            price: ApiNumber | null;
            /** @enum {string} */
            side: "buy" | "sell";
            size: ApiNumber;
            symbol: string;
            time_in_force: string;
            type: string;
            /** @description The limit, or the collar of an order without one. */
            worst_price: ApiNumber;
        };
        OrderRequest: {
            /** @description Unique per account; neither `.` nor `..`. */
            client_order_id?: string | null;
            /** @description What the book shows of the order, 0 nothing. Of batches of our gateways alone. */
            display_size?: ApiNumber | null;
            /** @description Unix milliseconds; of GTD. */
            expires_at?: ApiNumber | null;
            /** @description Limit; of limit, limit_maker, stop_loss_limit and take_profit_limit. */
            price?: ApiNumber | null;
            /**
             * @description cancel_newest when left out: the taker is cancelled.
             * @enum {string|null}
             */
            self_trade_prevention?: "cancel_newest" | "cancel_oldest" | "cancel_both" | "decrement" | null;
            /** @enum {string} */
            side: "buy" | "sell";
            size: ApiNumber;
            /** @description Trigger; of the stop and take-profit types. One without a price takes what is there within 5 % of its trigger; what it does not find stands there, as a limit, until it is filled or cancelled. */
            stop_price?: ApiNumber | null;
            /** @example ACME-USD */
            symbol: string;
            /**
             * @description GTC when left out, for market IOC.
             * @enum {string|null}
             */
            time_in_force?: "GTC" | "IOC" | "FOK" | "GTD" | "POST_ONLY" | null;
            /**
             * @example limit
             * @enum {string}
             */
            type: "market" | "limit" | "stop_loss" | "stop_loss_limit" | "take_profit" | "take_profit_limit" | "limit_maker";
        };
        Orders: {
            orders: components["schemas"]["Order"][];
        };
        Ticker: {
            ask: ApiNumber | null;
            bid: ApiNumber | null;
            change_percent24h: ApiNumber | null;
            /** @description Last price less that of 24 hours ago. */
            change24h: ApiNumber | null;
            high24h: ApiNumber | null;
            /** @description Last trade; null before the first. */
            last: ApiNumber | null;
            low24h: ApiNumber | null;
            quote_volume24h: ApiNumber;
            symbol: string;
            /** @description Unix milliseconds. */
            timestamp: ApiNumber;
            /** @description Base quantity of the last 24 hours, to the minute. */
            volume24h: ApiNumber;
        };
        Trades: {
            symbol: string;
            trades: {
                /** @description When it was taken back or corrected. */
                adjusted_at: ApiNumber | null;
                /** @description What it stands at; null unless it was corrected. */
                corrected_price: ApiNumber | null;
                price: ApiNumber;
                /** @description Gapless within the symbol. */
                sequence: ApiNumber;
                /**
                 * @description Of the taker.
                 * @enum {string}
                 */
                side: "buy" | "sell";
                size: ApiNumber;
                /**
                 * @description Whether the trade was taken back (nothing of it stands) or stands at another price since.
                 * @enum {string}
                 */
                status: "executed" | "bust" | "correction";
                symbol: string;
                /** @description Unix milliseconds. */
                timestamp: ApiNumber;
                /** Format: uuid */
                trade_id: string;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
