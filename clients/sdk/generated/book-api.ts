/** Written by scripts/sdk/api-types.ts from the OpenAPI document of profile book. */
import type { ApiNumber } from '../wire/json.ts';

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
    "/v1/account/fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What trades of the account cost, by pair
         * @description A fee is charged up to the next unit of its currency, once over all fills of an order: many small fills cost no more than one large one.
         */
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
                        "application/json": components["schemas"]["AccountFees"];
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
    "/v1/account/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What has changed what the account owns
         * @description Trades, fees, deposits, withdrawals and all else, oldest first. A span has 31 days at most: without `from` it is the last of them before `to`, without `to` it is the first of them from `from` on.
         */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description At this time or later, Unix milliseconds. */
                    from?: ApiNumber;
                    limit?: ApiNumber;
                    /** @description Before this time, Unix milliseconds. */
                    to?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Oldest first; the next page is in the Link header. A page may be short and yet lead on: the last one has no Link header. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LedgerEntries"];
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
    "/v1/account/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deposits and withdrawals of the account */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description At this time or later, Unix milliseconds. */
                    from?: ApiNumber;
                    limit?: ApiNumber;
                    /** @description Both where it is left out. */
                    type?: "deposit" | "withdrawal";
                };
                header?: never;
                path?: never;
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
                        "application/json": components["schemas"]["Transfers"];
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
    "/v1/agent/tool-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log a call of an agent tool
         * @description Appends to the log that the owner of the key reads. Called by the agent tool server.
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
                    "application/json": components["schemas"]["AgentToolCall"];
                };
            };
            responses: {
                /** @description Logged. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            called_at: ApiNumber;
                            /** Format: uuid */
                            id: string;
                        };
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
    "/v1/currencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Assets that pairs trade, and those that they are paid in */
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
                        "application/json": components["schemas"]["Currencies"];
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
    "/v1/fills/adjusted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fills of the account that were taken back or corrected
         * @description `cursor` is the last `adjustment_sequence` that the caller has; later adjustments follow.
         */
        get: {
            parameters: {
                query?: {
                    cursor?: ApiNumber;
                    limit?: ApiNumber;
                    symbol?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The earliest adjustment first; the next page is in the Link header. */
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
    "/v1/key-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A token that stands for the API key for a day */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The session. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeySession"];
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
    "/v1/orders/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Place up to 100 orders, each by itself */
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
                    "application/json": {
                        orders: components["schemas"]["OrderRequest"][];
                    };
                };
            };
            responses: {
                /** @description One result for each order, in their sequence. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PlacementResults"];
                    };
                };
            };
        };
        /** Cancel up to 100 orders, each by itself */
        delete: {
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
                    "application/json": {
                        order_ids: string[];
                    };
                };
            };
            responses: {
                /** @description One result for each order, in their sequence. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CancellationResults"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orders/cancel-after": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel all open orders unless called again in time
         * @description Each call sets the time anew. When it comes, the open orders of the API key are cancelled, or those of the account where the credential is a token without a key.
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
                    "application/json": components["schemas"]["CancelAfter"];
                };
            };
            responses: {
                /** @description When. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CancelSwitch"];
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
    "/v1/orders/client/{client_order_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An order of the account by its client order id
         * @description The open order that carries it, else the latest of the others.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    client_order_id: string;
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
         * Cancel an order by its client order id
         * @description The open order that carries it. An order that is final is refused.
         */
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    client_order_id: string;
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
        patch?: never;
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
    "/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the venue trades */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The status. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["VenueStatus"];
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
    "/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Feeds as server-sent events
         * @description The messages of the WebSocket: `event` is their type, `id` their sequence. Last-Event-ID goes on from there; where what followed is no longer kept, a `reset` comes first.
         */
        get: {
            parameters: {
                query: {
                    channel: "orderbook" | "trades" | "ticker" | "status" | "candles" | "orders" | "account" | "fills" | "balances";
                    depth?: ApiNumber;
                    interval?: string;
                    /** @description Left out for account, orders, fills and balances over all markets. */
                    symbol?: string;
                };
                header?: {
                    "last-event-id"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Events. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": string;
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
    "/v1/tickers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Last trade and the last 24 hours of all pairs
         * @description By symbol. What has settled, up to 5 s old. Best prices are told by `GET /v1/ticker/{symbol}`, which asks the book itself.
         */
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
                /** @description The tickers; the next page is in the Link header. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Tickers"];
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
    "/v1/time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The clock that timestamps of signed requests are held against */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The time. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerTime"];
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
    "/v1/trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Trades of a symbol */
        get: {
            parameters: {
                query: {
                    cursor?: ApiNumber;
                    limit?: ApiNumber;
                    symbol: string;
                };
                header?: never;
                path?: never;
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
    "/v1/ws": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Feeds over WebSocket
         * @description Channels orderbook, trades, ticker, status, candles, and with a credential account, orders, fills and balances (own, over all markets). With `symbol`, a connection on that pair alone.
         */
        get: {
            parameters: {
                query?: {
                    symbol?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: never;
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ws/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Order entry over WebSocket
         * @description Requests place, place_batch, amend, cancel, cancel_batch and cancel_all, each answered under its id as the REST call of that name. The credential comes with the handshake or in an auth message.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: never;
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
        AccountFees: {
            fees: {
                /**
                 * @description What the fee is charged in.
                 * @example USD
                 */
                currency: string;
                /** @description Basis points of the amount traded, of an order that waited. */
                maker_fee_bps: ApiNumber;
                symbol: string;
                /** @description The same of an order that meets one that waits. */
                taker_fee_bps: ApiNumber;
            }[];
        };
        AgentToolCall: {
            parameters?: unknown;
            result_code: string;
            tool: string;
        };
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
        CancelAfter: {
            /**
             * @description 1,000 to 3,600,000; 0 disarms the switch.
             * @example 30000
             */
            timeout_ms: ApiNumber;
        };
        CancellationResults: {
            results: ({
                order: components["schemas"]["OrderChange"];
            } | {
                error: {
                    code: string;
                    details: {
                        [key: string]: unknown;
                    };
                    message: string;
                };
            })[];
        };
        CancelledOrders: {
            /** @description Orders that are cancelled. */
            order_ids: string[];
            /** @description Orders that a broker may have and was asked to end. Each stays as it is until the broker answers, and may still fill; its end comes as that of any order, in feeds and reads. */
            pending_order_ids: string[];
        };
        CancelSwitch: {
            /** @description Unix milliseconds; null once disarmed. */
            cancel_at: ApiNumber | null;
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
        Currencies: {
            currencies: {
                /**
                 * @description Symbol, as balances and markets have it.
                 * @example USD
                 */
                asset: string;
                /** @description Its smallest amount is one of the last of them. */
                decimals: ApiNumber;
                name: string;
                /** @enum {string} */
                type: "stocks" | "fixed-income" | "commodities" | "forex" | "privates" | "pre-ipo" | "crypto" | "currency" | "allowance";
            }[];
        };
        Fill: {
            /** @description When it was taken back or corrected. */
            adjusted_at: ApiNumber | null;
            /** @description Place of that among all adjustments: a later one has a higher number. The cursor of `/v1/fills/adjusted`. */
            adjustment_sequence: ApiNumber | null;
            /** @description What was charged after all, as the feeds tell it: 0 for one that was taken back; null where it stands as dealt. */
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
        KeySession: {
            /** @description Unix milliseconds. */
            expires_at: ApiNumber;
            /** @description For the header X-API-Session, beside X-API-Key. */
            token: string;
        };
        LedgerEntries: {
            /** @description False while a market of the account cannot settle: what it has executed is missing, and appears once it has settled, with the time at which it was executed. */
            complete: boolean;
            entries: {
                /** @description Below 0 for what has left the account. */
                amount: ApiNumber;
                /**
                 * @description Symbol.
                 * @example USD
                 */
                asset: string;
                /** @enum {string} */
                kind: "trade" | "fee" | "adjustment" | "deposit" | "withdrawal" | "distribution" | "register_entry" | "split" | "booking" | "bridge";
                /** @description Of the trade, transfer or other transaction. */
                reference: string;
                /** @description Unix milliseconds. */
                timestamp: ApiNumber;
            }[];
        };
        Market: {
            base_asset: string;
            /** @description Unix milliseconds at which a halt ends by itself; null for none, or for one that does not. */
            halted_until: ApiNumber | null;
            /** @description Sizes are multiples of it. */
            lot_size: ApiNumber;
            /** @description Basis points of the amount traded, in the quote asset. */
            maker_fee_bps: ApiNumber;
            /** @description What an order that may rest comes to at least, price times size, in the quote asset; one that ends at once may come to less. */
            notional_min: ApiNumber;
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
        MarketSummary: {
            change_percent24h: ApiNumber | null;
            /** @description Last price less that at this full hour. */
            change24h: ApiNumber | null;
            high24h: ApiNumber | null;
            /** @description Last trade; null before the first. */
            last: ApiNumber | null;
            low24h: ApiNumber | null;
            quote_volume24h: ApiNumber;
            symbol: string;
            /** @description Base quantity since the full hour of 24 hours ago: of 24 to 25 hours. */
            volume24h: ApiNumber;
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
        PlacementResults: {
            results: ({
                order: components["schemas"]["Order"];
            } | {
                error: {
                    code: string;
                    details: {
                        [key: string]: unknown;
                    };
                    message: string;
                };
            })[];
        };
        ServerTime: {
            /** @description Unix milliseconds. */
            timestamp: ApiNumber;
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
        Tickers: {
            tickers: components["schemas"]["MarketSummary"][];
            /** @description Unix milliseconds. */
            timestamp: ApiNumber;
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
        Transfers: {
            transfers: {
                amount: ApiNumber;
                /**
                 * @description Symbol.
                 * @example USD
                 */
                asset: string;
                status: string;
                /** @description Unix milliseconds. */
                timestamp: ApiNumber;
                transfer_id: string;
                /** @enum {string} */
                type: "deposit" | "withdrawal";
            }[];
        };
        VenueStatus: {
            /**
             * @description `halted`: no market takes orders. A single market has its own status in `GET /v1/markets`.
             * @enum {string}
             */
            status: "open" | "halted";
            /** @description Unix milliseconds. */
            timestamp: ApiNumber;
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
