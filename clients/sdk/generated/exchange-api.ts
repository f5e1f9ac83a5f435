/** Written by scripts/sdk/api-types.ts from the OpenAPI document of profile exchange. */
import type { ApiNumber } from '../wire/json.ts';

export interface paths {
    "/.well-known/committee": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who makes trades final
         * @description The committees that have been formed, by epoch: their hashes, which receipts are checked against, and their keys. `members` says where the members live: `embedded` in one object of the venue by one secret, so that their votes are the venue’s own word; `objects` each in an object of the venue’s with a key of its own; `places` some or all in processes of their own; null where that was not noted. `handover` has the signatures of at least 16 members of the committee before that this one comes after it; null of the first, and where they have not given them. Up to 50 from the epoch `from`. Keep the first that you read: later ones prove themselves from it.
         */
        get: {
            parameters: {
                query?: {
                    from?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The committees. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            committees: {
                                epoch: ApiNumber;
                                handover: {
                                    before: string;
                                    signatures: {
                                        member: ApiNumber;
                                        signature: string;
                                    }[];
                                } | null;
                                hash: string;
                                keys: string[];
                                /** @enum {string|null} */
                                members: "embedded" | "objects" | "places" | null;
                            }[];
                            /** @enum {string} */
                            version: "edge.committees.v1";
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
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Account of the caller */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
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
                            data: components["schemas"]["Account"];
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
    "/v1/account/accreditation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the caller's accreditation rests on, and the text to attest */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Records, newest first, and the current text. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OwnAccreditation"];
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
    "/v1/account/accreditation/attestations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Certify to be an accredited investor */
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
                    "application/json": components["schemas"]["AttestationRequest"];
                };
            };
            responses: {
                /** @description What the caller counts as. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["AccreditationStanding"];
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
    "/v1/account/accreditation/verifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Verifications that the caller has asked for, newest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The last hundred. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["AccreditationVerification"][];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        /**
         * Ask a third party to verify that the caller is an accredited investor
         * @description One request at a time, ten within 30 days. REQUESTED becomes VERIFIED or REFUSED once the provider has answered, EXPIRED where it does not within 30 days, and VERIFIED becomes REVOKED where the provider takes it back or an operator ends the accreditation. After an operator has, a request is IN_REVIEW until an operator allows it.
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
                    "application/json": components["schemas"]["AccreditationVerificationRequest"];
                };
            };
            responses: {
                /** @description The request as it stands. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["AccreditationVerification"];
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
    "/v1/account/deposits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests of the caller to pay in */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    status?: "requested" | "approved" | "rejected" | "executed" | "cancelled";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The requests, newest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["TransferRequest"][];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        /**
         * Ask to pay in
         * @description Money, commodities and crypto. An operator decides; securities go by their transfer agent.
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
                    "application/json": components["schemas"]["DepositRequestBody"];
                };
            };
            responses: {
                /** @description The request. */
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
    "/v1/account/deposits/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take a request back that nobody has approved yet */
        delete: {
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
                /** @description The request, cancelled. */
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
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/money": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What may be paid in and out on request, and what the caller has of it
         * @description Money, commodities and crypto, by symbol. Securities go by their transfer agent.
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
                /** @description By symbol. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["PayableAsset"][];
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
    "/v1/account/registered-shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether transfer agents may register shares to the account */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What stands. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RegisteredShares"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        /**
         * Let transfer agents register shares to the account, or take that back
         * @description What was registered before it is taken back stays.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RegisteredSharesRequest"];
                };
            };
            responses: {
                /** @description What stands. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RegisteredShares"];
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
    "/v1/account/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What waits for the caller, what is most pressing first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The tasks. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OwnTask"][];
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
    "/v1/account/transfer-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests of the caller to pay in and out */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    status?: "requested" | "approved" | "rejected" | "executed" | "cancelled";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The requests, newest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["TransferRequest"][];
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
    "/v1/account/transfer-requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A request of the caller to pay in or out */
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
                            data: components["schemas"]["TransferRequest"];
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
    "/v1/account/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests of the caller to pay out */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    status?: "requested" | "approved" | "rejected" | "executed" | "cancelled";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The requests, newest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["TransferRequest"][];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        /**
         * Ask to pay out; the amount is held at once
         * @description Money, commodities and crypto. An operator decides; securities go by their transfer agent.
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
                    "application/json": components["schemas"]["WithdrawalRequestBody"];
                };
            };
            responses: {
                /** @description The request. */
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
    "/v1/account/withdrawals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take a request back that nobody has approved yet */
        delete: {
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
                /** @description The request, cancelled. */
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
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/asset-chats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List assets */
        get: {
            parameters: {
                query?: {
                    category?: "stocks" | "crypto" | "privates" | "pre-ipo" | "fixed-income" | "commodities" | "forex";
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    marketRail?: "public" | "private" | "digital";
                    /** @description Words of symbol or name, or beginnings of them, all of which occur; case and accents do not count. First the asset whose symbol it is, then those whose symbol begins with it, then those with all words whole, then the rest; each by symbol. */
                    search?: string;
                    /** @description Whether an order is taken now: the asset is open, and so is its route, or its market and the venue. */
                    tradeable?: "true" | "false";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Approved assets by symbol; those of a search, the best fit first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["AssetListItem"][];
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
    "/v1/assets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Asset detail with a year of daily bars */
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
                            data: components["schemas"]["AssetDetail"];
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
    "/v1/assets/{id}/book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Order book of an asset */
        get: {
            parameters: {
                query?: {
                    /** @description Levels of each side. */
                    depth?: ApiNumber;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Levels, best first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Book"];
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
    "/v1/assets/{id}/chart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Bars of an asset */
        get: {
            parameters: {
                query?: {
                    /** @description Defaults to one that fits the range; more than 5000 bars are refused. */
                    interval?: "1m" | "5m" | "15m" | "1h" | "1d";
                    /** @description Defaults to 1d. */
                    range?: "1d" | "5d" | "1m" | "3m" | "6m" | "1y" | "5y";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Bars with trades in them, oldest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Chart"];
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
    "/v1/assets/{id}/eligibility": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the caller may do in an asset now
         * @description By the rules that decide orders. Nothing is placed, held or recorded.
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
                /** @description What would refuse an order of each side. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Eligibility"];
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
    "/v1/assets/{id}/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Image of an asset */
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
                /** @description The image; an SVG of the symbol where none was uploaded. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/jpeg": string;
                        "image/png": string;
                        "image/svg+xml": string;
                        "image/webp": string;
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
    "/v1/assets/{id}/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Quote of the day, UTC */
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
                /** @description The quote. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Quote"];
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
    "/v1/auth/tenant-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A tenant token for the bearer */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Tenant token */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            token: string;
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
    "/v1/core-account-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/core-transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deposits, withdrawals and trades of the caller, newest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description `csv` is a statement: the same rows as text/csv (RFC 4180). */
                    format?: "json" | "csv";
                    /** @description Only what happened at this time or later. ISO 8601: a date, which begins at midnight UTC, or a date and time. */
                    from?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    /** @description Only what happened before this time. ISO 8601: a date, which begins at midnight UTC, or a date and time. */
                    to?: string;
                    type?: "deposit" | "withdrawal" | "trade" | "all";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The transactions. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Transaction"][];
                            /** @enum {string} */
                            message: "ok";
                        };
                        "text/csv": string;
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
    "/v1/core-transactions/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What proves that a trade of the caller is recorded, and what was made of it
         * @description The trade’s record, its way to the root of a block, and the votes of the committee, and the same of what was made of the trade until now. Whoever knows the committee’s hash checks it offline; `GET /.well-known/committee` publishes it, and says who the members are: where they are `embedded`, this proves that the venue has recorded the trade, by its own word. It opens the caller’s own side alone. 409 while the trade, or what was made of it, is not final.
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
                /** @description The receipt. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            adjustment?: {
                                certificate: {
                                    hash: string;
                                    height: ApiNumber;
                                    votes: {
                                        member: ApiNumber;
                                        signature: string;
                                    }[];
                                };
                                checkpoint?: {
                                    certificate: {
                                        bls: {
                                            members: ApiNumber[];
                                            signature: string;
                                        };
                                        hash: string;
                                        mlDsa: {
                                            member: ApiNumber;
                                            signature: string;
                                        }[];
                                        number: ApiNumber;
                                    };
                                    checkpoint: {
                                        blocksRoot: string;
                                        committee: string;
                                        firstHeight: ApiNumber;
                                        keys: string;
                                        lastBlock: string;
                                        lastHeight: ApiNumber;
                                        number: ApiNumber;
                                        parent: string;
                                    };
                                    keys: {
                                        committee: string;
                                        epoch: ApiNumber;
                                        members: {
                                            bls: string;
                                            endorsement: string;
                                            mlDsa: string;
                                            proof: string;
                                        }[];
                                    };
                                    path: string[];
                                };
                                committee: {
                                    epoch: ApiNumber;
                                    keys: string[];
                                };
                                headers: {
                                    booksRoot: string;
                                    committee: string;
                                    firstRow: ApiNumber;
                                    height: ApiNumber;
                                    journalHash: string;
                                    lastRow: ApiNumber;
                                    parent: string;
                                    settlements: ApiNumber;
                                    settlementsRoot: string;
                                    slot: ApiNumber;
                                }[];
                                inclusion: {
                                    index: ApiNumber;
                                    path: string[];
                                };
                                record: {
                                    adjustedAt: ApiNumber;
                                    adjustmentId: string;
                                    notional: ApiNumber;
                                    price: ApiNumber;
                                    tradeId: string;
                                };
                            };
                            certificate: {
                                hash: string;
                                height: ApiNumber;
                                votes: {
                                    member: ApiNumber;
                                    signature: string;
                                }[];
                            };
                            checkpoint?: {
                                certificate: {
                                    bls: {
                                        members: ApiNumber[];
                                        signature: string;
                                    };
                                    hash: string;
                                    mlDsa: {
                                        member: ApiNumber;
                                        signature: string;
                                    }[];
                                    number: ApiNumber;
                                };
                                checkpoint: {
                                    blocksRoot: string;
                                    committee: string;
                                    firstHeight: ApiNumber;
                                    keys: string;
                                    lastBlock: string;
                                    lastHeight: ApiNumber;
                                    number: ApiNumber;
                                    parent: string;
                                };
                                keys: {
                                    committee: string;
                                    epoch: ApiNumber;
                                    members: {
                                        bls: string;
                                        endorsement: string;
                                        mlDsa: string;
                                        proof: string;
                                    }[];
                                };
                                path: string[];
                            };
                            committee: {
                                epoch: ApiNumber;
                                keys: string[];
                            };
                            headers: {
                                booksRoot: string;
                                committee: string;
                                firstRow: ApiNumber;
                                height: ApiNumber;
                                journalHash: string;
                                lastRow: ApiNumber;
                                parent: string;
                                settlements: ApiNumber;
                                settlementsRoot: string;
                                slot: ApiNumber;
                            }[];
                            inclusion: {
                                index: ApiNumber;
                                path: string[];
                            };
                            parties: {
                                account: string;
                                /** @enum {string} */
                                party: "buyer" | "seller";
                                salt: string;
                            }[];
                            settlement: {
                                assetId: string;
                                buyerCommitment: string;
                                currency: string;
                                executedAt: ApiNumber;
                                notional: ApiNumber;
                                price: ApiNumber;
                                quantity: ApiNumber;
                                sellerCommitment: string;
                                tradeId: string;
                            };
                            /** @enum {string} */
                            version: "edge.receipt.v1";
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
    "/v1/core-transactions/adjusted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trades of the caller that were taken back or corrected
         * @description `cursor` is the last `adjustmentSequence` that the caller has; later adjustments follow.
         */
        get: {
            parameters: {
                query?: {
                    cursor?: ApiNumber;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The earliest adjustment first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Transaction"][];
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
    "/v1/exchange-assets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exchange-explorer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exchange-orderbook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exchange-portfolio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Holdings of the caller with their lots */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Holdings by symbol. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ExchangePortfolioItem"][];
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
    "/v1/fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Fees of the caller by market */
        get: {
            parameters: {
                query?: {
                    /** @description Only markets of this asset. */
                    assetId?: string;
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
                /** @description By market; the next page is in the Link header. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["MarketFees"][];
                            /** @enum {string} */
                            message: "ok";
                            rounding: string;
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
    "/v1/fills/{id}/confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Confirmation of a trade of the caller */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Of the trade. */
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description One for each side of the trade that was the caller’s. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["TradeConfirmation"][];
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
    "/v1/gains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What each sale of a year has realised, oldest first */
        get: {
            parameters: {
                query: {
                    cursor?: string;
                    /** @description `csv`: the same rows (RFC 4180); without `limit` all of them, in one file. */
                    format?: "json" | "csv";
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    /** @description By the calendar of New York. */
                    year: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Sales as they stand; what was taken back is none. Shares that ended in a merger or went back to their issuer are not among them: what was paid for them is a `distribution` of the ledger. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Gain"][];
                            /** @enum {string} */
                            message: "ok";
                        };
                        "text/csv": string;
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
    "/v1/navigation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Market rails and their categories */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The rails. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Navigation"];
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
        /** Orders of the caller, newest first */
        get: {
            parameters: {
                query?: {
                    assetId?: string;
                    cursor?: string;
                    /** @description Only what happened at this time or later. ISO 8601: a date, which begins at midnight UTC, or a date and time. */
                    from?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    /** @description PENDING lists all that are not final. No order stays MATCHED: a match fills at once. */
                    status?: "PENDING" | "MATCHED" | "PARTIALLY_FILLED" | "EXECUTED" | "CANCELLED" | "REJECTED" | "ALL";
                    /** @description Only what happened before this time. ISO 8601: a date, which begins at midnight UTC, or a date and time. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The orders. A page may be short and yet lead on: the last one has no Link header. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ExchangeOrder"][];
                            /** @enum {string} */
                            message: "ok";
                        };
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
                    "application/json": components["schemas"]["ExchangeOrderRequest"];
                };
            };
            responses: {
                /** @description Accepted. An order that fails validation is kept as REJECTED under `error.details.orderId`. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["PlacedOrder"];
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
    "/v1/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An order of the caller */
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
                /** @description The order. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ExchangeOrder"];
                        };
                    };
                };
            };
        };
        /**
         * Modify a pending order
         * @description Every check of placing runs again; where one fails the order stays as it was.
         */
        put: {
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
                    "application/json": components["schemas"]["OrderModification"];
                };
            };
            responses: {
                /** @description The order as modified. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ExchangeOrder"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
                /** @description The broker was asked and has not confirmed yet: the order as it stands, whose terms change when it does. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ExchangeOrder"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        post?: never;
        /** Cancel an order */
        delete: {
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
            requestBody?: never;
            responses: {
                /** @description Cancelled; what had been filled stays. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CancelledOrder"];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
                /** @description The broker was asked and has not confirmed yet: the order stays as it is, and ends when it does. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["WantedCancel"];
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
         * @description A check that fails is answered as placing would answer it, and not recorded.
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
                    "application/json": components["schemas"]["ExchangeOrderRequest"];
                };
            };
            responses: {
                /** @description The estimate. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ExchangeOrderPreview"];
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
    "/v1/portfolio": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Holdings of the caller at their last prices */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Holdings by symbol, and what sales have realised, in US dollars. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Holding"][];
                            /** @enum {string} */
                            message: "ok";
                            realized: components["schemas"]["Realized"];
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
    "/v1/portfolio/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the caller’s account was worth at the end of each day
         * @description Derived from the ledger and the closes of each day at each reading; nothing is estimated between them.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Up to today, which is the last one. */
                    days?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Days of UTC, oldest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            currency: "USD";
                            data: components["schemas"]["PortfolioDay"][];
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
    "/v1/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Months of which the caller has a statement, newest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description From the first movement on, 240 months at most. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["StatementMonth"][];
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
    "/v1/statements/{month}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the caller had at both ends of a month, and what moved between
         * @description Derived from the ledger at each reading. A trade that was taken back or corrected stands in the month in which that was done.
         */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                };
                header?: never;
                path: {
                    month: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The statement. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Statement"];
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
    "/v1/stock-summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
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
        /** The time of the exchange */
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
                        "application/json": {
                            data: {
                                /** Format: date-time */
                                time: string;
                            };
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
    "/v1/webhooks/accreditation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a verification provider has found
         * @description Signed after the Standard Webhooks pattern. 200 once the request stands as told; an event that came before answers 200 and does nothing more.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event. */
                    "webhook-id": string;
                    /** @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, of the body’s bytes as sent; several are separated by spaces. */
                    "webhook-signature": string;
                    /** @description Unix seconds of this sending, within five minutes of our time. */
                    "webhook-timestamp": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id that the verification was asked for under. */
                        externalId: string;
                        /** @description Of the event: the same whenever it comes, and that of the header `webhook-id`. */
                        id: string;
                        /** @enum {string} */
                        type: "verification.decided";
                        verification: {
                            /** @description Where the evidence is kept. */
                            evidence?: string;
                            /**
                             * Format: date-time
                             * @description Left out: as long as the evidence speaks.
                             */
                            expiresAt?: string;
                            /** @description The provider's own id. */
                            id: string;
                            /** @description Of a refusal. */
                            reason?: string;
                            /** @enum {string} */
                            status: "pending" | "verified" | "refused";
                            /** Format: date-time */
                            verifiedAt?: string;
                            /** @description Who has verified. */
                            verifier?: string;
                        };
                    };
                };
            };
            responses: {
                /** @description It is here. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            received: true;
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
    "/v1/webhooks/identity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What an identity provider has found
         * @description Signed after the Standard Webhooks pattern. 200 once the identity stands as told; an event that came before answers 200 and does nothing more.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event. */
                    "webhook-id": string;
                    /** @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, of the body’s bytes as sent; several are separated by spaces. */
                    "webhook-signature": string;
                    /** @description Unix seconds of this sending, within five minutes of our time. */
                    "webhook-timestamp": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id that the identity was asked about under. */
                        externalId: string;
                        /** @description Of the event: the same whenever it comes, and that of the header `webhook-id`. */
                        id: string;
                        identity: {
                            /** @enum {string} */
                            adverseMedia?: "unchecked" | "clear" | "match";
                            /**
                             * Format: date-time
                             * @description Of all but `pending`.
                             */
                            checkedAt?: string;
                            /**
                             * Format: date-time
                             * @description Of `verified`.
                             */
                            expiresAt?: string;
                            /** @description The provider's own id. */
                            id: string;
                            /** @description Of an entity: what was found of each person behind it. */
                            parties?: {
                                /** @enum {string} */
                                adverseMedia?: "unchecked" | "clear" | "match";
                                /**
                                 * Format: date-time
                                 * @description Of all but `pending`.
                                 */
                                checkedAt?: string;
                                /**
                                 * Format: date-time
                                 * @description Of `verified`.
                                 */
                                expiresAt?: string;
                                /** @description Of the party, as it was handed in. */
                                id: string;
                                /** @description Of a refusal, and of what a person has to look at. */
                                reason?: string;
                                /** @enum {string} */
                                sanctions?: "unchecked" | "clear" | "match";
                                /** @enum {string} */
                                status: "pending" | "verified" | "refused" | "review";
                            }[];
                            /** @description Of a refusal, and of what a person has to look at. */
                            reason?: string;
                            /** @enum {string} */
                            sanctions?: "unchecked" | "clear" | "match";
                            /** @enum {string} */
                            status: "pending" | "verified" | "refused" | "review";
                        };
                        /** @enum {string} */
                        type: "identity.decided";
                    };
                };
            };
            responses: {
                /** @description It is here. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            received: true;
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
    "/v1/webhooks/prime": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An event of the crypto prime broker
         * @description Signed after the Standard Webhooks pattern. 200 once the event is durable; one that came before answers 200 and does nothing more. Anything else: send it again, with a new timestamp.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The id of the event. */
                    "webhook-id": string;
                    /** @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, of the body’s bytes as sent; several are separated by spaces. */
                    "webhook-signature": string;
                    /** @description Unix seconds of this sending, within five minutes of our time. */
                    "webhook-timestamp": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description The id that the order was submitted under. */
                        clientOrderId: string;
                        /**
                         * Format: date-time
                         * @description In UTC.
                         */
                        executedAt: string;
                        executionId: string;
                        /** @description Of the event: the same whenever it comes, and that of the header `webhook-id`. */
                        id: string;
                        /** @description Whether the sender says that nothing of the order is left. What is left goes by quantities. */
                        orderComplete: boolean;
                        /** @example 0.125 */
                        price: string;
                        /** @example 0.125 */
                        quantity: string;
                        /** @enum {string} */
                        side: "BUY" | "SELL";
                        /**
                         * @description Of the asset.
                         * @example BTC
                         */
                        symbol: string;
                        /** @enum {string} */
                        type: "TRANSFER";
                    } | {
                        /** @description The id that the order was submitted under. */
                        clientOrderId: string;
                        detail?: string | null;
                        /**
                         * Format: date-time
                         * @description In UTC.
                         */
                        endedAt: string;
                        /** @example 0.125 */
                        filledQuantity: string;
                        /** @description Of the event: the same whenever it comes, and that of the header `webhook-id`. */
                        id: string;
                        /** @enum {string} */
                        reason: "cancelled" | "rejected" | "expired";
                        /**
                         * @description Of the asset.
                         * @example BTC
                         */
                        symbol: string;
                        /** @enum {string} */
                        type: "ORDER_DONE";
                    };
                };
            };
            responses: {
                /** @description It is here. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            received: true;
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
        Account: {
            /** @example completed */
            accreditationStatus: string;
            /** @example 506c */
            accreditationType: string | null;
            /** @description US dollars that have settled and that no open order holds. */
            buyingPower: ApiNumber;
            /** @description US dollars, those held by open orders and those of sales that have not settled included. */
            cashBalance: ApiNumber;
            email: string;
            /** @example completed */
            kycStatus: string;
            /** @description Empty for a machine client. */
            phone: string;
            /** @description US dollars of sales that have not settled: they can be neither spent nor withdrawn. */
            unsettledCash: ApiNumber;
            userId: string;
        };
        AccreditationRecord: {
            /**
             * Format: date-time
             * @description When it was verified, or stated.
             */
            at: string;
            /** Format: date-time */
            endedAt: string | null;
            endedReason: string | null;
            evidence: string | null;
            /** @enum {string|null} */
            evidenceKind: "income" | "net_worth" | "professional_letter" | "earlier_verification" | null;
            /** Format: date-time */
            expiresAt: string | null;
            id: string;
            /** @enum {string} */
            kind: "third_party" | "self_attestation";
            text: string | null;
            textVersion: string | null;
            verifier: string | null;
        };
        AccreditationStanding: {
            /** @enum {string} */
            accreditationStatus: "none" | "pending" | "completed" | "expired";
            /** @enum {string|null} */
            accreditationType: "506c" | "506b" | null;
        };
        AccreditationVerification: {
            /** Format: date-time */
            decidedAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked.
             */
            endedAt: string | null;
            /** @enum {string} */
            evidenceKind: "income" | "net_worth" | "professional_letter" | "earlier_verification";
            /**
             * Format: date-time
             * @description Until when an accreditation rests on it.
             */
            expiresAt: string | null;
            id: string;
            provider: string;
            /** @description Why it was refused or revoked, or has expired without an answer. */
            reason: string | null;
            /** Format: date-time */
            requestedAt: string;
            /**
             * @description IN_REVIEW waits for an operator, REQUESTED for the provider. REVOKED was verified, until the provider took it back or an operator ended it.
             * @enum {string}
             */
            state: "IN_REVIEW" | "REQUESTED" | "VERIFIED" | "REFUSED" | "REVOKED" | "EXPIRED";
        };
        AccreditationVerificationRequest: {
            /**
             * @description What the provider is to go by, 17 CFR 230.506(c)(2)(ii).
             * @enum {string}
             */
            evidenceKind: "income" | "net_worth" | "professional_letter" | "earlier_verification";
        };
        AssetDetail: components["schemas"]["AssetListItem"] & {
            /** @enum {string|null} */
            accreditationType: "506c" | "506b" | null;
            description: string | null;
            issuerName: string | null;
            marketData: {
                perDay: {
                    close: ApiNumber;
                    high: ApiNumber;
                    low: ApiNumber;
                    open: ApiNumber;
                    /** Format: date-time */
                    timestamp: string;
                    volume: ApiNumber;
                }[];
            };
            marketRail: string | null;
            /** @description Empty for what is no offering. */
            offeringType: string;
            /**
             * Format: date-time
             * @description When the market opens next: until then limit orders wait, and others are refused. Null while it is open, and without a market.
             */
            opensAt: string | null;
            regulation: string | null;
            /** @description Whether an order is taken now. */
            tradeable: boolean;
            /**
             * @description `nyse`: the core session of the New York Stock Exchange. Null without a market.
             * @enum {string|null}
             */
            tradingHours: "always" | "nyse" | null;
        };
        AssetListItem: {
            /** @description Since the close of the day before, as its source has it; UTC for what trades here. */
            change: ApiNumber;
            changesPercentage: ApiNumber;
            exchange: string | null;
            id: string;
            /** Format: uri */
            image: string;
            name: string;
            price: ApiNumber;
            /** @description The source of the prices is away: this is what it said last, or where it has said nothing what last traded here. */
            stale: boolean;
            /** @example APPROVED */
            status: string;
            symbol: string;
            /**
             * @description Category id.
             * @example stocks
             */
            type: string;
        };
        AttestationRequest: {
            /** @enum {boolean} */
            certified: true;
            /** @description Of the text that was read. */
            version: string;
        };
        AttestationText: {
            text: string;
            version: string;
        };
        Book: {
            asks: {
                price: ApiNumber;
                size: ApiNumber;
            }[];
            assetId: string;
            bids: {
                price: ApiNumber;
                size: ApiNumber;
            }[];
            /** @description The source of the book is away: this is what it said last, or nothing where it has said nothing. */
            stale: boolean;
            /**
             * Format: date-time
             * @description When the source of the book said so.
             */
            timestamp: string;
        };
        CancelledOrder: {
            /** Format: date-time */
            cancelledAt: string;
            filledQuantity: ApiNumber;
            orderId: string;
            /** @enum {string} */
            status: "CANCELLED";
        };
        Chart: {
            data: components["schemas"]["ChartBar"][];
            /** @description The source of the bars is away: these are what it told last, or none. 503 where it was asked too often and has told none. */
            stale: boolean;
        };
        ChartBar: {
            close: ApiNumber;
            high: ApiNumber;
            low: ApiNumber;
            open: ApiNumber;
            /** @description Start of the bar, Unix milliseconds. */
            time: ApiNumber;
            volume: ApiNumber;
        };
        DepositRequestBody: {
            amount: ApiNumber;
            assetId: string;
            /**
             * @description Where it comes from, for the operator who decides.
             * @default null
             */
            reference: string | null;
        };
        Eligibility: {
            assetId: string;
            buy: {
                /** @description Whether an order of the side is taken now, its own terms aside. */
                allowed: boolean;
                /** @description Every rule that would refuse it, foremost first. */
                rules: {
                    /** @description Of the error that an order would be answered with. */
                    code: string;
                    remedy: string;
                    /**
                     * @description As refusals name it.
                     * @example third_party_verified_buyer
                     */
                    rule: string;
                    /** @example 17 CFR 230.506(c)(2)(ii) */
                    source: string;
                    /**
                     * Format: date-time
                     * @description When it ends by itself; null where it does not, or nobody knows.
                     */
                    until: string | null;
                    /** @description What that error would say. */
                    words: string;
                }[];
            };
            /**
             * Format: date-time
             * @description When the market opens next: until then limit orders wait, and others are refused. Null while it is open.
             */
            opensAt: string | null;
            /** @description The limit of 17 CFR 227.100(a)(2) over 12 months; null where it does not apply. */
            regCf: {
                available: ApiNumber;
                /** @enum {string} */
                currency: "USD";
                limit: ApiNumber;
                used: ApiNumber;
            } | null;
            sell: {
                /** @description Whether an order of the side is taken now, its own terms aside. */
                allowed: boolean;
                /** @description The largest sale that the rules of resale let through. */
                freeQuantity: ApiNumber;
                /** @description When restrictions of lots end, the first ones first, at most 20. */
                next: {
                    /** Format: date-time */
                    date: string;
                    quantity: ApiNumber;
                }[];
                /** @description What they hold back, and open orders do not hold. */
                restrictedQuantity: ApiNumber;
                /** @description Every rule that would refuse it, foremost first. */
                rules: {
                    /** @description Of the error that an order would be answered with. */
                    code: string;
                    remedy: string;
                    /**
                     * @description As refusals name it.
                     * @example third_party_verified_buyer
                     */
                    rule: string;
                    /** @example 17 CFR 230.506(c)(2)(ii) */
                    source: string;
                    /**
                     * Format: date-time
                     * @description When it ends by itself; null where it does not, or nobody knows.
                     */
                    until: string | null;
                    /** @description What that error would say. */
                    words: string;
                }[];
            };
        };
        ExchangeOrder: {
            assetId: string;
            /** @description Of what has been filled. */
            averagePrice?: ApiNumber;
            /** Format: date-time */
            cancelledAt?: string;
            clientOrderId?: string;
            /** @description Why it was rejected. */
            code?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            executedAt?: string;
            /** Format: date-time */
            expiresAt?: string;
            filledQuantity: ApiNumber;
            /**
             * @description Of a pre-IPO order, a non-binding indication of interest: INDICATED while it is PENDING, CONVERTED once it is EXECUTED as a firm order, WITHDRAWN when its account cancelled it, LAPSED when anything else ended it.
             * @enum {string}
             */
            indication?: "INDICATED" | "WITHDRAWN" | "CONVERTED" | "LAPSED";
            isPreIPO: boolean;
            /** @description Sells from a lot within its hold period. */
            isRestrictedOrder: boolean;
            limitPrice?: ApiNumber;
            orderId: string;
            /**
             * @description Of a stop order what it becomes when it triggers.
             * @enum {string}
             */
            orderType: "market" | "limit";
            quantity: ApiNumber;
            /** @description While the order is partially filled, and once self-trade prevention has taken from it: what it may yet fill. */
            remainingQuantity?: ApiNumber;
            /** @enum {string} */
            side: "BUY" | "SELL";
            /** @enum {string} */
            status: "PENDING" | "MATCHED" | "PARTIALLY_FILLED" | "EXECUTED" | "CANCELLED" | "REJECTED";
            /** @description Trigger of a stop order. */
            stopPrice?: ApiNumber;
            timeInForce: string;
            /**
             * Format: date-time
             * @description While the market is closed: when it opens, and the order goes to the broker.
             */
            waitsUntil?: string;
        };
        ExchangeOrderPreview: {
            assetId: string;
            /** @description What the account has of `heldAsset` and nothing holds. */
            available: ApiNumber;
            currency: string;
            estimatedAveragePrice: ApiNumber | null;
            /** @description Of what would fill at once. */
            estimatedFee: ApiNumber;
            /** @description At once, of what is displayed now. Where an order executes elsewhere nobody promises it. */
            estimatedFilledQuantity: ApiNumber;
            /** @description Paid by a buy or received by a sale, after fees. */
            estimatedTotal: ApiNumber;
            /** @description Until the order is done; 0 for an indication of interest. */
            held: ApiNumber;
            heldAsset: string;
            /** @description False where nobody says now what is displayed where the order executes: what would fill is not known, and the estimates are 0. */
            isEstimated: boolean;
            limitPrice: ApiNumber | null;
            market: string;
            orderType: string;
            quantity: ApiNumber;
            /** @enum {string} */
            route: "internal" | "broker" | "prime" | "indication";
            /** @enum {string} */
            side: "BUY" | "SELL";
            takerFeeBps: ApiNumber;
            timeInForce: string;
            /** @description Of the whole order at its worst price: the most that a buy pays with fees, the least that a sale brings before fees. */
            totalAtWorst: ApiNumber;
            /**
             * Format: date-time
             * @description While the market is closed: when it opens, and the order goes to the broker.
             */
            waitsUntil: string | null;
            /** @description The limit, or the collar of an order without one. */
            worstPrice: ApiNumber;
        };
        ExchangeOrderRequest: {
            assetId: string;
            /** @description Unique within the account; visible ASCII, neither `.` nor `..`. */
            clientOrderId?: string;
            /**
             * Format: date-time
             * @description Of GTD orders.
             */
            expiresAt?: string;
            /** @description True for pre-IPO orders: indications of interest, which bind nobody. Refused where the order would be firm, and false where it would be an indication. */
            isPreIPO?: boolean;
            /** @description Of limit orders. */
            limitPrice?: ApiNumber;
            /** @enum {string} */
            orderType: "market" | "limit";
            quantity: ApiNumber;
            /** @enum {string} */
            side: "BUY" | "SELL";
            /**
             * @description GTC, for market IOC.
             * @enum {string}
             */
            timeInForce?: "GTC" | "IOC" | "FOK" | "GTD" | "POST_ONLY";
        };
        ExchangePortfolioItem: {
            assetId: string;
            averageCost: ApiNumber;
            /** @description First in, first out. Empty for assets that keep no lots. */
            lots: {
                /** Format: date-time */
                acquisitionDate: string;
                isRestricted: boolean;
                /**
                 * @description What the lot was offered under; of one that names none, that of its asset.
                 * @example 506c
                 */
                offeringType: string | null;
                quantity: ApiNumber;
                /**
                 * Format: date-time
                 * @description Null for a lot that never was restricted.
                 */
                restrictionEndDate: string | null;
            }[];
            name: string;
            quantity: ApiNumber;
            /** @description US dollars that sales of the asset have realised in all: proceeds after fees less what the shares had cost, first in, first out by lots, on average where the asset has none. */
            realizedPnl: ApiNumber;
            symbol: string;
            type: string;
            /** @description Bought and not settled: they may be sold, and not be withdrawn. */
            unsettledQuantity: ApiNumber;
        };
        Gain: {
            assetId: string;
            /** @description US dollars that the shares had cost, purchase fees included: first in, first out by lots, on average where the asset has none. Null where nobody knows. */
            costBasis: ApiNumber | null;
            currency: string;
            /**
             * Format: date
             * @description The day in New York.
             */
            disposedOn: string;
            /** @description US dollars, below 0 for a loss; null like costBasis. */
            gain: ApiNumber | null;
            /** @description After the fee, in `currency`. */
            proceeds: ApiNumber;
            quantity: ApiNumber;
            symbol: string;
            tradeId: string;
        };
        Holding: {
            assetId: string;
            averageCost: ApiNumber;
            currentPrice: ApiNumber;
            marketValue: ApiNumber;
            name: string;
            quantity: ApiNumber;
            /** @description US dollars that sales of the asset have realised in all: proceeds after fees less what the shares had cost, first in, first out by lots, on average where the asset has none. */
            realizedPnl: ApiNumber;
            /** @description The source of the price is away: it is what that said last, or where it has said nothing what last traded here. */
            stale: boolean;
            symbol: string;
            type: string;
            unrealizedPnl: ApiNumber;
            unrealizedPnlPercent: ApiNumber;
            /** @description Bought and not settled: they may be sold, and not be withdrawn. */
            unsettledQuantity: ApiNumber;
        };
        MarketFees: {
            assetId: string;
            /**
             * @description What the fee is charged in.
             * @example USD
             */
            currency: string;
            /** @description Basis points of the amount traded, of an order that waited in the book. Null where orders are handed to a broker: there every fill costs takerFeeBps. */
            makerFeeBps: ApiNumber | null;
            /** @example ACME-USD */
            market: string;
            rail: string | null;
            /**
             * @description Where orders of the market execute.
             * @enum {string}
             */
            route: "internal" | "broker" | "prime" | "indication";
            symbol: string;
            /** @description Basis points of the amount traded, of an order that meets one that waits. */
            takerFeeBps: ApiNumber;
        };
        Navigation: {
            rails: {
                categories: {
                    id: string;
                    label: string;
                }[];
                id: string;
                label: string;
            }[];
        };
        OrderModification: {
            limitPrice?: ApiNumber;
            quantity?: ApiNumber;
            /** @description Of a stop that awaits its trigger. */
            stopPrice?: ApiNumber;
        };
        OwnAccreditation: {
            attestation: components["schemas"]["AttestationText"];
            /** @description Since an operator has ended the accreditation: nobody certifies themselves, and a request for a verification waits for an operator. Null where none has, or one has allowed it since. */
            endedByOperator: {
                /** Format: date-time */
                at: string;
                reason: string;
            } | null;
            records: components["schemas"]["AccreditationRecord"][];
        };
        OwnTask: {
            /**
             * Format: date-time
             * @description When it ends, or happens by itself.
             */
            dueAt: string | null;
            /**
             * @description `factor_recovery`: an operator has asked to replace the caller’s factors; it is stopped with the identity provider. `identity_in_review` and `identity_not_counted`: the account does not count as that of a person who is known, so orders and payments are refused. `deposit_awaited`: money that the caller may pay in now, since the venue has approved the request; left out while the ledger is behind or out of reach.
             * @enum {string}
             */
            kind: "factor_recovery" | "identity_asked_back" | "identity_expired" | "identity_open" | "identity_refused" | "identity_in_review" | "identity_not_counted" | "identity_ends" | "accreditation_expired" | "accreditation_ends" | "deposit_awaited";
            /**
             * Format: uri
             * @description Of the identity provider, where it is done there. Null too where the provider is not the venue’s own.
             */
            page: string | null;
            /** Format: date-time */
            since: string | null;
            /** @description Of a deposit, the id of its request. */
            subject: string | null;
        };
        PayableAsset: {
            assetId: string;
            /** @description What may be paid out now. */
            available: ApiNumber;
            /** @description Of an amount that may be asked for. */
            decimals: ApiNumber;
            /** @description By open orders and by open requests to pay out. */
            held: ApiNumber;
            name: string;
            symbol: string;
            /** @description Proceeds of sales that have not settled, in neither of the two. */
            unsettled: ApiNumber;
        };
        PlacedOrder: {
            assetId: string;
            /** Format: date-time */
            createdAt: string;
            orderId: string;
            /** @enum {string} */
            orderType: "market" | "limit";
            quantity: ApiNumber;
            /** @enum {string} */
            side: "BUY" | "SELL";
            /** @enum {string} */
            status: "PENDING";
            /**
             * Format: date-time
             * @description While the market is closed: when it opens, and the order goes to the broker.
             */
            waitsUntil?: string;
        };
        PortfolioDay: {
            /** @description Of that, US dollars; those that had not settled included. */
            cash: ApiNumber;
            /** Format: date */
            date: string;
            /** @description False for today, which shows what is known now. */
            isOver: boolean;
            /** @description Sales whose cost nobody knows, or in another currency, are left out of realizedPnl. */
            isPartial: boolean;
            /** @description What came in on the day less what left, at the prices of its end; null where one is not known. */
            netDeposits: ApiNumber | null;
            /** @description Since the day before: the change of value less netDeposits; 0 on the first day. Null where one of these is not known. */
            profit: ApiNumber | null;
            /** @description What sales for US dollars of the day have realised, as they stand. */
            realizedPnl: ApiNumber;
            /** @description US dollars at the end of the day, UTC: cash, and what was held at its close. Null where no price is known of something held. */
            value: ApiNumber | null;
            /** @description Symbols of which no close is known up to the day: they count at the price that the venue has stated, and where it has stated none the value is not known. */
            withoutClose: string[];
        };
        Quote: {
            assetId: string;
            change: ApiNumber;
            changePercent: ApiNumber;
            high: ApiNumber;
            /** @description Before the first trade the reference price; 0 where there is none. */
            last: ApiNumber;
            low: ApiNumber;
            open: ApiNumber;
            prevClose: ApiNumber;
            /** @description The source of the prices is away: this is what it said last, or where it has said nothing what last traded here. */
            stale: boolean;
            /**
             * Format: date-time
             * @description When the source of the prices said so.
             */
            timestamp: string;
            volume: ApiNumber;
        };
        Realized: {
            assets: {
                assetId: string;
                /** @description True where sales are left out: what their shares had cost is not known, or they were for another currency. */
                isPartial: boolean;
                /** @description US dollars that sales of the asset have realised in all: proceeds after fees less what the shares had cost, first in, first out by lots, on average where the asset has none. */
                realizedPnl: ApiNumber;
                symbol: string;
            }[];
            /** @enum {string} */
            currency: "USD";
            /** @description True where sales are left out: what their shares had cost is not known, or they were for another currency. */
            isPartial: boolean;
            realizedPnl: ApiNumber;
        };
        /**
         * @example {
         *       "accepted": true,
         *       "acceptedAt": "2026-11-23T15:00:00.000Z"
         *     }
         */
        RegisteredShares: {
            /** @description Transfer agents may register shares of any security to the account, and read the name of its owner. */
            accepted: boolean;
            /** Format: date-time */
            acceptedAt: string | null;
        };
        /**
         * @example {
         *       "accepted": true
         *     }
         */
        RegisteredSharesRequest: {
            accepted: boolean;
        };
        Statement: {
            accountId: string;
            /** @description Of every asset that the account had or moved. What open orders hold is the account’s, and so is cash of sales from the day of the trade on. */
            balances: {
                assetId: string;
                /** @description Opening and what has moved, exactly. */
                closing: ApiNumber;
                moved: {
                    amount: ApiNumber;
                    /** @enum {string} */
                    kind: "trade" | "fee" | "adjustment" | "deposit" | "withdrawal" | "distribution" | "register_entry" | "split" | "booking" | "bridge";
                }[];
                name: string;
                opening: ApiNumber;
                symbol: string;
                type: string;
            }[];
            /**
             * Format: date-time
             * @description Midnight in New York at which it begins.
             */
            from: string;
            holder: {
                name: string;
                userId: string;
            };
            /** @description False while a market of the account cannot settle: what it has executed is missing, and stands here once it has settled. */
            isComplete: boolean;
            /** @description False for the month that still runs: what it closes with may change. */
            isOver: boolean;
            /** @example 2026-11 */
            month: string;
            /** @description Oldest first, up to 1000 a page; the next one is in the Link header. */
            movements: {
                /** @description Below 0 for what has left the account. */
                amount: ApiNumber;
                assetId: string;
                /** @enum {string} */
                kind: "trade" | "fee" | "adjustment" | "deposit" | "withdrawal" | "distribution" | "register_entry" | "split" | "booking" | "bridge";
                /** @description Of the trade, transfer or other transaction. */
                reference: string;
                symbol: string;
                /** Format: date-time */
                timestamp: string;
            }[];
            /**
             * Format: date-time
             * @description Midnight in New York at which it ends.
             */
            to: string;
        };
        StatementMonth: {
            /**
             * Format: date-time
             * @description Midnight in New York at which it begins.
             */
            from: string;
            /** @description False for the month that still runs: what it closes with may change. */
            isOver: boolean;
            /** @example 2026-11 */
            month: string;
            /**
             * Format: date-time
             * @description Midnight in New York at which it ends.
             */
            to: string;
        };
        TradeConfirmation: {
            accountId: string;
            /** @description What stands since the trade was taken back or corrected; null where it stands as it was made. */
            adjusted: {
                /** @description Price times quantity. */
                amount: ApiNumber;
                /** Format: date-time */
                at: string;
                /** @description What the venue has received from the customer for the trade. */
                fee: ApiNumber;
                /** @description Paid by a buyer, or due to a seller: amount with the fee. */
                net: ApiNumber;
                price: ApiNumber;
                type: string;
            } | null;
            /** @description Price times quantity. */
            amount: ApiNumber;
            assetId: string;
            /**
             * @description In which the venue acted for the customer.
             * @enum {string}
             */
            capacity: "agent";
            currency: string;
            /**
             * Format: date-time
             * @description Date and time of the trade.
             */
            executedAt: string;
            /** @description What the venue has received from the customer for the trade. */
            fee: ApiNumber;
            holder: {
                name: string;
                userId: string;
            };
            market: string;
            name: string;
            /** @description Paid by a buyer, or due to a seller: amount with the fee. */
            net: ApiNumber;
            orderId: string;
            /**
             * @description The name of the person from whom was bought, or to whom was sold, is furnished upon written request.
             * @enum {string}
             */
            otherParty: "on_written_request";
            price: ApiNumber;
            quantity: ApiNumber;
            /**
             * @description Where the order executed.
             * @enum {string}
             */
            route: "internal" | "broker" | "prime" | "indication";
            /**
             * @description Null for what is no security.
             * @example 17 CFR 240.10b-10(a)
             */
            rule: string | null;
            /**
             * Format: date
             * @description Null for what settled with the trade.
             */
            settlementDate: string | null;
            /** @enum {string} */
            side: "BUY" | "SELL";
            symbol: string;
            tradeId: string;
            type: string;
        };
        Transaction: {
            /**
             * Format: date-time
             * @description When the trade was taken back (`status` busted) or corrected; it shows what it stands at. Null for others.
             */
            adjustedAt: string | null;
            /** @description Place of that: a later one has a higher number. The cursor of `/v1/core-transactions/adjusted`. */
            adjustmentSequence: ApiNumber | null;
            assetId: string;
            /** @description US dollars that the shares of a sale had cost, purchase fees included: first in, first out by lots, on average where the asset has none. Null where that is not known, and for others. */
            costBasis: ApiNumber | null;
            /**
             * @description What a trade was paid in; null for others.
             * @example USD
             */
            currency: string | null;
            fee: ApiNumber;
            id: string;
            /** @description False while the cash of a sale, or the shares of a purchase, wait for `settlementDate`. */
            isSettled: boolean;
            /** @description 1 for deposits and withdrawals of a currency, 0 for those of an asset. */
            price: ApiNumber;
            quantity: ApiNumber;
            /** @description US dollars that a sale has realised: total less fee, at the rate of its time, less costBasis; 0 of one that was taken back. Null like costBasis. */
            realizedPnl: ApiNumber | null;
            /**
             * Format: date
             * @description Day on which a trade settles, or has settled, where that is not at once; null for others.
             */
            settlementDate: string | null;
            /**
             * @description Null for deposits and withdrawals.
             * @enum {string|null}
             */
            side: "BUY" | "SELL" | null;
            /** @example completed */
            status: string;
            /** Format: date-time */
            timestamp: string;
            /** @description Price times quantity. */
            total: ApiNumber;
            /** @enum {string} */
            type: "deposit" | "withdrawal" | "trade";
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
        WantedCancel: {
            cancelledAt: null;
            filledQuantity: ApiNumber;
            orderId: string;
            /** @enum {string} */
            status: "PENDING" | "PARTIALLY_FILLED";
        };
        WithdrawalRequestBody: {
            amount: ApiNumber;
            assetId: string;
            /** @description Where it goes, for the operator who decides: nobody can pay out what names no place. */
            reference: string;
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
