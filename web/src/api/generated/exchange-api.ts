/** Written by scripts/web/api-types.ts from the OpenAPI document of profile exchange. */
import type { ApiNumber } from '../json.ts';

export interface paths {
    "/v1/operator/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Accounts of the organization */
        get: {
            parameters: {
                query?: {
                    /** @description Id of the last account of the page before. */
                    cursor?: string;
                    frozen?: "true" | "false";
                    limit?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Accounts by id. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorListedAccount"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An account with its balances */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The account. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorAccountDetail"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/accounts/{id}/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Freeze an account and cancel its open orders */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["OperatorOptionalReason"];
                };
            };
            responses: {
                /** @description The facts before and after, and the orders that were cancelled. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorFactsChange"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/accounts/{id}/unfreeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lift the freeze of an account */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["OperatorOptionalReason"];
                };
            };
            responses: {
                /** @description The facts before and after, and the orders that were cancelled. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorFactsChange"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls that wait for a second operator, newest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    state?: "asked" | "approved" | "rejected";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The calls. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorApproval"][];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        /**
         * Ask a second operator for what moves money or gives rights, or not any more
         * @description Where the deployment asks for one (`OPERATOR_APPROVALS`), this ends nothing.
         */
        put: {
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
                    "application/json": components["schemas"]["OperatorTwoOperators"];
                };
            };
            responses: {
                /** @description What is set. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorTwoOperatorsSet"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A call that waits for a second operator, or was decided on */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The call. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorApproval"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/approvals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a call of another operator
         * @description Whoever asked makes an approved call again, with the header `X-Operator-Approval`, within a day of asking. Until then an approved call may still be rejected.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorReason"];
                };
            };
            responses: {
                /** @description The call after the decision. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorApproval"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/approvals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a call of another operator
         * @description Whoever asked makes an approved call again, with the header `X-Operator-Approval`, within a day of asking. Until then an approved call may still be rejected.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorReason"];
                };
            };
            responses: {
                /** @description The call after the decision. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorApproval"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Assets in every state */
        get: {
            parameters: {
                query?: {
                    category?: "stocks" | "fixed-income" | "commodities" | "forex" | "privates" | "pre-ipo" | "crypto" | "currency" | "allowance";
                    /** @description Symbol of the last asset of the page before. */
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    /** @description Stands in the name, or begins the symbol. */
                    search?: string;
                    status?: "APPROVED" | "PENDING" | "SUSPENDED" | "DELISTED";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Assets by symbol. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorAsset"][];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        /** List an asset */
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
                    "application/json": components["schemas"]["OperatorAssetRequest"];
                };
            };
            responses: {
                /** @description The asset. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorAsset"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/assets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An asset in any state */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The asset. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorAsset"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Edit an asset
         * @description Another accreditation type cancels the open bids of those whom it no longer lets buy. Symbol, category and scale are for good, and so is the regulation once somebody holds the asset or it was traded.
         */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorAssetEdit"];
                };
            };
            responses: {
                /** @description The asset, and what became of its orders. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorAssetChange"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/operator/assets/{id}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload the image of an asset
         * @description PNG, JPEG or WebP, told by its content, at most 512 KiB. It takes the place of an address in `image`.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "image/jpeg": string;
                    "image/png": string;
                    "image/webp": string;
                };
            };
            responses: {
                /** @description The asset. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorAsset"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/assets/{id}/interest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Indications of interest in an asset, without who they are of */
        get: {
            parameters: {
                query?: {
                    /** @description Limit price of the last level of the page before. */
                    cursor?: ApiNumber;
                    limit?: ApiNumber;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The interest. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorInterest"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/assets/{id}/listing-event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Announce an issuer's listing: indications of interest turn firm at its terms
         * @description Each indication that is allotted shares is checked as a firm order and filled from the account of the issuer. An event that is not over when this answers goes on by itself.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorListingRequest"];
                };
            };
            responses: {
                /** @description The event as far as it has come. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorListingEvent"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/assets/{id}/listing-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Listing events of an asset, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Id of the last event of the page before. */
                    cursor?: string;
                    limit?: ApiNumber;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The events. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorListingEvent"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/assets/{id}/listing-events/{event}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A listing event */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    event: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The event. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorListingEvent"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/assets/{id}/listing-events/{event}/indications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What became of each indication at a listing event */
        get: {
            parameters: {
                query?: {
                    /** @description Place of the last indication of the page before. */
                    cursor?: ApiNumber;
                    limit?: ApiNumber;
                };
                header?: never;
                path: {
                    event: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Indications in order of arrival. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorAllotment"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/assets/{id}/listing-events/{event}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a listing event
         * @description What has turned firm stands. The rest of the issuer's offer is taken back and its shares are free again; indications stand as they were. An event that is converted or over is CONFLICT.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    event: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorReason"];
                };
            };
            responses: {
                /** @description The event as far as it has come. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorListingEvent"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/assets/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve, suspend or delist an asset
         * @description Suspending halts its markets and delisting closes them for good; both cancel their open orders. Markets of an asset that is approved again are resumed one by one.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorAssetStatusRequest"];
                };
            };
            responses: {
                /** @description The asset, and the markets that were halted or closed. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorAssetChange"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check the ledger */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Every check with its first violation. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorAudit"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/audit-trail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Administrative actions, newest first
         * @description The trail is append-only. What was done with a case of market surveillance is not shown to whom the case is about, nor what was found of an identity to its person. Amounts within `details`, `before` and `after` are scaled integers.
         */
        get: {
            parameters: {
                query?: {
                    /** @description User id of whoever acted. */
                    actor?: string;
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    subject?: string;
                    type?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The actions. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorAuditedAction"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Order books: halt with its reason, fence, backlog */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Books by symbol. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorBook"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/books/{symbol}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a halted book go on after a repair
         * @description Clears the halt and recovers the book from its journal. Where the cause is still there the book halts again: then `status.halted` says why. A halt of the market is another thing: `/v1/operator/markets/{symbol}/resume`.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    symbol: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorReason"];
                };
            };
            responses: {
                /** @description The book after the attempt. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorResumedBook"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/bridge/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Organizations with a bridge, by id */
        get: {
            parameters: {
                query?: {
                    /** @description Id of the last one of the page before. */
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The organizations. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorListedBridge"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/bridge/organizations/{organization}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What an organization has set, and where it has its assets */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    organization: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The organization. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                /** @default 86400000 */
                                answerMs: ApiNumber;
                                /**
                                 * @description By symbol, in the asset’s smallest unit: amounts from which on the hardware module has to sign.
                                 * @default {}
                                 */
                                coSignFrom: {
                                    [key: string]: ApiNumber;
                                };
                                /**
                                 * Format: uuid
                                 * @description Account of the organization that is credited with `feeBps` of each transfer that was paid out, a day after its end. Null where that stays in the vault. For transfers that begin from now on.
                                 * @default null
                                 */
                                feeAccount: string | null;
                                /** @default 0 */
                                feeBps: ApiNumber;
                                /** @description Address of its guard on the exchange’s chain. */
                                guard: string;
                                /** @default [] */
                                laneTerms: {
                                    /** @description Symbol. */
                                    asset: string;
                                    /** @description What a whole coin of the origin is worth, in the same unit: payouts pay for what their chain asks. Of a token on a mainnet nothing is paid out before it is told; deposits need this lane alone, and so do both ways of a vault at a custody provider. */
                                    coinPrice: ApiNumber | null;
                                    /** @description Of each transfer beside `feeBps`, in the same unit: what it costs on the exchange’s chain. */
                                    flatFee: ApiNumber;
                                    /** @description In the asset’s smallest unit. A transfer of less is refused. */
                                    leastAmount: ApiNumber;
                                    /** @enum {string} */
                                    origin: "exchange" | "bitcoin-legacy" | "bitcoin-segwit" | "bitcoin-taproot" | "ethereum" | "arbitrum" | "optimism" | "base" | "polygon" | "bsc" | "gnosis" | "linea" | "celo" | "avalanche" | "solana" | "cosmos" | "polkadot" | "ton" | "xrpl" | "litecoin" | "dogecoin" | "bitcoin-cash" | "tron" | "stellar" | "algorand" | "near" | "sui" | "tezos" | "aptos" | "cardano";
                                    /**
                                     * @description Part of the daily limit up to which room is held for a transfer that waits. A larger one takes what it finds, and holds up nobody.
                                     * @default 50
                                     */
                                    roomHeldPercent: ApiNumber;
                                }[];
                                /**
                                 * @description What each signer has to stand in for, for its word to count: in the smallest unit of the coin. 0 where its seat is enough.
                                 * @default 0
                                 */
                                minStake: string;
                                /** @description What holds instead for transfers that begin from then on; null for nothing. Stating what holds now takes it back. */
                                next: {
                                    /**
                                     * @description By symbol, in the asset’s smallest unit: amounts from which on the hardware module has to sign.
                                     * @default {}
                                     */
                                    coSignFrom: {
                                        [key: string]: ApiNumber;
                                    };
                                    /** Format: date-time */
                                    from: string;
                                    /** @description Address of its guard on the exchange’s chain. */
                                    guard: string;
                                    /** @description Least amounts and flat fees by lane; left out for none. */
                                    lanes?: {
                                        asset: string;
                                        flatFee: ApiNumber;
                                        leastAmount: ApiNumber;
                                        /** @enum {string} */
                                        origin: "exchange" | "bitcoin-legacy" | "bitcoin-segwit" | "bitcoin-taproot" | "ethereum" | "arbitrum" | "optimism" | "base" | "polygon" | "bsc" | "gnosis" | "linea" | "celo" | "avalanche" | "solana" | "cosmos" | "polkadot" | "ton" | "xrpl" | "litecoin" | "dogecoin" | "bitcoin-cash" | "tron" | "stellar" | "algorand" | "near" | "sui" | "tezos" | "aptos" | "cardano";
                                    }[];
                                    /** @description Address of its signers’ stake there. */
                                    stake: string;
                                } | null;
                                organization: string;
                                /**
                                 * @description How long a transfer waits for room in its lane. The first in line has it a day after it began to wait: less than 23 hours, or 25 and more.
                                 * @default 172800000
                                 */
                                queueMs: ApiNumber;
                                /** @default 3600000 */
                                quoteMs: ApiNumber;
                                /** @description Address of its signers’ stake there. */
                                stake: string;
                                vaults: components["schemas"]["OperatorBridgeVaultView"][];
                            };
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        /**
         * State what an organization has set for its transfers
         * @description Once it has begun a transfer, another guard, stake or amount for the hardware module, and another least amount or flat fee of a lane, holds three days later, for transfers that begin then. What is stated here is all of it: stating what holds takes back what was to follow.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    organization: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorBridgeOrganization"];
                };
            };
            responses: {
                /** @description What is set. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorBridgeOrganizationView"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/bridge/organizations/{organization}/signers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The five signers of an organization, their stakes, and what they were seen doing wrong */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    organization: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The signers, by number. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorBridgeSigner"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/bridge/organizations/{organization}/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tenants of an organization, and the public keys of its signers
         * @description Up to 200 tenants by hostname.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    organization: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What is there. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorBridgeTenants"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/bridge/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Transfers of an organization, newest first */
        get: {
            parameters: {
                query: {
                    cursor?: string;
                    limit?: ApiNumber;
                    organization: string;
                    state?: "awaiting_funds" | "confirming" | "attesting" | "limit_check" | "queued" | "challenge" | "co_signing" | "signing" | "broadcast" | "confirmed" | "refundable" | "refund_signing" | "refund_broadcast" | "refunded" | "expired" | "paid_by_other";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The transfers, as they were last written down. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorBridgeListedTransfer"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/bridge/transfers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A transfer of the bridge: what it is to do, where it stands, who has attested it */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The transfer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorBridgeTransfer"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/bridge/transfers/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a signer slashed by its own words
         * @description The stake’s contract checks the proof. Sent again it slashes once.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorBridgeProof"];
                };
            };
            responses: {
                /** @description It is slashed. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                /** @enum {string} */
                                kind: "equivocation" | "no_burn";
                                signer: ApiNumber;
                                transferId: string;
                            };
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/bridge/transfers/{id}/words": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What signers have said of a transfer’s funds, and what it may prove against them */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The words. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorBridgeWords"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/broker-breaks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reports of brokers that fit no order, newest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    kind?: "unknown_order" | "order_ended" | "exceeds_order" | "too_many_executions" | "outside_limit" | "wrong_side" | "not_exact" | "filled_differs" | "unknown_replacement" | "execution_differs" | "bust" | "correction";
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    orderId?: string;
                    state?: "open" | "resolved" | "all";
                    symbol?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The breaks. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorBrokerBreak"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/broker-differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How positions and open orders at brokers differ from ours, as they were last compared */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    symbol?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The differences by market. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorBrokerDifference"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Incidents, newest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    status?: "open" | "resolved";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The incidents. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorIncident"][];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        /** Open an incident; the public reads it within two minutes */
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
                    "application/json": components["schemas"]["IncidentOpening"];
                };
            };
            responses: {
                /** @description The incident. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorIncident"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/incidents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An incident with all that was told of it */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The incident. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorIncident"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/incidents/{id}/updates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell more of an open incident, or that it is resolved */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["IncidentUpdate"];
                };
            };
            responses: {
                /** @description The incident. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorIncident"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The ledger: halt with its reason, lag of D1, unsealed rows, fill of each bound, rebuild */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The ledger as it is now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorLedger"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/ledger/rebuild-read-model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write the read model again from the journal
         * @description Proves that every row of the journal is there, then empties what D1 shows of the ledger and has it written again, step by step. `GET /v1/operator/ledger` shows how far it is. From emptying to the end reads of accounts answer 503 and no new order is admitted; what is open can be cancelled.
         */
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
                    "application/json": components["schemas"]["OperatorReason"];
                };
            };
            responses: {
                /** @description The rebuild that has begun, or that this Idempotency-Key began before. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorRebuild"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/markets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Markets of every route by symbol, with rules and halts
         * @description What only a book knows stands in the market itself and in the overview: no book is asked here.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Symbol of the last market of the page before. */
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    route?: "internal" | "broker" | "prime" | "indication";
                    /** @description Begins the symbol, in capitals or not. */
                    search?: string;
                    status?: "open" | "halted" | "closed";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The markets. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorVenueMarket"][];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        /** Open a market */
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
                    "application/json": components["schemas"]["OperatorMarketRequest"];
                };
            };
            responses: {
                /** @description The market. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorMarket"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/markets/{symbol}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A market: rules, state, book, and its halts with who made them and why */
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
                /** @description The market. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorVenueMarketDetail"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a market's sizes, fees, price band and trading hours */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    symbol: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorMarketRulesRequest"];
                };
            };
            responses: {
                /** @description The rules before and after. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorMarketChange"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/operator/markets/{symbol}/broker-breaks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One report of a broker that fits no order */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    symbol: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The break. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorBrokerBreak"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/markets/{symbol}/broker-breaks/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a break: acknowledge it, or book its execution to an account
         * @description Booked, cash and shares move between the account and broker clearing, free of fees, and settle on the day of the trade.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                    symbol: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorBrokerBreakResolution"];
                };
            };
            responses: {
                /** @description The break, closed. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorBrokerBreak"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/markets/{symbol}/halt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Halt a market and cancel its open orders */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    symbol: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["OperatorOptionalReason"];
                };
            };
            responses: {
                /** @description The rules before and after. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorMarketChange"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/markets/{symbol}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a halted market */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    symbol: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["OperatorOptionalReason"];
                };
            };
            responses: {
                /** @description The rules before and after. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorMarketChange"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/onboarding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Identities that were handed in, the longest ago first
         * @description Of the own organization, of everyone for the venue. `state=IN_REVIEW` has those that wait for an operator. Nobody is shown their own.
         */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    state?: "DRAFT" | "SUBMITTED" | "IN_REVIEW" | "ASKED_BACK" | "APPROVED" | "REFUSED" | "EXPIRED";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The identities, without what was stated. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OnboardingItem"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/onboarding/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An identity, with what was stated masked
         * @description Of an entity with the people behind it and what each owns.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The identity. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Onboarding"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/onboarding/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take a person for who they say they are */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OnboardingDecision"];
                };
            };
            responses: {
                /** @description The identity after the decision. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OnboardingItem"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/onboarding/{id}/ask-back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask a person for something else */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OnboardingQuestion"];
                };
            };
            responses: {
                /** @description The identity after the decision. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OnboardingItem"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/onboarding/{id}/full": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An identity, with all that was stated
         * @description That it was looked at stands in the audit trail.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The identity. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Onboarding"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/onboarding/{id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refuse a person */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OnboardingRefusal"];
                };
            };
            responses: {
                /** @description The identity after the decision. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OnboardingItem"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Organizations: the own one, all for the venue */
        get: {
            parameters: {
                query?: {
                    /** @description Id of the last organization of the page before. */
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Organizations by id. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorListedOrganization"][];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        /** Create an organization */
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
                    "application/json": components["schemas"]["OperatorOrganizationRequest"];
                };
            };
            responses: {
                /** @description The organization. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorOrganization"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What of the venue runs and what does not: markets, books, ledger, queues, jobs, bridge, blocks
         * @description A part that cannot be read is null and named in `unanswered`; the others are answered.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All as it is now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorOverview"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/prime-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events of the prime broker that no book took
         * @description The oldest 100 that wait.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The events. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorPrimeEvent"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/prime-events/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Close an event of the prime broker that no book took */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorReason"];
                };
            };
            responses: {
                /** @description Closed. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorClosedPrimeEvent"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Refused orders, newest first */
        get: {
            parameters: {
                query?: {
                    accountId?: string;
                    assetId?: string;
                    cursor?: string;
                    limit?: ApiNumber;
                    rule?: "identity_verified" | "account_not_frozen" | "investor_checked" | "key_active" | "no_general_solicitation" | "third_party_verified_buyer" | "accredited_buyer" | "reg_cf_investment_limit" | "reg_d_hold" | "reg_cf_hold" | "reg_s_distribution_compliance" | "issuer_lockup" | "unknown_offering" | "broker_buyer_unknown" | "instrument_known" | "asset_tradeable" | "market_open" | "pre_ipo_asset" | "firm_order" | "order_terms" | "price_band" | "reference_price" | "lots_of_an_order" | "open_orders" | "account_quota" | "largest_holding" | "amendments_under_way" | "client_order_id_unique" | "amendment_terms" | "sufficient_balance" | "rate_stated" | "key_symbols" | "key_order_size" | "key_position" | "key_daily_notional" | "key_daily_loss" | "amendment_within_limit" | "rejected_before";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The refusals. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorRefusal"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/refusals/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How often each rule has refused on a day, the most frequent first */
        get: {
            parameters: {
                query?: {
                    /** @description A day of UTC; today without it. */
                    day?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The rules that have refused. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorRefusalsOfRule"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What has an id: a person, an account, an order, a trade, a payment, an asset, a market and so on
         * @description By the whole id, or the reference that a customer has written on a payment. An operator of another organization than the venue finds what is of their own. An archived order that has not traded is not found.
         */
        get: {
            parameters: {
                query: {
                    id: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description All that has it; nothing where it is unknown. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorFound"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/stores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How large each store is, what is left of it, and how fast it grows
         * @description As it was seen in the last five minutes. Empty before that.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The stores. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorStore"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/surveillance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Cases of market surveillance, newest first
         * @description A case about whoever asks is not in their list.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Who looks into it; empty for nobody. */
                    assignee?: string;
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    market?: string;
                    rule?: "wash_trade" | "marking_the_close" | "layering";
                    state?: "open" | "closed" | "all";
                    /** @description One whom it is about. */
                    userId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The cases, without their evidence. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SurveillanceCaseItem"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/surveillance-days": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Trading days that were watched, newest first, with what was left out of them */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The days. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SurveillanceDay"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/surveillance/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A case of market surveillance, with its evidence and notes */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The case. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SurveillanceCase"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/surveillance/{id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say who looks into an open case */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SurveillanceAssignment"];
                };
            };
            responses: {
                /** @description The case. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SurveillanceCase"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/surveillance/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a case, with how it has ended and why
         * @description What the outcome names is done elsewhere: an account is restricted by freezing it, a report is filed with the authority.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SurveillanceClosing"];
                };
            };
            responses: {
                /** @description The closed case. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SurveillanceCase"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/surveillance/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write a note on a case */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SurveillanceNoteRequest"];
                };
            };
            responses: {
                /** @description The case with the note. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SurveillanceCase"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/surveillance/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open a closed case again */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SurveillanceReopening"];
                };
            };
            responses: {
                /** @description The case, open. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SurveillanceCase"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/transfer-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests to pay in and out, newest first */
        get: {
            parameters: {
                query?: {
                    accountId?: string;
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    /** @description What stands on a transfer that has come, with or without its dashes; of the newest 100,000 requests. */
                    paymentReference?: string;
                    status?: "requested" | "approved" | "rejected" | "executed" | "cancelled";
                    type?: "deposit" | "withdrawal";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The requests. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorTransferRequest"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/transfer-requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A request to pay in or out */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The request. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorTransferRequest"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/transfer-requests/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve a request; its user cannot take it back any more */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorTransferDecision"];
                };
            };
            responses: {
                /** @description The request after the decision. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["TransferRequest"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/transfer-requests/{id}/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Execute an approved request, once */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorTransferDecision"];
                };
            };
            responses: {
                /** @description The request after the decision. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["TransferRequest"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/transfer-requests/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject a request, approved or not; what it held is available again */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorTransferDecision"];
                };
            };
            responses: {
                /** @description The request after the decision. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["TransferRequest"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Users of the organization */
        get: {
            parameters: {
                query?: {
                    active?: "true" | "false";
                    /** @description Id of the last user of the page before. */
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    /** @description Organization id, for operators of the venue. */
                    owner?: string;
                    role?: "trader" | "operator" | "access_manager" | "auditor" | "cross_lister" | "transfer_agent" | "bridge_tenant" | "event_admin" | "event_operator" | "event_viewer" | "event_camera";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Users by id. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorListedUser"][];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        /** Create a user with an account */
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
                    "application/json": components["schemas"]["OperatorUserRequest"];
                };
            };
            responses: {
                /** @description The user and the account. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorUser"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A user, with powers, API keys and what a kill switch would end */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The user. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorUserDetail"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Edit a user
         * @description Roles are given whole and hold at once. Nobody changes their own.
         */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorUserEdit"];
                };
            };
            responses: {
                /** @description The user. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorUserRecord"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/operator/users/{id}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a user’s tokens, keys and open orders, and let nobody sign in as them */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorReason"];
                };
            };
            responses: {
                /** @description The user, and what has ended. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorUserChange"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/users/{id}/family": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Family relations of a user, from either side, those that have ended included */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Newest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorFamily"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        /** Record that two users are family */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorFamilyRequest"];
                };
            };
            responses: {
                /** @description The relation. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorFamilyRelation"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/users/{id}/family/{relation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a family relation
         * @description Open orders of either that carry the other as family are cancelled.
         */
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                    relation_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorReason"];
                };
            };
            responses: {
                /** @description The relation, and the orders that were cancelled. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorFamilyEnd"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operator/users/{id}/reactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let a deactivated user sign in again */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorReason"];
                };
            };
            responses: {
                /** @description The user, and what has ended. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorUserChange"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/users/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Search users of the organization */
        post: {
            parameters: {
                query?: {
                    /** @description Id of the last user of the page before. */
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorUserSearch"];
                };
            };
            responses: {
                /** @description Users by id. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorListedUser"][];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/venue/halt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Halt every market and cancel all open orders */
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
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["OperatorOptionalReason"];
                };
            };
            responses: {
                /** @description The market-wide halt, and the markets whose books know of it. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorVenue"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/venue/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lift the market-wide halt */
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
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["OperatorOptionalReason"];
                };
            };
            responses: {
                /** @description The market-wide halt, and the markets whose books know of it. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorVenue"];
                            /** @enum {string} */
                            message: "ok";
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
    "/v1/operator/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Webhooks of every organization, newest first, with what waits at each */
        get: {
            parameters: {
                query?: {
                    /** @description Id of the last one of the page before. */
                    cursor?: string;
                    limit?: ApiNumber;
                    organization?: string;
                    status?: "enabled" | "disabled";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The webhooks. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorWebhook"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A webhook of any organization, with what waits at it */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The webhook. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorWebhook"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was sent to a webhook in the last 30 days, what waits, and what was given up */
        get: {
            parameters: {
                query?: {
                    /** @description Sequence of the last one of the page before. */
                    cursor?: ApiNumber;
                    limit?: ApiNumber;
                    status?: "waiting" | "delivered" | "dead" | "skipped";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Latest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorDelivery"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/webhooks/{id}/deliveries/{delivery}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A message to a webhook and each try of it, without its body and what was answered */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    delivery: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The message. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorDeliveryDetail"];
                            /** @enum {string} */
                            message: "ok";
                        };
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
    "/v1/operator/webhooks/{id}/deliveries/{delivery}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message again that was given up
         * @description As a new delivery of the same event, to where its owner has it sent now. Of a webhook that is switched off, of a message that is not dead, and of one whose event waits or was taken as another delivery, it is CONFLICT.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    delivery: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorReason"];
                };
            };
            responses: {
                /** @description The new delivery. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorDeliveryDetail"];
                            /** @enum {string} */
                            message: "ok";
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        EntityDetail: {
            activity: string;
            form: string;
            formationCountry: string;
            formationRegion: string;
            /** @description It was said that nobody owns 25 % or more. */
            nobodyOwns: boolean;
            parties: components["schemas"]["EntityParty"][];
            registrationNumber: string;
            sourceOfFunds: string;
        } | null;
        EntityParty: {
            /** @enum {string} */
            adverseMedia: "unchecked" | "clear" | "match";
            /** Format: date-time */
            checkedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            facts: components["schemas"]["IdentityFacts"] & {
                passport: string;
                passportCountry: string;
                title: string;
            };
            /** @enum {string} */
            finding: "pending" | "verified" | "refused" | "review";
            id: string;
            reason: string | null;
            roles: ("owner" | "control" | "authorised")[];
            /** @enum {string} */
            sanctions: "unchecked" | "clear" | "match";
            /** @description Basis points; null of who owns less than 25 %. */
            shareBps: ApiNumber | null;
        };
        IdentityFacts: {
            birthDate: string;
            city: string;
            country: string;
            legalName: string;
            postalCode: string;
            region: string;
            street: string;
            taxId: string;
        };
        IncidentOpening: {
            /** @description What customers see as disturbed while it is open. */
            parts: ("trading" | "market_data" | "money" | "sign_in" | "partners" | "bridge" | "events")[];
            /**
             * @default investigating
             * @enum {string}
             */
            state: "investigating" | "identified" | "monitoring";
            title: string;
            /** @description What the public is told, as it stands here: no names of customers, and nothing of how the venue is built. */
            words: string;
        };
        IncidentUpdate: {
            /** @description What customers see as disturbed while it is open. */
            parts?: ("trading" | "market_data" | "money" | "sign_in" | "partners" | "bridge" | "events")[];
            /** @enum {string} */
            state: "investigating" | "identified" | "monitoring" | "resolved";
            /** @description What the public is told, as it stands here: no names of customers, and nothing of how the venue is built. */
            words: string;
        };
        Onboarding: components["schemas"]["OnboardingItem"] & {
            attested: {
                /** Format: date-time */
                at: string;
                name: string;
                version: string;
            }[];
            documents: {
                bytes: ApiNumber;
                /** Format: date-time */
                createdAt: string;
                id: string;
                /** @enum {string} */
                kind: "passport" | "driving_licence" | "proof_of_address" | "selfie" | "articles" | "good_standing" | "authorisation";
                /** @enum {string} */
                type: "image/jpeg" | "image/png" | "application/pdf";
            }[];
            entity: components["schemas"]["EntityDetail"];
            facts: components["schemas"]["IdentityFacts"];
        };
        OnboardingDecision: {
            /** @description For the audit trail alone: the person is not told. */
            reason: string;
            /**
             * Format: uuid
             * @description The handing in that was looked at. Another one is not decided on.
             */
            submission: string;
            /** @description The version of the identity that was looked at. Where something was found or stated since, nothing is decided: CONFLICT, `other_findings`. */
            version: ApiNumber;
        };
        OnboardingItem: {
            accountId: string;
            /** @enum {string} */
            adverseMedia: "unchecked" | "clear" | "match";
            /**
             * Format: date-time
             * @description Until when an approval of before counts, while another handing in is decided on. A refusal ends it at once, whatever the state.
             */
            approvedUntil: string | null;
            /** Format: date-time */
            checkedAt: string | null;
            /** Format: date-time */
            decidedAt: string | null;
            decidedBy: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            id: string;
            /** @description By which their user is known here. */
            name: string | null;
            owner: string;
            provider: string | null;
            /** @description What was found. Of one who was asked back, or whom an operator has refused: what was written to them. */
            reason: string | null;
            /** @enum {string} */
            sanctions: "unchecked" | "clear" | "match";
            /** @enum {string} */
            state: "DRAFT" | "SUBMITTED" | "IN_REVIEW" | "ASKED_BACK" | "APPROVED" | "REFUSED" | "EXPIRED";
            /**
             * @description Whose account it is: the person’s, or that of an entity that they act for.
             * @enum {string}
             */
            subject: "person" | "entity";
            /** @description Which handing in this is: a decision names it. */
            submission: string | null;
            /** Format: date-time */
            submittedAt: string | null;
            userId: string;
            /** @description Another one with each finding, statement and decision: a decision names it. */
            version: ApiNumber;
        };
        OnboardingQuestion: {
            /** @description What the person is told, by mail and where they read how it stands. Nothing of lists or reports: they must not learn of them (31 CFR 1020.320(e)). */
            message: string;
            /** @description For the audit trail alone: the person is not told. */
            reason: string;
            /**
             * Format: uuid
             * @description The handing in that was looked at. Another one is not decided on.
             */
            submission: string;
            /** @description The version of the identity that was looked at. Where something was found or stated since, nothing is decided: CONFLICT, `other_findings`. */
            version: ApiNumber;
        };
        OnboardingRefusal: {
            /** @description What the person is told, by mail and where they read how it stands. Nothing of lists or reports: they must not learn of them (31 CFR 1020.320(e)). */
            message?: string;
            /** @description For the audit trail alone: the person is not told. */
            reason: string;
            /**
             * Format: uuid
             * @description The handing in that was looked at. Another one is not decided on.
             */
            submission: string;
            /** @description The version of the identity that was looked at. Where something was found or stated since, nothing is decided: CONFLICT, `other_findings`. */
            version: ApiNumber;
        };
        OperatorAccount: {
            accountId: string;
            facts: components["schemas"]["OperatorFacts"];
            owner: string;
            userId: string | null;
        };
        OperatorAccountDetail: components["schemas"]["OperatorAccount"] & {
            balances: {
                assetId: string;
                available: ApiNumber;
                held: ApiNumber;
                symbol: string;
            }[];
            /** @description Of whom it is; null where nobody has it. */
            name: string | null;
            /** @description What a freeze would cancel. */
            openOrders: {
                markets: ApiNumber;
                orders: ApiNumber;
            };
        };
        OperatorAllotment: {
            accountId: string;
            allottedShares: ApiNumber;
            /** @description The code that an order has which fails that rule. */
            code: string | null;
            indicatedShares: ApiNumber;
            limitPrice: ApiNumber;
            orderId: string;
            /** @enum {string} */
            outcome: "pending" | "converted" | "not_allotted" | "failed";
            /**
             * @description What stood in the way.
             * @example accreditation_required
             */
            rule: string | null;
        };
        OperatorApproval: {
            /** Format: date-time */
            askedAt: string;
            /** @description User id of the operator. */
            askedBy: string;
            /** @description What was asked for, as it will be made. */
            body?: unknown;
            /** @example POST /exchange/v1/operator/deposits */
            call: string;
            /** Format: date-time */
            decidedAt: string | null;
            decidedBy: string | null;
            /** Format: date-time */
            expiresAt: string;
            id: string;
            /** @description Whether whoever reads this may have asked for it: they do not decide on it. */
            own: boolean;
            /** @enum {string} */
            state: "asked" | "approved" | "rejected";
            /** @description Id of the action that it was used for. */
            usedBy: string | null;
        };
        OperatorAsset: {
            /** @enum {string|null} */
            accreditationType: "506c" | "506b" | null;
            /** @enum {string} */
            category: "stocks" | "fixed-income" | "commodities" | "forex" | "privates" | "pre-ipo" | "crypto" | "currency" | "allowance";
            description: string | null;
            exchange: string | null;
            /** @enum {string|null} */
            executionRoute: "internal" | "broker" | "prime" | "indication" | null;
            hasUploadedImage: boolean;
            id: string;
            /** @description Address of an image elsewhere; empty for one that is uploaded, or for none. */
            image: "" | string;
            /** @description Account that sells the shares of a pre-IPO asset at its listing event. */
            issuerAccount: string | null;
            issuerName: string | null;
            /** @enum {string|null} */
            marketRail: "public" | "private" | "digital" | null;
            name: string;
            offeringType: string | null;
            /** @description Its price in US dollars until it has traded, of an asset without a market of ours. */
            referencePrice: ApiNumber | null;
            /**
             * @description What the asset was offered under; it decides the resale hold.
             * @enum {string|null}
             */
            regulation: "reg_d_506c" | "reg_d_506b" | "reg_cf" | "reg_s" | "reg_a" | "retail" | null;
            /** @description Decimals of a quantity. */
            scale: ApiNumber;
            /** @enum {string} */
            status: "APPROVED" | "PENDING" | "SUSPENDED" | "DELISTED";
            /** @example ACME */
            symbol: string;
            tracksLots: boolean;
            tradeable: boolean;
        };
        OperatorAssetChange: {
            asset: components["schemas"]["OperatorAsset"];
            /** @description Bids of those who no longer qualify that are cancelled. */
            cancelledOrders: string[];
            /** @description Markets whose orders it had an effect on. */
            markets: string[];
            /** @description Orders that a broker may have and was asked to end. Each stays as it is until the broker answers, and may still fill; its end comes as that of any order, in feeds and reads. */
            pendingOrderIds: string[];
        };
        OperatorAssetEdit: {
            /** @enum {string|null} */
            accreditationType?: "506c" | "506b" | null;
            description?: string | null;
            exchange?: string | null;
            /**
             * @description Where profile A executes.
             * @enum {string}
             */
            executionRoute?: "internal" | "broker" | "prime" | "indication";
            /** @description Address of an image elsewhere; empty for one that is uploaded, or for none. */
            image?: "" | string;
            /** @description Account that sells the shares of a pre-IPO asset at its listing event. */
            issuerAccount?: string | null;
            issuerName?: string | null;
            name?: string;
            offeringType?: string | null;
            reason: string;
            /** @description Its price in US dollars until it has traded, of an asset without a market of ours. */
            referencePrice?: ApiNumber | null;
            /**
             * @description What the asset was offered under; it decides the resale hold.
             * @enum {string|null}
             */
            regulation?: "reg_d_506c" | "reg_d_506b" | "reg_cf" | "reg_s" | "reg_a" | "retail" | null;
            tradeable?: boolean;
        };
        OperatorAssetRequest: {
            /**
             * @default null
             * @enum {string|null}
             */
            accreditationType: "506c" | "506b" | null;
            /** @enum {string} */
            category: "stocks" | "fixed-income" | "commodities" | "forex" | "privates" | "pre-ipo" | "crypto";
            /** @default null */
            description: string | null;
            /** @default null */
            exchange: string | null;
            /**
             * @description Where profile A executes; by category when left out.
             * @enum {string}
             */
            executionRoute?: "internal" | "broker" | "prime" | "indication";
            /** @description A UUID when left out. */
            id?: string;
            /**
             * @description Address of an image elsewhere; empty for one that is uploaded, or for none.
             * @default
             */
            image: "" | string;
            /**
             * @description Account that sells the shares of a pre-IPO asset at its listing event.
             * @default null
             */
            issuerAccount: string | null;
            /** @default null */
            issuerName: string | null;
            name: string;
            /** @default null */
            offeringType: string | null;
            /**
             * @description Its price in US dollars until it has traded, of an asset without a market of ours.
             * @default null
             */
            referencePrice: ApiNumber | null;
            /**
             * @description What the asset was offered under; it decides the resale hold.
             * @default null
             * @enum {string|null}
             */
            regulation: "reg_d_506c" | "reg_d_506b" | "reg_cf" | "reg_s" | "reg_a" | "retail" | null;
            /** @description Decimals of a quantity. */
            scale: ApiNumber;
            /**
             * @default APPROVED
             * @enum {string}
             */
            status: "APPROVED" | "PENDING";
            /** @example ACME */
            symbol: string;
            /** @default true */
            tradeable: boolean;
        };
        OperatorAssetStatusRequest: {
            reason: string;
            /** @enum {string} */
            status: "APPROVED" | "PENDING" | "SUSPENDED" | "DELISTED";
        };
        OperatorAudit: {
            checks: {
                claim: string;
                examined: ApiNumber;
                holds: boolean;
                /** @enum {string} */
                invariant: "L1" | "L2" | "L3" | "L4" | "L5" | "lots" | "broker" | "unsettled" | "register" | "projection";
                violation: string | null;
            }[];
            holds: boolean;
            /** @description Books that did not settle in time; the checks hold regardless. */
            unsettledBooks: string[];
        };
        OperatorAuditedAction: {
            /** @description User id of the operator. */
            actor: string;
            after?: unknown;
            before?: unknown;
            /**
             * @description What the operator came by: `client:<client_id>` or `key:<key id>`. Null for what follows by itself.
             * @example client:lakeside-app
             */
            credential: string | null;
            details: {
                [key: string]: unknown;
            };
            id: string;
            requestId: string;
            /** @description What was acted upon: an id, a market symbol, or `venue`. Null in a family relation of another organization’s account. */
            subject: string | null;
            /** Format: date-time */
            timestamp: string;
            /** @example operator.deposit */
            type: string;
        };
        OperatorBehindBook: {
            outbox: ApiNumber;
            queued: ApiNumber;
            symbol: string;
            unsettled: ApiNumber;
        };
        OperatorBook: {
            reachable: boolean;
            status: components["schemas"]["OperatorBookStatus"] | null;
            symbol: string;
        };
        OperatorBookStatus: {
            /** @description The last batch that the ledger took from it. */
            batch: ApiNumber;
            /** @description Why the book stands still; it may still take cancels. */
            halted: string | null;
            /** @description Unix ms at which the halt ends that the book has begun by itself. */
            haltedUntil: ApiNumber | null;
            /** @description Rows of its journal. */
            journaled: ApiNumber;
            liveOrders: ApiNumber;
            /** @enum {string} */
            market: "open" | "halted" | "closed";
            /** @description Chunks that the ledger does not have yet. */
            outbox: ApiNumber;
            /** @description The instance that owns the book. */
            owner: string;
            /** @description Commands that wait for the ledger. */
            queued: ApiNumber;
            /** @description The last of its chunks that the ledger has. */
            settled: ApiNumber;
        };
        OperatorBridgeListedTransfer: {
            asset: string | null;
            destination: {
                /** @description Of an account its id. */
                address: string;
                /** @description Null for an account of the ledger. */
                chain: string | null;
            } | null;
            hostname: string;
            source: {
                /** @description Of an account its id. */
                address: string;
                /** @description Null for an account of the ledger. */
                chain: string | null;
            } | null;
            /** @enum {string} */
            state: "awaiting_funds" | "confirming" | "attesting" | "limit_check" | "queued" | "challenge" | "co_signing" | "signing" | "broadcast" | "confirmed" | "refundable" | "refund_signing" | "refund_broadcast" | "refunded" | "expired" | "paid_by_other";
            /** Format: uuid */
            transferId: string;
            /** Format: date-time */
            updatedAt: string;
        };
        OperatorBridgeOrganization: {
            /** @default 86400000 */
            answerMs: ApiNumber;
            /**
             * @description By symbol, in the asset’s smallest unit: amounts from which on the hardware module has to sign.
             * @default {}
             */
            coSignFrom: {
                [key: string]: ApiNumber;
            };
            /**
             * Format: uuid
             * @description Account of the organization that is credited with `feeBps` of each transfer that was paid out, a day after its end. Null where that stays in the vault. For transfers that begin from now on.
             * @default null
             */
            feeAccount: string | null;
            /** @default 0 */
            feeBps: ApiNumber;
            /** @description Address of its guard on the exchange’s chain. */
            guard: string;
            /** @default [] */
            laneTerms: {
                /** @description Symbol. */
                asset: string;
                /** @description What a whole coin of the origin is worth, in the same unit: payouts pay for what their chain asks. Of a token on a mainnet nothing is paid out before it is told; deposits need this lane alone, and so do both ways of a vault at a custody provider. */
                coinPrice: ApiNumber | null;
                /** @description Of each transfer beside `feeBps`, in the same unit: what it costs on the exchange’s chain. */
                flatFee: ApiNumber;
                /** @description In the asset’s smallest unit. A transfer of less is refused. */
                leastAmount: ApiNumber;
                /** @enum {string} */
                origin: "exchange" | "bitcoin-legacy" | "bitcoin-segwit" | "bitcoin-taproot" | "ethereum" | "arbitrum" | "optimism" | "base" | "polygon" | "bsc" | "gnosis" | "linea" | "celo" | "avalanche" | "solana" | "cosmos" | "polkadot" | "ton" | "xrpl" | "litecoin" | "dogecoin" | "bitcoin-cash" | "tron" | "stellar" | "algorand" | "near" | "sui" | "tezos" | "aptos" | "cardano";
                /**
                 * @description Part of the daily limit up to which room is held for a transfer that waits. A larger one takes what it finds, and holds up nobody.
                 * @default 50
                 */
                roomHeldPercent: ApiNumber;
            }[];
            /**
             * @description What each signer has to stand in for, for its word to count: in the smallest unit of the coin. 0 where its seat is enough.
             * @default 0
             */
            minStake: string;
            /**
             * @description How long a transfer waits for room in its lane. The first in line has it a day after it began to wait: less than 23 hours, or 25 and more.
             * @default 172800000
             */
            queueMs: ApiNumber;
            /** @default 3600000 */
            quoteMs: ApiNumber;
            /** @description Address of its signers’ stake there. */
            stake: string;
        };
        OperatorBridgeOrganizationView: {
            /** @default 86400000 */
            answerMs: ApiNumber;
            /**
             * @description By symbol, in the asset’s smallest unit: amounts from which on the hardware module has to sign.
             * @default {}
             */
            coSignFrom: {
                [key: string]: ApiNumber;
            };
            /**
             * Format: uuid
             * @description Account of the organization that is credited with `feeBps` of each transfer that was paid out, a day after its end. Null where that stays in the vault. For transfers that begin from now on.
             * @default null
             */
            feeAccount: string | null;
            /** @default 0 */
            feeBps: ApiNumber;
            /** @description Address of its guard on the exchange’s chain. */
            guard: string;
            /** @default [] */
            laneTerms: {
                /** @description Symbol. */
                asset: string;
                /** @description What a whole coin of the origin is worth, in the same unit: payouts pay for what their chain asks. Of a token on a mainnet nothing is paid out before it is told; deposits need this lane alone, and so do both ways of a vault at a custody provider. */
                coinPrice: ApiNumber | null;
                /** @description Of each transfer beside `feeBps`, in the same unit: what it costs on the exchange’s chain. */
                flatFee: ApiNumber;
                /** @description In the asset’s smallest unit. A transfer of less is refused. */
                leastAmount: ApiNumber;
                /** @enum {string} */
                origin: "exchange" | "bitcoin-legacy" | "bitcoin-segwit" | "bitcoin-taproot" | "ethereum" | "arbitrum" | "optimism" | "base" | "polygon" | "bsc" | "gnosis" | "linea" | "celo" | "avalanche" | "solana" | "cosmos" | "polkadot" | "ton" | "xrpl" | "litecoin" | "dogecoin" | "bitcoin-cash" | "tron" | "stellar" | "algorand" | "near" | "sui" | "tezos" | "aptos" | "cardano";
                /**
                 * @description Part of the daily limit up to which room is held for a transfer that waits. A larger one takes what it finds, and holds up nobody.
                 * @default 50
                 */
                roomHeldPercent: ApiNumber;
            }[];
            /**
             * @description What each signer has to stand in for, for its word to count: in the smallest unit of the coin. 0 where its seat is enough.
             * @default 0
             */
            minStake: string;
            /** @description What holds instead for transfers that begin from then on; null for nothing. Stating what holds now takes it back. */
            next: {
                /**
                 * @description By symbol, in the asset’s smallest unit: amounts from which on the hardware module has to sign.
                 * @default {}
                 */
                coSignFrom: {
                    [key: string]: ApiNumber;
                };
                /** Format: date-time */
                from: string;
                /** @description Address of its guard on the exchange’s chain. */
                guard: string;
                /** @description Least amounts and flat fees by lane; left out for none. */
                lanes?: {
                    asset: string;
                    flatFee: ApiNumber;
                    leastAmount: ApiNumber;
                    /** @enum {string} */
                    origin: "exchange" | "bitcoin-legacy" | "bitcoin-segwit" | "bitcoin-taproot" | "ethereum" | "arbitrum" | "optimism" | "base" | "polygon" | "bsc" | "gnosis" | "linea" | "celo" | "avalanche" | "solana" | "cosmos" | "polkadot" | "ton" | "xrpl" | "litecoin" | "dogecoin" | "bitcoin-cash" | "tron" | "stellar" | "algorand" | "near" | "sui" | "tezos" | "aptos" | "cardano";
                }[];
                /** @description Address of its signers’ stake there. */
                stake: string;
            } | null;
            organization: string;
            /**
             * @description How long a transfer waits for room in its lane. The first in line has it a day after it began to wait: less than 23 hours, or 25 and more.
             * @default 172800000
             */
            queueMs: ApiNumber;
            /** @default 3600000 */
            quoteMs: ApiNumber;
            /** @description Address of its signers’ stake there. */
            stake: string;
        };
        OperatorBridgeProof: {
            /** @enum {string} */
            kind: "equivocation" | "no_burn";
            signer: ApiNumber;
        };
        OperatorBridgeSigner: {
            /** @description The same as an address: what it stakes by. */
            account: string | null;
            faults: {
                /** @description The newest 20. Each reason counts once a transfer. */
                latest: {
                    /** Format: date-time */
                    at: string;
                    /** @enum {string} */
                    reason: "other_signer" | "no_claim" | "other_claim" | "other_digest" | "empty_seat" | "other_signature" | "too_little_stake" | "contradiction" | "wrong_share";
                    transferId: string;
                }[];
                total: ApiNumber;
            };
            /** @description Compressed point. Null while it does not answer. */
            identity: string | null;
            /** @description Its own account. Null where that is not known now. */
            isSlashed: boolean | null;
            /** @description Its seat at the stake. Null while the chain does not answer. */
            seat: {
                /** @description Who has the seat. Null for nobody. */
                account: string | null;
                /** @description In the smallest unit of the coin. */
                stake: string;
            } | null;
            signer: ApiNumber;
        };
        OperatorBridgeTenants: {
            keys: {
                /** Format: date-time */
                createdAt: string;
                generation: ApiNumber;
                groupKey: string;
                scheme: string;
            }[];
            tenants: {
                chains: string[];
                hostname: string;
                isEnabled: boolean;
                name: string;
                /** @enum {string} */
                signingMode: "native" | "custody" | "custom";
                singleOperator: boolean;
                /** Format: date-time */
                updatedAt: string;
            }[];
        };
        OperatorBridgeTransfer: {
            amount: ApiNumber;
            asset: string;
            attestedBy: ApiNumber[];
            /** @description Signers whose shares were wrong. */
            cheaters: ApiNumber[];
            /** Format: date-time */
            createdAt: string;
            destination: {
                /** @description Of an account its id. */
                address: string;
                /** @description Null for an account of the ledger. */
                chain: string | null;
            };
            /** Format: date-time */
            expiresAt: string;
            fee: ApiNumber;
            history: {
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                state: "awaiting_funds" | "confirming" | "attesting" | "limit_check" | "queued" | "challenge" | "co_signing" | "signing" | "broadcast" | "confirmed" | "refundable" | "refund_signing" | "refund_broadcast" | "refunded" | "expired" | "paid_by_other";
            }[];
            hostname: string;
            /** @description Its funds were lost after it was paid. */
            isUncovered: boolean;
            organization: string;
            /**
             * @description `vetoed`: somebody has stopped it.
             * @enum {string|null}
             */
            refundReason: "rejected" | "vetoed" | "wrong_amount" | "late" | "queue_ended" | "timed_out" | "unsignable" | "unpayable" | "other_payer" | null;
            refusedBy: ApiNumber[];
            source: {
                /** @description Of an account its id. */
                address: string;
                /** @description Null for an account of the ledger. */
                chain: string | null;
            };
            /** @enum {string} */
            state: "awaiting_funds" | "confirming" | "attesting" | "limit_check" | "queued" | "challenge" | "co_signing" | "signing" | "broadcast" | "confirmed" | "refundable" | "refund_signing" | "refund_broadcast" | "refunded" | "expired" | "paid_by_other";
            /** Format: uuid */
            transferId: string;
            /**
             * Format: date-time
             * @description When the state ends by itself.
             */
            until: string | null;
            waitsFor: string | null;
        };
        OperatorBridgeVaultView: {
            assetId: string;
            /** @enum {string} */
            chain: "exchange" | "bitcoin-legacy" | "bitcoin-segwit" | "bitcoin-taproot" | "ethereum" | "arbitrum" | "optimism" | "base" | "polygon" | "bsc" | "gnosis" | "linea" | "celo" | "avalanche" | "solana" | "cosmos" | "polkadot" | "ton" | "xrpl" | "litecoin" | "dogecoin" | "bitcoin-cash" | "tron" | "stellar" | "algorand" | "near" | "sui" | "tezos" | "aptos" | "cardano";
            /**
             * Format: date-time
             * @description The first transfers that may go by it begin then. Null where that is past.
             */
            from: string | null;
            /** @description Where it is instead for transfers that begin from then on; null for nowhere. Stating where it is now takes that back. */
            next: {
                /** Format: date-time */
                from: string;
                place: {
                    contract: string | null;
                    /** @description Where a custody provider keeps the funds: its name in BRIDGE_CUSTODY_PROVIDERS, and its ids of vault account and asset. For tenants of signing mode `custody`. */
                    custody?: {
                        account: string;
                        asset: string;
                        provider: string;
                    };
                    decimals: ApiNumber;
                    keys: {
                        groupKey: string;
                        /** @enum {string} */
                        scheme: "frost-secp256k1" | "frost-taproot" | "frost-ed25519" | "multisig-secp256k1";
                        signerKeys: string[];
                    };
                    /** @enum {string} */
                    network: "mainnet" | "testnet" | "local";
                    token: string | null;
                };
            } | null;
            /** @enum {string} */
            origin: "exchange" | "bitcoin-legacy" | "bitcoin-segwit" | "bitcoin-taproot" | "ethereum" | "arbitrum" | "optimism" | "base" | "polygon" | "bsc" | "gnosis" | "linea" | "celo" | "avalanche" | "solana" | "cosmos" | "polkadot" | "ton" | "xrpl" | "litecoin" | "dogecoin" | "bitcoin-cash" | "tron" | "stellar" | "algorand" | "near" | "sui" | "tezos" | "aptos" | "cardano";
            place: {
                contract: string | null;
                /** @description Where a custody provider keeps the funds: its name in BRIDGE_CUSTODY_PROVIDERS, and its ids of vault account and asset. For tenants of signing mode `custody`. */
                custody?: {
                    account: string;
                    asset: string;
                    provider: string;
                };
                decimals: ApiNumber;
                keys: {
                    groupKey: string;
                    /** @enum {string} */
                    scheme: "frost-secp256k1" | "frost-taproot" | "frost-ed25519" | "multisig-secp256k1";
                    signerKeys: string[];
                };
                /** @enum {string} */
                network: "mainnet" | "testnet" | "local";
                token: string | null;
            };
        };
        OperatorBridgeWords: {
            /** @description What was attested is gone. */
            areFundsLost: boolean;
            commitment: string;
            faults: {
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                reason: "other_signer" | "no_claim" | "other_claim" | "other_digest" | "empty_seat" | "other_signature" | "too_little_stake" | "contradiction" | "wrong_share";
                signer: ApiNumber;
            }[];
            organization: string;
            /** @description What the words may prove. Whether a burn is there, the chain says. */
            proofs: {
                /** @enum {string} */
                kind: "equivocation" | "no_burn";
                signer: ApiNumber;
            }[];
            /** Format: uuid */
            transferId: string;
            words: {
                account: string;
                claim: {
                    burn: {
                        amount: string;
                        burner: string;
                        wrapped: string;
                    } | null;
                    chainId: ApiNumber;
                    digest: string;
                    /** @description Unix seconds. */
                    dueAt: ApiNumber;
                    kind: string;
                    organization: string;
                    signer: ApiNumber;
                    stake: string;
                    subject: string;
                };
                signature: string;
                signer: ApiNumber;
            }[];
        };
        OperatorBrokerBreak: {
            booking: {
                accountId: string;
                id: string;
                price: ApiNumber;
                quantity: ApiNumber;
                /** Format: date */
                settlementDate: string | null;
                /** @enum {string} */
                side: "BUY" | "SELL";
                total: ApiNumber;
            } | null;
            detail: string;
            executionId: string | null;
            /** @description Of the report, by the broker; unique within a market. */
            id: string;
            /** @description Whether it is open and tells of an execution. */
            isBookable: boolean;
            /** @enum {string} */
            kind: "unknown_order" | "order_ended" | "exceeds_order" | "too_many_executions" | "outside_limit" | "wrong_side" | "not_exact" | "filled_differs" | "unknown_replacement" | "execution_differs" | "bust" | "correction";
            /** @description Of an execution that was known: what was said of it first. */
            known: {
                price: ApiNumber | null;
                quantity: ApiNumber | null;
                /** @enum {string|null} */
                side: "BUY" | "SELL" | null;
            } | null;
            orderId: string;
            price: ApiNumber | null;
            quantity: ApiNumber | null;
            reason: string | null;
            /** Format: date-time */
            resolvedAt: string | null;
            resolvedBy: string | null;
            /** @enum {string|null} */
            side: "BUY" | "SELL" | null;
            /** @enum {string} */
            state: "open" | "acknowledged" | "booked";
            symbol: string;
            /**
             * Format: date-time
             * @description When it happened, by the broker.
             */
            timestamp: string;
        };
        /** @description What the break says of its execution stands. What it does not say (`side`, `price`, `quantity` null) is stated to book it. */
        OperatorBrokerBreakResolution: {
            /** @enum {string} */
            action: "acknowledge";
            reason: string;
        } | {
            accountId: string;
            /** @enum {string} */
            action: "book";
            price?: ApiNumber;
            quantity?: ApiNumber;
            reason: string;
            /** @enum {string} */
            side?: "BUY" | "SELL";
        };
        OperatorBrokerDifference: {
            /**
             * Format: date-time
             * @description When its market was last compared.
             */
            comparedAt: string | null;
            detail: string;
            /**
             * Format: date-time
             * @description Since when the market could not be compared.
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description Since when it is the same.
             */
            firstSeenAt: string;
            /** @description Whether two comparisons have seen the same. */
            isBreak: boolean;
            /**
             * @description `position`: what the broker says we have of it; `open_here`: an order that is open here alone; `open_there`: at the broker alone.
             * @enum {string}
             */
            kind: "position" | "open_here" | "open_there";
            /** Format: date-time */
            lastSeenAt: string;
            /** @description Null for the position. */
            orderId: string | null;
            symbol: string;
        };
        OperatorChainPart: {
            blocksWaitFor: string | null;
            checkpointsWaitFor: string | null;
            finalHeight: ApiNumber | null;
            /** @description Of the last block; null while the sequencer does not answer. */
            height: ApiNumber | null;
            /** @description Blocks that are not final yet. */
            lag: ApiNumber | null;
            /** @description Settlements that are final and not on chain. */
            registryWaiting: ApiNumber | null;
            /** Format: date-time */
            registryWaitingSince: string | null;
            registryWaitsFor: string | null;
            unanswered: ("sequencer" | "checkpointer" | "recorder")[];
        };
        OperatorClosedPrimeEvent: {
            id: string;
        };
        OperatorDelivery: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            deliveryId: string;
            /** Format: date-time */
            endedAt: string | null;
            eventId: string;
            eventType: string;
            /** Format: date-time */
            firstTriedAt: string | null;
            /** Format: date-time */
            nextTryAt: string | null;
            /** @enum {string|null} */
            reason: "owner" | "gone" | "failing" | "overflow" | "test_failed" | null;
            /** Format: uuid */
            replayOf: string | null;
            /** @description Of a dead message: the latest delivery of the same event that waits or was taken. */
            sentAgain: {
                /** Format: uuid */
                deliveryId: string;
                /** @enum {string} */
                status: "waiting" | "delivered";
            } | null;
            sequence: ApiNumber;
            /** @enum {string} */
            status: "waiting" | "delivered" | "dead" | "skipped";
            tries: ApiNumber;
        };
        OperatorDeliveryDetail: {
            attempts: {
                /** Format: date-time */
                at: string;
                durationMs: ApiNumber;
                /** @enum {string|null} */
                error: "status" | "redirect" | "timeout" | "unreachable" | "not_resolved" | "not_public" | "not_allowed" | null;
                /** @description Of HTTP; null where there was no answer. */
                status: ApiNumber | null;
            }[];
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            deliveryId: string;
            /** Format: date-time */
            endedAt: string | null;
            eventId: string;
            eventType: string;
            /** Format: date-time */
            firstTriedAt: string | null;
            /** Format: date-time */
            nextTryAt: string | null;
            /** @enum {string|null} */
            reason: "owner" | "gone" | "failing" | "overflow" | "test_failed" | null;
            /** Format: uuid */
            replayOf: string | null;
            /** @description Of a dead message: the latest delivery of the same event that waits or was taken. */
            sentAgain: {
                /** Format: uuid */
                deliveryId: string;
                /** @enum {string} */
                status: "waiting" | "delivered";
            } | null;
            sequence: ApiNumber;
            /** @enum {string} */
            status: "waiting" | "delivered" | "dead" | "skipped";
            tries: ApiNumber;
        };
        OperatorFacts: {
            /** @enum {string} */
            accreditationStatus: "none" | "pending" | "completed" | "expired";
            /** @enum {string|null} */
            accreditationType: "506c" | "506b" | null;
            annualIncome: ApiNumber;
            frozen: boolean;
            /** @enum {string} */
            kycStatus: "pending" | "completed" | "rejected";
            netWorth: ApiNumber;
            usPerson: boolean;
        };
        OperatorFactsChange: {
            accountId: string;
            after: components["schemas"]["OperatorFacts"];
            before: components["schemas"]["OperatorFacts"];
            /** @description Orders that are cancelled. */
            cancelledOrders: string[];
            /** @description Orders that a broker may have and was asked to end. Each stays as it is until the broker answers, and may still fill; its end comes as that of any order, in feeds and reads. */
            pendingOrderIds: string[];
        };
        /**
         * @description What is left out counts as not proven.
         * @default {}
         */
        OperatorFactsRequest: {
            annualIncome?: ApiNumber;
            /** @enum {string} */
            kycStatus?: "pending" | "completed" | "rejected";
            netWorth?: ApiNumber;
            reason?: string;
            usPerson?: boolean;
        };
        OperatorFamily: {
            relations: components["schemas"]["OperatorFamilyRelation"][];
        };
        OperatorFamilyEnd: {
            /** @description Orders that are cancelled. */
            cancelledOrders: string[];
            /** @description Orders that a broker may have and was asked to end. Each stays as it is until the broker answers, and may still fill; its end comes as that of any order, in feeds and reads. */
            pendingOrderIds: string[];
            relation: components["schemas"]["OperatorFamilyRelation"];
        };
        OperatorFamilyRelation: {
            /** Format: date-time */
            endedAt: string | null;
            endedBy: string | null;
            endedReason: string | null;
            /** @description Where the evidence is kept. Null where one of the two is of another organization than the reader, unless that is the venue. */
            evidence: string | null;
            id: string;
            /** Format: date-time */
            recordedAt: string;
            recordedBy: string;
            /**
             * @description What the relative is to the user.
             * @enum {string}
             */
            relationship: "child" | "stepchild" | "grandchild" | "parent" | "stepparent" | "grandparent" | "spouse" | "spousal_equivalent" | "sibling" | "mother_in_law" | "father_in_law" | "son_in_law" | "daughter_in_law" | "brother_in_law" | "sister_in_law";
            /** @description Null for somebody of another organization than the reader, unless that is the venue. */
            relativeId: string | null;
            /** @description Null for somebody of another organization than the reader, unless that is the venue. */
            userId: string | null;
        };
        OperatorFamilyRequest: {
            /** @description Where the evidence is kept. */
            evidence: string;
            /**
             * @description What the relative is to the user, by 17 CFR 227.501(c). An adoptive relationship is stated as what it is.
             * @enum {string}
             */
            relationship: "child" | "stepchild" | "grandchild" | "parent" | "stepparent" | "grandparent" | "spouse" | "spousal_equivalent" | "sibling" | "mother_in_law" | "father_in_law" | "son_in_law" | "daughter_in_law" | "brother_in_law" | "sister_in_law";
            /** @description User id of the relative. */
            relativeId: string;
        };
        OperatorFound: {
            /** @description Of a trade and of its settlement, the buyer’s. */
            accountId: string | null;
            assetId: string | null;
            filled: ApiNumber | null;
            id: string;
            /** @enum {string} */
            kind: "person" | "account" | "organization" | "api_key" | "order" | "trade" | "transfer_request" | "payment" | "identity" | "approval" | "asset" | "market" | "listing_event" | "security" | "settlement" | "webhook" | "bridge_transfer";
            name: string | null;
            organization: string | null;
            /** @description Of a trade and of its settlement, the seller’s. */
            otherAccountId: string | null;
            price: ApiNumber | null;
            quantity: ApiNumber | null;
            side: string | null;
            /** @description `archived`: an order of which only what it traded is kept. */
            state: string | null;
            /** @description Of its market, or its asset. */
            symbol: string | null;
            /** Format: date-time */
            timestamp: string | null;
            userId: string | null;
        };
        OperatorHaltStep: {
            actor: string;
            /** @description Null where it was no user. */
            actorName: string | null;
            /** Format: date-time */
            at: string;
            /** @description False of the step that ended a halt. */
            halted: boolean;
            reason: string | null;
        };
        OperatorIncident: {
            id: string;
            /** Format: date-time */
            openedAt: string;
            parts: ("trading" | "market_data" | "money" | "sign_in" | "partners" | "bridge" | "events")[];
            /**
             * Format: date-time
             * @description Null while it is open.
             */
            resolvedAt: string | null;
            /** @enum {string} */
            state: "investigating" | "identified" | "monitoring" | "resolved";
            title: string;
            /** Format: date-time */
            updatedAt: string;
            updates: {
                /** Format: date-time */
                at: string;
                /** @enum {string} */
                state: "investigating" | "identified" | "monitoring" | "resolved";
                words: string;
            }[];
        };
        OperatorInterest: {
            assetId: string;
            byInvestorClass: {
                indications: ApiNumber;
                /** @enum {string} */
                investorClass: "verified" | "self_certified" | "not_accredited";
                investors: ApiNumber;
                /** @description Of those, what the investors may buy and could pay now. */
                payableShares: ApiNumber;
                shares: ApiNumber;
            }[];
            indications: ApiNumber;
            investors: ApiNumber;
            /** @description What is wanted at each limit, the highest first; a page of it. */
            levels: {
                indications: ApiNumber;
                investors: ApiNumber;
                limitPrice: ApiNumber;
                /** @description Of those, what the investors may buy and could pay now. */
                payableShares: ApiNumber;
                shares: ApiNumber;
            }[];
            /** @description Of those, what the investors may buy and could pay now. */
            payableShares: ApiNumber;
            shares: ApiNumber;
        };
        OperatorJob: {
            everyMinutes: ApiNumber;
            failuresInRow: ApiNumber;
            isOverdue: boolean;
            job: string;
            /** Format: date-time */
            lastBeganAt: string | null;
            /** Format: date-time */
            lastEndedAt: string | null;
            /** Format: date-time */
            lastFailedAt: string | null;
            lastFailure: string | null;
            /** @enum {string|null} */
            outcome: "done" | "goes_on" | "failed" | null;
        };
        OperatorLedger: {
            accounts: ApiNumber;
            /** @description Whether new orders are admitted. Not while it is halted, D1 or R2 are too far behind, or the read model is rebuilt. */
            admits: boolean;
            /** @description What counts against each bound; `fill` is used ÷ max. */
            bounds: {
                bound: string;
                fill: ApiNumber;
                max: ApiNumber;
                used: ApiNumber;
            }[];
            /** @description Freezes and revocations that some book has not carried out yet. */
            cancellationsPending: ApiNumber;
            /** @description Why the ledger answers nothing; null while it runs. */
            halted: string | null;
            journaledRows: ApiNumber;
            /** @description How far D1 is behind: rows that it lacks, and the age of the oldest of them. */
            lag: {
                rows: ApiNumber;
                seconds: ApiNumber;
            };
            /** @description The last rebuild of the read model. */
            rebuild: components["schemas"]["OperatorRebuild"] | null;
            /** @description Rows of the journal that R2 does not have yet. */
            unsealedRows: ApiNumber;
        };
        OperatorListedAccount: components["schemas"]["OperatorAccount"] & {
            /** @description Of whom it is; null where nobody has it. */
            name: string | null;
        };
        OperatorListedBridge: {
            /**
             * Format: date-time
             * @description When what it has set changes after a notice.
             */
            changesAt: string | null;
            /** @description Null where it has set nothing yet. */
            feeBps: ApiNumber | null;
            name: string;
            organization: string;
            tenants: ApiNumber;
            vaults: ApiNumber;
        };
        OperatorListedOrganization: {
            /** Format: date-time */
            createdAt: string;
            id: string;
            name: string;
            /** @description What it is as a partner; null where it is none. */
            partnerRole: string | null;
            partnerState: string | null;
            /** @description Counted up to 1000. */
            users: ApiNumber;
        };
        OperatorListedUser: components["schemas"]["OperatorUserRecord"] & {
            /** @description Null for a user without a trading account. */
            accountId: string | null;
        };
        OperatorListingEvent: {
            /** @enum {string} */
            allocation: "pro_rata" | "time_priority";
            assetId: string;
            /** @description Why the event was refused. */
            code: string | null;
            /** Format: date-time */
            createdAt: string;
            eventId: string;
            issuerAccount: string;
            lockupMonths: ApiNumber;
            lotSize: ApiNumber;
            /** @description The issuer's order. */
            offerOrderId: string;
            outcomes: {
                converted?: {
                    indications: ApiNumber;
                    shares: ApiNumber;
                };
                failed?: {
                    indications: ApiNumber;
                    shares: ApiNumber;
                };
                not_allotted?: {
                    indications: ApiNumber;
                    shares: ApiNumber;
                };
                pending?: {
                    indications: ApiNumber;
                    shares: ApiNumber;
                };
            };
            price: ApiNumber;
            /**
             * Format: date-time
             * @description When the shares that investors get are free: after lockup and hold period.
             */
            restrictionEndDate: string | null;
            sharesOffered: ApiNumber;
            /** @description Of the shares offered, what nobody has bought. */
            sharesUnallocated: ApiNumber;
            /** @enum {string} */
            state: "announced" | "offered" | "allotted" | "converted" | "done" | "refused" | "withdrawing" | "stopping" | "stopped";
            /** Format: date-time */
            updatedAt: string;
        };
        OperatorListingRequest: {
            /** @enum {string} */
            allocation: "pro_rata" | "time_priority";
            lockupMonths: ApiNumber;
            /**
             * @description Shares are dealt out in multiples of it; the market's lot when left out.
             * @default null
             */
            lotSize: ApiNumber | null;
            /**
             * @description Whether the asset gets a pair of its own afterwards. Without one, interest may be taken anew.
             * @default true
             */
            opensMarket: boolean;
            price: ApiNumber;
            sharesOffered: ApiNumber;
        };
        OperatorMarket: {
            baseAssetId: string;
            lotSize: ApiNumber;
            priceScale: ApiNumber;
            quoteAssetId: string;
            rules: components["schemas"]["OperatorMarketRules"];
            /** @example ACME-USD */
            symbol: string;
            tickSize: ApiNumber;
        };
        OperatorMarketChange: {
            after: components["schemas"]["OperatorMarketRules"];
            before: components["schemas"]["OperatorMarketRules"];
            symbol: string;
        };
        OperatorMarketRequest: {
            /** @description How far from what the market goes by anything may trade, in basis points; 0 for no band. Left out: 2000 where orders match each other. */
            bandBps?: ApiNumber;
            bandHaltSeconds?: ApiNumber;
            baseAssetId: string;
            /** @example 1 */
            lotSize: ApiNumber;
            /** @default 0 */
            makerFeeBps: ApiNumber;
            maxSize: ApiNumber;
            minSize: ApiNumber;
            /** @description Decimals of a price. */
            priceScale: ApiNumber;
            quoteAssetId: string;
            /**
             * @description What the market goes by before it has traded. Without one it takes no order without a limit until three accounts have traded.
             * @default null
             */
            referencePrice: ApiNumber | null;
            /**
             * @description Where its orders execute: among each other, or, for assets of that route, at the broker, at the prime broker or not before a listing event. For good.
             * @default internal
             * @enum {string}
             */
            route: "internal" | "broker" | "prime" | "indication";
            /** @default 0 */
            takerFeeBps: ApiNumber;
            /** @example 0.01 */
            tickSize: ApiNumber;
            /**
             * @description Of a market at the broker: when orders may go there.
             * @default always
             * @enum {string}
             */
            tradingHours: "always" | "nyse";
        };
        OperatorMarketRules: {
            bandBps: ApiNumber;
            bandHaltSeconds: ApiNumber;
            makerFeeBps: ApiNumber;
            maxSize: ApiNumber;
            minSize: ApiNumber;
            referencePrice: ApiNumber | null;
            /** @enum {string} */
            status: "open" | "halted" | "closed";
            takerFeeBps: ApiNumber;
            /** @enum {string} */
            tradingHours: "always" | "nyse";
        };
        OperatorMarketRulesRequest: {
            /** @description Price band around the reference price; 0 for none. */
            bandBps?: ApiNumber;
            /** @description How long the market halts once trading has reached the end of its band; 0 not at all. */
            bandHaltSeconds?: ApiNumber;
            makerFeeBps?: ApiNumber;
            maxSize?: ApiNumber;
            minSize?: ApiNumber;
            reason?: string;
            /** @description The price band lies around it from here on, whatever has traded before, until three accounts have agreed on a price anew. Stating the same price again is another statement; null withdraws it. */
            referencePrice?: ApiNumber | null;
            takerFeeBps?: ApiNumber;
            /**
             * @description Of a market at the broker: when orders may go there. Those that can wait do so until it opens.
             * @enum {string}
             */
            tradingHours?: "always" | "nyse";
        };
        OperatorOptionalReason: {
            reason?: string;
        };
        OperatorOrganization: {
            id: string;
            name: string;
        };
        OperatorOrganizationRequest: {
            /**
             * @description The `owner` claim of its users.
             * @example northwind
             */
            id: string;
            name: string;
        };
        OperatorOverview: {
            /** Format: date-time */
            at: string;
            bridge: {
                changingPlaces: {
                    /** Format: date-time */
                    from: string;
                    organization: string;
                }[];
                underWay: components["schemas"]["OperatorWaiting"];
            } | null;
            broker: {
                uncompared: components["schemas"]["OperatorWaiting"];
            } | null;
            chain: components["schemas"]["OperatorChainPart"] | null;
            deliveries: {
                disabledEndpoints: components["schemas"]["OperatorWaiting"];
                events: components["schemas"]["OperatorWaiting"];
                mails: components["schemas"]["OperatorWaiting"];
            } | null;
            jobs: components["schemas"]["OperatorJob"][] | null;
            ledger: components["schemas"]["OperatorLedger"] | null;
            trading: components["schemas"]["OperatorTrading"] | null;
            /** @description Parts that could not be read; each is null. */
            unanswered: ("trading" | "ledger" | "waiting" | "deliveries" | "jobs" | "bridge" | "broker" | "chain")[];
            /** @description What waits for a person who runs the venue, by queue. */
            waiting: {
                accreditations: components["schemas"]["OperatorWaiting"];
                approvals: components["schemas"]["OperatorWaiting"];
                approved_transfers: components["schemas"]["OperatorWaiting"];
                bridge_returns: components["schemas"]["OperatorWaiting"];
                broker_breaks: components["schemas"]["OperatorWaiting"];
                factor_recoveries: components["schemas"]["OperatorWaiting"];
                identities: components["schemas"]["OperatorWaiting"];
                partners: components["schemas"]["OperatorWaiting"];
                prime_events: components["schemas"]["OperatorWaiting"];
                securities: components["schemas"]["OperatorWaiting"];
                surveillance_cases: components["schemas"]["OperatorWaiting"];
                transfer_requests: components["schemas"]["OperatorWaiting"];
            } | null;
        };
        OperatorPairAsset: {
            id: string;
            name: string;
            /** @enum {string} */
            status: "APPROVED" | "PENDING" | "SUSPENDED" | "DELISTED";
            symbol: string;
        };
        OperatorPrimeEvent: {
            /** @description As it came. */
            body: string | null;
            id: string;
            /** @example there is no market of SOL */
            reason: string;
            /** Format: date-time */
            receivedAt: string;
        };
        OperatorReason: {
            reason: string;
        };
        OperatorRebuild: {
            /** @description Rows of D1 that were deleted since the ledger last started. */
            emptiedRows: ApiNumber;
            id: string;
            /**
             * @description `failed`: the journal is not whole, and nothing was emptied.
             * @enum {string}
             */
            phase: "verifying" | "emptying" | "writing" | "done" | "failed";
            /** @description Rows of the journal that D1 shows. */
            projectedRows: ApiNumber;
            /** @description Why it failed. */
            reason: string | null;
            /** Format: date-time */
            startedAt: string;
            /** @description Rows of the journal when the rebuild began. */
            totalRows: ApiNumber;
            /** @description Rows of the journal that are proved to be there. */
            verifiedRows: ApiNumber;
        };
        OperatorRefusal: {
            accountId: string;
            /** @enum {string} */
            action: "place" | "amend";
            assetId: string | null;
            /** Format: date-time */
            at: string;
            code: string;
            /** @description Refusals that the row stands for: beyond so many a day they are counted. */
            count: ApiNumber;
            id: string;
            keyId: string | null;
            market: string | null;
            /** @description Of whom it is; null where nobody has it. */
            name: string | null;
            orderId: string;
            owner: string;
            /** @description What would help whoever was refused. */
            remedy: string | null;
            /** @example identity_verified */
            rule: string;
            /** @description What the rule saw: the order, account and asset. */
            saw: {
                [key: string]: unknown;
            };
            /** @description Where the rule comes from. */
            source: string | null;
            userId: string;
        };
        OperatorRefusalsOfRule: {
            accounts: ApiNumber;
            refusals: ApiNumber;
            /** @description What would help whoever was refused. */
            remedy: string | null;
            /** @example identity_verified */
            rule: string;
            /** @description Where the rule comes from. */
            source: string | null;
        };
        OperatorResumedBook: {
            status: components["schemas"]["OperatorBookStatus"];
            symbol: string;
        };
        OperatorSecurityHalt: {
            /** @enum {string|null} */
            by: "lister" | "operator" | "action" | null;
            reason: string | null;
        };
        OperatorStandingMarket: {
            /** @description Why its book stands still, in its own words. */
            bookHalted: string | null;
            /** @description Why it takes no orders, what is to be mended first before the rest; none while it takes them. */
            causes: ("venue_halted" | "ledger_halted" | "ledger_away" | "market_closed" | "asset_not_approved" | "market_halted" | "book_halted" | "book_away" | "book_not_started" | "ledger_refuses" | "shares_split" | "band_halt")[];
            halt: components["schemas"]["OperatorHaltStep"] | null;
            /** Format: date-time */
            haltedUntil: string | null;
            /** @enum {string} */
            route: "internal" | "broker" | "prime" | "indication";
            /** @enum {string|null} */
            securityHaltedBy: "lister" | "operator" | "action" | null;
            securityReason: string | null;
            symbol: string;
        };
        OperatorStore: {
            bytes: ApiNumber;
            bytesLeft: ApiNumber;
            /** @description What it may hold, by the setting `STORE_GB_MAX`. */
            bytesMax: ApiNumber;
            /** @description What the last seven days have added, a day; null before a day was seen. */
            bytesPerDay: ApiNumber | null;
            /** @description Until it is full at that rate; null where it does not grow. */
            daysLeft: ApiNumber | null;
            /** Format: date-time */
            seenAt: string;
            /** @example exchange */
            store: string;
        };
        OperatorTrading: {
            books: {
                answered: ApiNumber;
                asked: ApiNumber;
                /** @description Those furthest behind; 20 at most. */
                behind: components["schemas"]["OperatorBehindBook"][];
                halted: ApiNumber;
                liveOrders: ApiNumber;
                /** @description Chunks that the ledger does not have yet, of all of them. */
                outbox: ApiNumber;
                /** @description Commands that wait for the ledger, of all of them. */
                queued: ApiNumber;
            };
            /** @description There are more markets than were looked at, or that are listed. */
            isMore: boolean;
            markets: {
                closed: ApiNumber;
                halted: ApiNumber;
                open: ApiNumber;
            };
            /** @description Markets that take no orders, but for closed ones; 200 at most. */
            standing: components["schemas"]["OperatorStandingMarket"][];
            /** @description How many of those that were looked at take no orders. */
            standingCount: ApiNumber;
            venueHalt: components["schemas"]["OperatorHaltStep"] | null;
            venueHalted: boolean;
        };
        OperatorTransferDecision: {
            /**
             * @description US dollars paid for what an executed deposit brings, where that is no money.
             * @default 0
             */
            cost: ApiNumber;
            reason: string;
        };
        OperatorTransferRequest: components["schemas"]["TransferRequest"] & {
            /** @description Of whom it is; null where nobody has it. */
            name: string | null;
            owner: string;
            userId: string | null;
        };
        OperatorTwoOperators: {
            reason: string;
            required: boolean;
        };
        OperatorTwoOperatorsSet: {
            required: boolean;
        };
        OperatorUser: {
            accountId: string;
            /** Format: email */
            email: string;
            facts: components["schemas"]["OperatorFacts"];
            name: string;
            owner: string;
            /** @description Username of the password grant; none for a service. */
            phone: string | null;
            roles: ("trader" | "operator" | "access_manager" | "auditor" | "cross_lister" | "transfer_agent" | "bridge_tenant" | "event_admin" | "event_operator" | "event_viewer" | "event_camera")[];
            service: boolean;
            userId: string;
        };
        OperatorUserChange: {
            /** @description Orders that are cancelled. */
            cancelledOrderIds: string[];
            /** @description Orders that a broker may have and was asked to end. Each stays as it is until the broker answers, and may still fill; its end comes as that of any order, in feeds and reads. */
            pendingOrderIds: string[];
            revokedKeyIds: string[];
            user: components["schemas"]["OperatorUserRecord"];
            /** @description Clients of others whose secret the user had been shown as an operator: they wait for another one. */
            waitingClientIds: string[];
        };
        OperatorUserDetail: components["schemas"]["OperatorUserRecord"] & {
            /** @description Null for a user without a trading account. */
            accountId: string | null;
            /** @description What a kill switch would end, beside the keys. */
            ends: {
                /** @description That they have allowed something, agents among them; null for who may not end it. */
                applications: ApiNumber | null;
                /** @description Machine clients that speak for them; null for who may not end them. */
                clients: ApiNumber | null;
                openOrders: {
                    markets: ApiNumber;
                    orders: ApiNumber;
                };
                /** @description Null for who may not end them. */
                sessions: ApiNumber | null;
            };
            /** @description API keys that hold, newest first; null for who may not revoke them. */
            keys: {
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string | null;
                id: string;
                /** Format: date */
                lastUsedOn: string | null;
                name: string;
                scopes: ("read" | "trade")[];
            }[] | null;
            /** @description What their roles let them do to others. */
            powers: string[];
        };
        OperatorUserEdit: {
            /** Format: email */
            email?: string;
            name?: string;
            /** @description Username of the password grant; none for a service. */
            phone?: string | null;
            reason: string;
            roles?: ("trader" | "operator" | "access_manager" | "auditor" | "cross_lister" | "transfer_agent" | "bridge_tenant" | "event_admin" | "event_operator" | "event_viewer" | "event_camera")[];
            /** @description The roles that the edit was made from: CONFLICT where the user has others by now. */
            rolesBefore?: ("trader" | "operator" | "access_manager" | "auditor" | "cross_lister" | "transfer_agent" | "bridge_tenant" | "event_admin" | "event_operator" | "event_viewer" | "event_camera")[];
        };
        OperatorUserRecord: {
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Null for an active user.
             */
            deactivatedAt: string | null;
            /** Format: email */
            email: string;
            name: string;
            owner: string;
            /** @description Username of the password grant; none for a service. */
            phone: string | null;
            roles: ("trader" | "operator" | "access_manager" | "auditor" | "cross_lister" | "transfer_agent" | "bridge_tenant" | "event_admin" | "event_operator" | "event_viewer" | "event_camera")[];
            /** @description Made for machine clients; anybody else is a person. */
            service: boolean;
            userId: string;
        };
        OperatorUserRequest: {
            /** Format: email */
            email: string;
            facts?: components["schemas"]["OperatorFactsRequest"];
            name: string;
            /** @description Organization id. */
            owner: string;
            /**
             * @description Username of the password grant; none for a service.
             * @default null
             */
            phone: string | null;
            /**
             * @default [
             *       "trader"
             *     ]
             */
            roles: ("trader" | "operator" | "access_manager" | "auditor" | "cross_lister" | "transfer_agent" | "bridge_tenant" | "event_admin" | "event_operator" | "event_viewer" | "event_camera")[];
            /**
             * @description Made for machine clients: nobody signs in as it, and it has no phone. A client that speaks for a person needs their consent.
             * @default false
             */
            service: boolean;
        };
        OperatorUserSearch: {
            active?: boolean;
            owner?: string;
            /** @enum {string} */
            role?: "trader" | "operator" | "access_manager" | "auditor" | "cross_lister" | "transfer_agent" | "bridge_tenant" | "event_admin" | "event_operator" | "event_viewer" | "event_camera";
            /** @description Words that all occur in id, name, email or phone. */
            search: string;
        };
        OperatorVenue: {
            halted: boolean;
            markets: string[];
        };
        OperatorVenueMarket: {
            base: components["schemas"]["OperatorPairAsset"];
            /** @description Why it takes no orders, what is to be mended first before the rest; none while it takes them. */
            causes: ("venue_halted" | "ledger_halted" | "ledger_away" | "market_closed" | "asset_not_approved" | "market_halted" | "book_halted" | "book_away" | "book_not_started" | "ledger_refuses" | "shares_split" | "band_halt")[];
            /** @description The last halt of the market itself, while it lasts. */
            halt: components["schemas"]["OperatorHaltStep"] | null;
            /**
             * Format: date-time
             * @description When the halt ends that its book has begun by itself.
             */
            haltedUntil: string | null;
            /** @description Of its last trade; null before the first. */
            lastPrice: ApiNumber | null;
            lotSize: ApiNumber;
            /**
             * Format: date-time
             * @description Null while its hours do not keep it closed.
             */
            opensAt: string | null;
            quote: components["schemas"]["OperatorPairAsset"];
            /** @enum {string} */
            route: "internal" | "broker" | "prime" | "indication";
            rules: components["schemas"]["OperatorMarketRules"];
            /** @description Who has halted its security (`docs/partner.md`); null where nobody has. */
            securityHalt: components["schemas"]["OperatorSecurityHalt"] | null;
            /** @example ACME-USD */
            symbol: string;
            tickSize: ApiNumber;
        };
        OperatorVenueMarketDetail: {
            base: components["schemas"]["OperatorPairAsset"];
            /** @description What its book says; null where it does not answer. */
            book: components["schemas"]["OperatorBookStatus"] | null;
            /** @description Why it takes no orders, what is to be mended first before the rest; none while it takes them. */
            causes: ("venue_halted" | "ledger_halted" | "ledger_away" | "market_closed" | "asset_not_approved" | "market_halted" | "book_halted" | "book_away" | "book_not_started" | "ledger_refuses" | "shares_split" | "band_halt")[];
            /** @description The last halt of the market itself, while it lasts. */
            halt: components["schemas"]["OperatorHaltStep"] | null;
            /**
             * Format: date-time
             * @description When the halt ends that its book has begun by itself.
             */
            haltedUntil: string | null;
            /** @description The newest 20 halts and ends of halts. */
            halts: components["schemas"]["OperatorHaltStep"][];
            /** @description False where the ledger did not say that D1 shows all of it: what stands here may be older. */
            isCurrent: boolean;
            /** @description Of its last trade; null before the first. */
            lastPrice: ApiNumber | null;
            lotSize: ApiNumber;
            /**
             * Format: date-time
             * @description Null while its hours do not keep it closed.
             */
            opensAt: string | null;
            quote: components["schemas"]["OperatorPairAsset"];
            /** @enum {string} */
            route: "internal" | "broker" | "prime" | "indication";
            rules: components["schemas"]["OperatorMarketRules"];
            /** @description Who has halted its security (`docs/partner.md`); null where nobody has. */
            securityHalt: components["schemas"]["OperatorSecurityHalt"] | null;
            /** @example ACME-USD */
            symbol: string;
            tickSize: ApiNumber;
            venueHalted: boolean;
        };
        OperatorWaiting: {
            count: ApiNumber;
            /** @description More wait than were counted. */
            isMore: boolean;
            /** Format: date-time */
            oldestAt: string | null;
        };
        OperatorWebhook: {
            /** @description Null where it could not be read now. */
            backlog: {
                /**
                 * @description `open`: it failed five times in a row, and nothing is tried now; `half_open`: one message is.
                 * @enum {string}
                 */
                circuit: "closed" | "open" | "half_open";
                /** Format: date-time */
                failingSince: string | null;
                /** Format: date-time */
                nextTryAt: string | null;
                waiting: ApiNumber;
                waitingBytes: ApiNumber;
            } | null;
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            /**
             * @description Scheme and host. The rest of the address may be a secret of its owner.
             * @example https://hooks.northwind-ats.com
             */
            destination: string;
            /** Format: date-time */
            disabledAt: string | null;
            /**
             * @description Null while it is enabled.
             * @enum {string|null}
             */
            disabledReason: "owner" | "gone" | "failing" | "overflow" | null;
            events: string[];
            organization: string;
            /** Format: uuid */
            webhookId: string;
        };
        SurveillanceAssignment: {
            assignee: string | null;
            reason: string;
            /** @description Of the case as it was read: one that has changed since is left alone. */
            version: ApiNumber;
        };
        SurveillanceCase: components["schemas"]["SurveillanceCaseItem"] & {
            notes: components["schemas"]["SurveillanceNote"][];
            /** @description What has decided, with the thresholds of the rule; prices and quantities as decimals. */
            numbers: {
                name: string;
                /** @enum {string} */
                unit: "count" | "quantity" | "price" | "bps" | "ms";
                value: string;
            }[];
            /** @description Cancelled orders, the first of them. */
            orders: components["schemas"]["SurveillanceOrder"][];
            /** @description Why two people are looked at as one: `same_person`, or what one is to the other. */
            relation: string | null;
            /** @description User id of whom the other one is that; null of one person, and in cases from before it was written down. */
            relationOf: string | null;
            /** @description The first of them; `numbers` say how many there are. */
            trades: components["schemas"]["SurveillanceTrade"][];
        };
        SurveillanceCaseItem: {
            accountIds: string[];
            assetId: string;
            /** @description User id of who looks into it. */
            assignee: string | null;
            /** Format: date-time */
            closedAt: string | null;
            closedBy: string | null;
            closeReason: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date
             * @description The trading day, of UTC.
             */
            day: string;
            id: string;
            market: string;
            /** @enum {string|null} */
            outcome: "no_action" | "warned" | "reported" | "restricted" | null;
            people: components["schemas"]["SurveilledPerson"][];
            /** @enum {string} */
            rule: "wash_trade" | "marking_the_close" | "layering";
            /** @enum {string} */
            state: "open" | "closed";
            /** Format: date-time */
            updatedAt: string;
            version: ApiNumber;
        };
        SurveillanceClosing: {
            /** @enum {string} */
            outcome: "no_action" | "warned" | "reported" | "restricted";
            reason: string;
            /** @description Of the case as it was read: one that has changed since is left alone. */
            version: ApiNumber;
        };
        SurveillanceDay: {
            /** @description Accounts whose cancelled orders were not all read. */
            accountsLeftOut: ApiNumber;
            /** Format: date-time */
            beganAt: string;
            cases: ApiNumber;
            /** @description Findings that made no case, because there were too many. */
            casesLeftOut: ApiNumber;
            /** Format: date */
            day: string;
            /** Format: date-time */
            doneAt: string | null;
            markets: ApiNumber;
            /** @description Markets that were not judged, because each run that began with them failed. */
            marketsLeftOut: string[];
            /** @description Trades that were not read, because a market had too many. */
            tradesLeftOut: ApiNumber;
        };
        SurveillanceNote: {
            author: string;
            /** Format: date-time */
            createdAt: string;
            id: string;
            text: string;
        };
        SurveillanceNoteRequest: {
            text: string;
        };
        SurveillanceOrder: {
            accountId: string;
            /** Format: date-time */
            cancelledAt: string;
            /** Format: date-time */
            createdAt: string;
            filled: ApiNumber;
            id: string;
            price: ApiNumber;
            quantity: ApiNumber;
            /** @enum {string} */
            side: "BUY" | "SELL";
        };
        SurveillanceReopening: {
            reason: string;
            /** @description Of the case as it was read: one that has changed since is left alone. */
            version: ApiNumber;
        };
        SurveillanceTrade: {
            buyerAccountId: string;
            buyOrderId: string;
            /** Format: date-time */
            executedAt: string;
            id: string;
            price: ApiNumber;
            quantity: ApiNumber;
            sellerAccountId: string;
            sellOrderId: string;
        };
        SurveilledPerson: {
            /** @description Of whom it is; null where nobody has it. */
            name: string | null;
            userId: string;
        };
        TransferRequest: {
            accountId: string;
            amount: ApiNumber;
            assetId: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Once executed, also the id of the transaction. */
            id: string;
            /**
             * @description What the caller writes on the transfer that brings a deposit, so that it is known whose it is.
             * @example 7F3A-91C2-0B4D
             */
            paymentReference: string;
            /** @description What the operator said last. */
            reason: string | null;
            /** @description Where it comes from or goes to, as the caller stated it. */
            reference: string | null;
            /**
             * @description An open withdrawal (`requested`, `approved`) holds its amount. `rejected`, `executed` and `cancelled` are final.
             * @enum {string}
             */
            status: "requested" | "approved" | "rejected" | "executed" | "cancelled";
            symbol: string;
            /** @enum {string} */
            type: "deposit" | "withdrawal";
            /** Format: date-time */
            updatedAt: string;
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
