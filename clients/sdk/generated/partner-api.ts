/** Written by scripts/sdk/api-types.ts from the OpenAPI document of profile partner. */
import type { ApiNumber } from '../wire/json.ts';

export interface paths {
    "/schemas/bridge.transfer.attesting.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.attesting */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.awaiting_funds.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.awaiting_funds */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.broadcast.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.broadcast */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.cancelling.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.cancelling */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.challenge.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.challenge */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.co_signing.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.co_signing */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.confirmed.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.confirmed */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.confirming.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.confirming */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.covered.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.covered */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.expired.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.expired */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.paid_by_other.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.paid_by_other */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.queued.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.queued */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.refund_broadcast.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.refund_broadcast */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.refundable.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.refundable */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.refunded.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.refunded */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/bridge.transfer.uncovered.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of bridge.transfer.uncovered */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/corporate_action.announced.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of corporate_action.announced */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/dividend.declared.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of dividend.declared */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/settlement.finalized.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of settlement.finalized */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/settlement.recorded.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of settlement.recorded */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/trade.executed.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of trade.executed */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/transfer.completed.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of transfer.completed */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/transfer.initiated.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of transfer.initiated */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/schemas/webhook.test.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** JSON Schema of webhook.test */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description JSON Schema 2020-12. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
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
    "/v1/captable/{security_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The cap table */
        get: {
            parameters: {
                query?: {
                    /** @description What the register said then. ISO 8601; a date stands for its end in UTC. Now, when left out. */
                    as_of?: string;
                };
                header?: never;
                path: {
                    security_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The cap table. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CapTable"];
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
    "/v1/captable/{security_id}/cancellations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel shares of a holder
         * @description Of a holder without an account. Of one with an account: what you have issued to it within a day, while it has no others and has traded none. Anything else needs a corporate action of the type `share_cancellation` (409 `needs_corporate_action`).
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    security_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CancellationRequest"];
                };
            };
            responses: {
                /** @description Cancelled and recorded. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RegisterEvent"];
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
    "/v1/captable/{security_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that has changed the register
         * @description In the order in which it was recorded.
         */
        get: {
            parameters: {
                query?: {
                    cursor?: ApiNumber;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path: {
                    security_id: string;
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
                            events: components["schemas"]["RegisterHistoryEvent"][];
                            /**
                             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
                             * @enum {boolean}
                             */
                            has_more?: true;
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
    "/v1/captable/{security_id}/holders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Registered holders
         * @description Who has shares by the register, by holder id.
         */
        get: {
            parameters: {
                query?: {
                    /** @description What the register said then. ISO 8601; a date stands for its end in UTC. Now, when left out. */
                    as_of?: string;
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                };
                header?: never;
                path: {
                    security_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The holders. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
                             * @enum {boolean}
                             */
                            has_more?: true;
                            holders: components["schemas"]["RegisteredHolder"][];
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
    "/v1/captable/{security_id}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import holders
         * @description Issues what every row says, all of them or none: up to 25000 rows, a larger register in several imports. Wrong rows are named with field and reason. CSV begins with a line of names: holder_reference, holder_name, holder_kind, country, account_id, shares, cost, certificate_number, acquired_at, restriction_ends_at, legend.
         */
        post: {
            parameters: {
                query?: {
                    /** @description Checks the rows, and changes nothing. */
                    dry_run?: "true" | "false";
                    /** @description `ocf`: the body is an Open Cap Table Format document. What stands of one stock class after all its transactions is imported. */
                    format?: "rows" | "ocf";
                    /** @description Of `ocf`: the class; needed where the document issues stock of several. */
                    stock_class_id?: string;
                };
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    security_id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["HolderImportRequest"] | components["schemas"]["OpenCapTable"];
                    "text/csv": string;
                };
            };
            responses: {
                /** @description Imported and recorded; or checked, of a dry run. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["IssuedShares"];
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
    "/v1/captable/{security_id}/issuances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Issue shares */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    security_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["IssuanceRequest"];
                };
            };
            responses: {
                /** @description Issued and recorded. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["IssuedShares"];
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
    "/v1/captable/{security_id}/ocf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The register as Open Cap Table Format
         * @description Version 1.2.1, with all that has changed the register. The format wants two things of the issuer that the register does not know: state them.
         */
        get: {
            parameters: {
                query?: {
                    /** @description ISO 3166-1, two letters. */
                    country_of_formation?: string;
                    /** @description When the issuer was formed. */
                    formation_date?: string;
                };
                header?: never;
                path: {
                    security_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The document. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpenCapTable"];
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
    "/v1/corporate-actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Corporate actions of your securities, newest first */
        get: {
            parameters: {
                query?: {
                    action_type?: "dividend" | "stock_split" | "merger" | "name_change" | "share_cancellation";
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    security_id?: string;
                    status?: "announced" | "recorded" | "funding" | "funded" | "effective" | "returning" | "completed" | "reversing" | "reversed" | "cancelled";
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
                            corporate_actions: components["schemas"]["CorporateAction"][];
                            /**
                             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
                             * @enum {boolean}
                             */
                            has_more?: true;
                        };
                    };
                };
            };
        };
        put?: never;
        /** Announce a corporate action */
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
                    "application/json": components["schemas"]["CorporateActionRequest"];
                };
            };
            responses: {
                /** @description The action. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CorporateAction"];
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
    "/v1/corporate-actions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A corporate action */
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
                /** @description The action. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CorporateAction"];
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
    "/v1/corporate-actions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take an action back before anything has moved */
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
                    "application/json": components["schemas"]["CorporateActionReason"];
                };
            };
            responses: {
                /** @description The action. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CorporateAction"];
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
    "/v1/corporate-actions/{id}/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Agree that shares end or are divided down
         * @description Of a merger that ends the shares of your security, or gives those of it, of a reverse split, and of a cancellation of shares. Naming the account that pays a merger agrees to it, too. It is not taken back.
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
            requestBody?: never;
            responses: {
                /** @description The action. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CorporateAction"];
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
    "/v1/corporate-actions/{id}/payment-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let an account pay a dividend
         * @description The consent of the lister: without it nothing is paid. Another one may be named until the account is asked.
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
                    "application/json": components["schemas"]["PaymentAccount"];
                };
            };
            responses: {
                /** @description The action. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CorporateAction"];
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
    "/v1/corporate-actions/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What each holder is entitled to of a dividend, or of a merger for cash
         * @description By payee. Empty until the record date has passed.
         */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    status?: "entitled" | "due" | "external" | "nothing" | "paid" | "unpaid" | "returned" | "not_returned";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The payments. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
                             * @enum {boolean}
                             */
                            has_more?: true;
                            payments: components["schemas"]["CorporateActionPayment"][];
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
    "/v1/corporate-actions/{id}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take back a dividend that was paid, from those who still have it */
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
                    "application/json": components["schemas"]["CorporateActionReason"];
                };
            };
            responses: {
                /** @description The action. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CorporateAction"];
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
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to your securities, trades and transfers of the bridge in the last 30 days, for those who receive no webhooks
         * @description What webhooks of the organization would have been sent, subscribed or not: the same ids, bodies and order; `endpoint` is the address of this list.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Id of an event (`event_id`, `webhook-id`): what was told after it. Without it the list begins with the oldest of the last 30 days. */
                    after?: string;
                    limit?: ApiNumber;
                    /** @description Events between commas, of those that organizations of the caller’s role receive; all of these without it. */
                    types?: string;
                    /** @description Seconds to wait for the next event where there is none. Then the answer has none. */
                    wait?: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Oldest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventsList"];
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
    "/v1/investors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Investors that you have introduced, oldest first */
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
                /** @description The investors. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
                             * @enum {boolean}
                             */
                            has_more?: true;
                            investors: components["schemas"]["Investor"][];
                        };
                    };
                };
            };
        };
        put?: never;
        /**
         * Introduce an investor
         * @description Its checks begin at once; accounts are opened by POST /v1/investors/{id}/accounts.
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
                    "application/json": components["schemas"]["InvestorRequest"];
                };
            };
            responses: {
                /** @description The investor. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Investor"];
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
    "/v1/investors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An investor
         * @description For who has introduced it, and for the agent of a security that it holds or has traded.
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
                /** @description The investor. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Investor"];
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
    "/v1/investors/{id}/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open an account of an investor
         * @description What its checks have found holds of it. An operator of the venue credits what is paid in.
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
            requestBody?: never;
            responses: {
                /** @description The account. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvestorAccount"];
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
    "/v1/investors/{id}/accounts/{account_id}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Keys of an investor’s account, newest first */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    account_id: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Without their secrets. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            keys: components["schemas"]["InvestorKey"][];
                        };
                    };
                };
            };
        };
        put?: never;
        /**
         * Make a key for an investor’s account; its secret is shown once
         * @description It opens FIX 4.4 sessions, the sockets of the order-book profile and gRPC for this account. It does nothing while the organization is suspended.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    account_id: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvestorKeyRequest"];
                };
            };
            responses: {
                /** @description The key. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvestorKeyWithSecret"];
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
    "/v1/investors/{id}/accounts/{account_id}/keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a key, and cancel its open orders */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    account_id: string;
                    id: string;
                    key_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description It opens nothing any more. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/investors/{id}/compliance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The compliance record of an investor
         * @description For who has introduced it, and for the agent of a security that it holds or has traded.
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
                /** @description The checks. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ComplianceRecord"];
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
    "/v1/investors/{id}/compliance/{kind}/rescreen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a check made anew
         * @description What it found before stands until then.
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
                    kind: "kyc" | "kyb" | "sanctions_screening" | "adverse_media_screening" | "transaction_monitoring" | "accreditation";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The checks. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ComplianceRecord"];
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
    "/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Orders of your investors, newest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    investor_id?: string;
                    /** @description Page size. The next page is in the Link header. */
                    limit?: ApiNumber;
                    security_id?: string;
                    status?: "pending" | "open" | "partially_filled" | "filled" | "cancelled" | "rejected" | "expired";
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
                            /**
                             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
                             * @enum {boolean}
                             */
                            has_more?: true;
                            orders: components["schemas"]["PartnerOrder"][];
                        };
                    };
                };
            };
        };
        put?: never;
        /** Place an order for your investor */
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
                    "application/json": components["schemas"]["PartnerOrderRequest"];
                };
            };
            responses: {
                /** @description The order as the book has left it. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PartnerOrder"];
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
        /** An order of your investor */
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
                        "application/json": components["schemas"]["PartnerOrder"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Cancel an order of your investor */
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
                        "application/json": components["schemas"]["CancelledPartnerOrder"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/dividend-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Payments of dividends whose payment date, as it was stated, lies in a range of days */
        get: {
            parameters: {
                query: {
                    cursor?: string;
                    /** @description `csv`: RFC 4180. `html`: a page to print. */
                    format?: "json" | "csv" | "html";
                    /** @description First day, in UTC. */
                    from: string;
                    /** @description Rows of this answer; the next ones are in the Link header. */
                    limit?: ApiNumber;
                    security_id?: string;
                    /** @description Last day, in UTC. */
                    to: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The payments. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: date */
                            from: string;
                            /**
                             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
                             * @enum {boolean}
                             */
                            has_more?: true;
                            payments: components["schemas"]["DividendHistoryEntry"][];
                            /** Format: date */
                            to: string;
                        };
                        "text/csv": string;
                        "text/html": string;
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
    "/v1/reports/form-ta-2": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Data for Form TA-2 of a calendar year
         * @description What the venue knows is counted from the register, transfers and dividends; the agent has more elsewhere.
         */
        get: {
            parameters: {
                query: {
                    /** @description `csv`: RFC 4180. `html`: a page to print. */
                    format?: "json" | "csv" | "html";
                    year: ApiNumber;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The data. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FormTA2"];
                        "text/csv": string;
                        "text/html": string;
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
    "/v1/reports/shareholder-register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The register of holders of a security */
        get: {
            parameters: {
                query: {
                    /** @description What the register said then. ISO 8601; a date stands for its end in UTC. Now, when left out. */
                    as_of?: string;
                    cursor?: string;
                    /** @description `csv`: RFC 4180. `html`: a page to print. */
                    format?: "json" | "csv" | "html";
                    /** @description Rows of this answer; the next ones are in the Link header. */
                    limit?: ApiNumber;
                    security_id: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The register. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ShareholderRegister"];
                        "text/csv": string;
                        "text/html": string;
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
    "/v1/reports/transfer-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Transfers that were received in a range of days, oldest first */
        get: {
            parameters: {
                query: {
                    cursor?: string;
                    /** @description `csv`: RFC 4180. `html`: a page to print. */
                    format?: "json" | "csv" | "html";
                    /** @description First day, in UTC. */
                    from: string;
                    /** @description Rows of this answer; the next ones are in the Link header. */
                    limit?: ApiNumber;
                    security_id?: string;
                    /** @description Last day, in UTC. */
                    to: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The log. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: date */
                            from: string;
                            /**
                             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
                             * @enum {boolean}
                             */
                            has_more?: true;
                            /** Format: date */
                            to: string;
                            transfers: components["schemas"]["TransferLogEntry"][];
                        };
                        "text/csv": string;
                        "text/html": string;
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
    "/v1/securities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your cross-listed securities
         * @description Of a cross-lister its own, of a transfer agent those that propose or have it as their agent. Oldest first.
         */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    status?: "submitted" | "listed" | "halted" | "refused" | "delisted";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The securities. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
                             * @enum {boolean}
                             */
                            has_more?: true;
                            securities: components["schemas"]["Security"][];
                        };
                    };
                };
            };
        };
        put?: never;
        /** Cross-list a security: it waits until an operator of the venue lists it */
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
                    "application/json": components["schemas"]["CrossListRequest"];
                };
            };
            responses: {
                /** @description The security. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Security"];
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
    "/v1/securities/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A cross-listed security with its live quote */
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
                /** @description The security. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SecurityWithQuote"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delist: open orders are cancelled, holders keep what they hold; for good */
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
                /** @description The security. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Security"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change restrictions, valuation or transfer agent */
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
                    "application/json": components["schemas"]["SecurityEdit"];
                };
            };
            responses: {
                /** @description The security. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Security"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/securities/{id}/agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept or decline to be the transfer agent of a security */
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
                    "application/json": components["schemas"]["AgentAnswer"];
                };
            };
            responses: {
                /** @description The security. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Security"];
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
    "/v1/securities/{id}/book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Levels of the order book of a security, best first */
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
                /** @description The book. */
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
    "/v1/securities/{id}/chart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * OHLCV bars of a security
         * @description Oldest first, the running one included. Where nothing traded there is no bar.
         */
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
                /** @description The bars. */
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
    "/v1/securities/{id}/halt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Halt trading: open orders are cancelled */
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
                    "application/json": components["schemas"]["SecurityReason"];
                };
            };
            responses: {
                /** @description The security. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Security"];
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
    "/v1/securities/{id}/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lift a halt of one’s own */
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
                    "application/json": components["schemas"]["SecurityReason"];
                };
            };
            responses: {
                /** @description The security. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Security"];
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
    "/v1/securities/{id}/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Best bid, best ask and last price of a security
         * @description Each is null where there is none, all of them before the security is listed.
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
    "/v1/securities/{id}/restrictions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Restrictions on transfers, in effect and as each has stated them */
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
                /** @description The restrictions. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RestrictionsInEffect"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** State restrictions; those of the transfer agent count before those of the lister */
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
                    "application/json": components["schemas"]["RestrictionsRequest"];
                };
            };
            responses: {
                /** @description The restrictions. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RestrictionsInEffect"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/securities/{id}/trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Trades of a security, newest first */
        get: {
            parameters: {
                query?: {
                    /** @description Only trades of a lower sequence. */
                    cursor?: ApiNumber;
                    /** @description Page size. The next page is in the Link header. */
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
                /** @description The trades. */
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
    "/v1/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Settlements of your securities, newest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description First day of execution, in UTC. */
                    from?: string;
                    /** @description Page size. The next page is in the Link header. */
                    limit?: ApiNumber;
                    security_id?: string;
                    status?: "pending" | "recorded" | "SETTLED" | "FAILED" | "REVERSED";
                    /** @description Last day of execution, in UTC. */
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The settlements. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
                             * @enum {boolean}
                             */
                            has_more?: true;
                            settlements: components["schemas"]["Settlement"][];
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
    "/v1/settlements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A settlement */
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
                /** @description The settlement. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Settlement"];
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
    "/v1/settlements/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What proves that it is recorded, and what was made of it
         * @description Its record, its way to the root of a block, and the votes of the committee, and the same of what was made of it until now: taken back by an operator or for its transfer agent, or corrected. Whoever knows the committee’s hash checks it offline; `GET /.well-known/committee` publishes it, and `finality_members` says who the members are: where they are `embedded`, this proves that the venue has recorded it, by its own word. 409 while it, or what was made of it, is not final.
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
                        "application/json": components["schemas"]["Receipt"];
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
    "/v1/settlements/{id}/txs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Its transactions on chain
         * @description As the registry has them now; what the recorder has noted where the chain does not answer. Empty while nothing is recorded.
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
                /** @description The transactions. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SettlementTransactions"];
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
    "/v1/settlements/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare it with the chain */
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
                /** @description What the chain says of it. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SettlementVerification"];
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
    "/v1/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transfers of your securities
         * @description Those that wait for you, unless a status is asked for. Oldest first.
         */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
                    limit?: ApiNumber;
                    security_id?: string;
                    status?: "pending" | "pending_transfer" | "rejecting" | "rejected" | "completed" | "reversed";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The transfers. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
                             * @enum {boolean}
                             */
                            has_more?: true;
                            transfers: components["schemas"]["TransferInstruction"][];
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
    "/v1/transfers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A transfer */
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
                        "application/json": components["schemas"]["TransferInstruction"];
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
    "/v1/transfers/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept or reject a transfer */
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
                    "application/json": components["schemas"]["TransferAcknowledgeRequest"];
                };
            };
            responses: {
                /** @description The transfer. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TransferInstruction"];
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
    "/v1/transfers/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record a transfer on the cap table */
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
                    "application/json": components["schemas"]["TransferCompleteRequest"];
                };
            };
            responses: {
                /** @description The transfer, completed. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TransferInstruction"];
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
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your webhooks */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Oldest first. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            webhooks: components["schemas"]["Webhook"][];
                        };
                    };
                };
            };
        };
        put?: never;
        /** Register a webhook; its secret is shown once */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookBody"];
                };
            };
            responses: {
                /** @description Registered. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CreatedWebhook"];
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
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A webhook, with what waits there */
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
                        "application/json": components["schemas"]["WebhookWithBacklog"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete a webhook, with what waits there and its log */
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
                /** @description Deleted. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /** Change, disable or enable a webhook; what waits is tried at once */
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
                    "application/json": components["schemas"]["WebhookChange"];
                };
            };
            responses: {
                /** @description Changed. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Webhook"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was sent to a webhook in the last 30 days, and what waits */
        get: {
            parameters: {
                query?: {
                    cursor?: ApiNumber;
                    event_id?: string;
                    /** @description Page size, up to 1000. Without it the list has up to 10000 rows. Where it goes on, the next page is in the Link header. */
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
                            deliveries: components["schemas"]["Delivery"][];
                            /**
                             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
                             * @enum {boolean}
                             */
                            has_more?: true;
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
    "/v1/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A delivery with its body and every try */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    delivery_id: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The delivery. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveryNow"];
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
    "/v1/webhooks/{id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a delivery again, under the same webhook-id, behind what waits */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    delivery_id: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The new delivery. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveryDetail"];
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
    "/v1/webhooks/{id}/deliveries/{delivery_id}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give up a delivery that waits, so that those behind it go on */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    delivery_id: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The delivery. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveryDetail"];
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
    "/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again what was first queued in a range of time, 1,000 events a call
         * @description From `from` on, before `to`. What still waits is not queued twice.
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
                    "application/json": components["schemas"]["ReplayRange"];
                };
            };
            responses: {
                /** @description Queued. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Replayed"];
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
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a webhook another secret; each former one signs beside it for 24 hours */
        post: {
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
                /** @description Rotated. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RotatedSecret"];
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
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test at once, past what waits; disabled webhooks, too
         * @description Tried once. The answer says what came of it. A test has the header `webhook-test: true`, and all ids in a sample begin with `00000000-0000-4000-8000-`.
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
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["WebhookTestBody"];
                };
            };
            responses: {
                /** @description What came of it. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeliveryDetail"];
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
    "/v1/ws/book/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The order book of a security over WebSocket
         * @description A `book_snapshot`, then a `book_update` for each change, whose `prev_sequence` is the sequence of the message before; any other is a gap.
         */
        get: {
            parameters: {
                query?: {
                    depth?: ApiNumber;
                    /** @description The last sequence that you have: what followed it comes first, or `reset` where that is no longer kept. */
                    resume_from?: ApiNumber;
                };
                header?: never;
                path: {
                    id: string;
                };
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
    "/v1/ws/trades/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The trades of a security over WebSocket
         * @description A `trade` for each, whose sequence is gapless, as GET /v1/securities/{id}/trades has it.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The last sequence that you have: what followed it comes first, or `reset` where that is no longer kept. */
                    resume_from?: ApiNumber;
                };
                header?: never;
                path: {
                    id: string;
                };
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
        AgentAnswer: {
            accepted: boolean;
            /** @default null */
            reason: string | null;
        };
        /**
         * @example {
         *       "lock_up_expiry_date": "2027-03-01"
         *     }
         */
        AgentRestrictions: {
            legend_required?: boolean;
            /** Format: date */
            lock_up_expiry_date?: string | null;
            rule_144_holding_period_met?: boolean;
            transfer_restrictions?: string;
        };
        /**
         * @example {
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "bids": [
         *         {
         *           "price": 43.1,
         *           "quantity": 250
         *         },
         *         {
         *           "price": 43,
         *           "quantity": 1000
         *         }
         *       ],
         *       "asks": [
         *         {
         *           "price": 43.6,
         *           "quantity": 400
         *         }
         *       ],
         *       "sequence": 118,
         *       "timestamp": "2026-10-05T14:31:08.000Z"
         *     }
         */
        Book: {
            asks: {
                price: ApiNumber;
                quantity: ApiNumber;
            }[];
            bids: {
                price: ApiNumber;
                quantity: ApiNumber;
            }[];
            /** Format: uuid */
            security_id: string;
            /** @description Of the last change that the levels include, as in /v1/ws/book/{id}. */
            sequence: ApiNumber;
            /** Format: date-time */
            timestamp: string;
        };
        BrokerDealer: {
            /**
             * @description Of the firm, in the Central Registration Depository.
             * @example 123456
             */
            crd_number: string;
            /** @example Juniper Securities LLC */
            firm_name: string;
        };
        /**
         * @example {
         *       "holder_id": "0199a3d5-7d9c-71d8-8ecb-80db930e7f09",
         *       "shares": 50,
         *       "record_date": "2026-10-20",
         *       "notes": "Repurchased."
         *     }
         */
        CancellationRequest: {
            /** Format: uuid */
            holder_id: string;
            /** @default null */
            notes: string | null;
            /**
             * Format: date
             * @default null
             */
            record_date: string | null;
            shares: ApiNumber;
        };
        /**
         * @example {
         *       "order_id": "0199a3d0-2f69-7ea5-9b98-5dae60db4c06",
         *       "status": "cancelled",
         *       "filled_quantity": 40,
         *       "cancelled_at": "2026-10-05T14:40:00.120Z"
         *     }
         */
        CancelledPartnerOrder: {
            /** Format: date-time */
            cancelled_at: string;
            filled_quantity: ApiNumber;
            /** Format: uuid */
            order_id: string;
            /** @enum {string} */
            status: "pending" | "open" | "partially_filled" | "filled" | "cancelled" | "rejected" | "expired";
        };
        /**
         * @example {
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "asset_name": "Lakeside Robotics Series B Preferred",
         *       "issuer_name": "Lakeside Robotics, Inc.",
         *       "security_class": "preferred_stock",
         *       "share_class": "Series B",
         *       "as_of": null,
         *       "sequence": 3,
         *       "last_recorded_at": "2026-10-05T16:02:40.000Z",
         *       "shares_outstanding": 25000,
         *       "holders": 2,
         *       "pending_transfer_units": 0
         *     }
         */
        CapTable: {
            /** Format: date-time */
            as_of: string | null;
            asset_name: string;
            holders: ApiNumber;
            issuer_name: string;
            /** Format: date-time */
            last_recorded_at: string | null;
            /** @description Traded, or taken back, and not recorded yet; now. */
            pending_transfer_units: ApiNumber;
            security_class: string;
            /** Format: uuid */
            security_id: string;
            /** @description Of the last event; 0 before the first. */
            sequence: ApiNumber;
            share_class: string;
            shares_outstanding: ApiNumber;
        };
        /**
         * @example {
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "interval": "1h",
         *       "bars": [
         *         {
         *           "time": "2026-10-05T14:00:00.000Z",
         *           "open": 43,
         *           "high": 43.25,
         *           "low": 42.9,
         *           "close": 43.25,
         *           "volume": 340
         *         }
         *       ]
         *     }
         */
        Chart: {
            bars: {
                close: ApiNumber;
                high: ApiNumber;
                low: ApiNumber;
                open: ApiNumber;
                /**
                 * Format: date-time
                 * @description Start of the bar.
                 */
                time: string;
                /** @description Shares. */
                volume: ApiNumber;
            }[];
            /** @enum {string} */
            interval: "1m" | "5m" | "15m" | "1h" | "1d";
            /** Format: uuid */
            security_id: string;
        };
        /**
         * @example {
         *       "kind": "sanctions_screening",
         *       "status": "passed",
         *       "provider": "http",
         *       "reference": "scr_81f2",
         *       "reason": null,
         *       "checked_at": "2026-10-01T15:09:30.000Z",
         *       "expires_at": "2026-10-31T15:09:30.000Z",
         *       "in_progress": false
         *     }
         */
        ComplianceCheck: {
            /** Format: date-time */
            checked_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** @description Whether the check is being made, or made anew. */
            in_progress: boolean;
            /** @enum {string} */
            kind: "kyc" | "kyb" | "sanctions_screening" | "adverse_media_screening" | "transaction_monitoring" | "accreditation";
            /** @description Who has found it; null before anything was found. */
            provider: string | null;
            /** @description Why it has failed. */
            reason: string | null;
            /** @description Id of what was found, at the provider. */
            reference: string | null;
            /** @enum {string} */
            status: "pending" | "passed" | "failed" | "expired";
        };
        ComplianceRecord: {
            /** @enum {string} */
            account_type: "entity" | "individual";
            checks: components["schemas"]["ComplianceCheck"][];
            /** @description Whether every check but accreditation has passed and not expired. */
            cleared: boolean;
            /** Format: uuid */
            investor_id: string;
        };
        /**
         * @example {
         *       "corporate_action_id": "0199a3d0-aac1-74ab-81fe-b3aecc31ac0c",
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "action_type": "dividend",
         *       "record_date": "2026-12-01",
         *       "payment_date": "2026-12-15",
         *       "amount_per_share": 0.25,
         *       "currency": "USD",
         *       "description": "Quarterly cash dividend, fourth quarter of 2026",
         *       "status": "recorded",
         *       "waiting_for": "insufficient_funds",
         *       "effective_date": null,
         *       "ratio_from": null,
         *       "ratio_to": null,
         *       "asset_name": null,
         *       "cusip": null,
         *       "isin": null,
         *       "counterparty": null,
         *       "holder_id": null,
         *       "shares": null,
         *       "cash_per_share": null,
         *       "stock": null,
         *       "payment_account_id": "0199a3c5-1c58-7d94-8a87-4c9d5fca3b05",
         *       "amount_max": 25000,
         *       "consented_at": null,
         *       "survivor_consented_at": null,
         *       "total_amount": 21250,
         *       "external_amount": 1200,
         *       "reason": null,
         *       "created_at": "2026-11-20T15:00:00.000Z",
         *       "recorded_at": "2026-12-02T05:00:12.000Z",
         *       "funded_at": null,
         *       "ended_at": null
         *     }
         */
        CorporateAction: {
            /** @enum {string} */
            action_type: "dividend" | "stock_split" | "merger" | "name_change" | "share_cancellation";
            amount_max: ApiNumber | null;
            amount_per_share: ApiNumber | null;
            asset_name: string | null;
            /** @description Of a merger for cash. */
            cash_per_share: ApiNumber | null;
            /**
             * Format: date-time
             * @description When the lister has agreed.
             */
            consented_at: string | null;
            /** Format: uuid */
            corporate_action_id: string;
            counterparty: string | null;
            /** Format: date-time */
            created_at: string;
            currency: string | null;
            cusip: string | null;
            description: string;
            effective_date: string | null;
            /** Format: date-time */
            ended_at: string | null;
            /** @description What holders without an account are entitled to: the agent pays them. */
            external_amount: ApiNumber | null;
            /** Format: date-time */
            funded_at: string | null;
            /** @description Of a cancellation: who gives shares back. */
            holder_id: string | null;
            isin: string | null;
            /** @description Named by the lister: who pays a dividend, or a merger for cash. */
            payment_account_id: string | null;
            payment_date: string | null;
            ratio_from: ApiNumber | null;
            ratio_to: ApiNumber | null;
            /** @description Why it was cancelled or reversed. */
            reason: string | null;
            record_date: string | null;
            /** Format: date-time */
            recorded_at: string | null;
            /** Format: uuid */
            security_id: string;
            /** @description Of a cancellation: how many. */
            shares: ApiNumber | null;
            /**
             * @description `recorded`: who is entitled is fixed. `funding`, `funded`: the payer is asked, and has paid. `effective`: the security is halted, its shares are being split, or held for a merger; those of a cancellation move. `returning`: it may not be carried on, and what was paid in goes back. `cancelled` before anything has moved.
             * @enum {string}
             */
            status: "announced" | "recorded" | "funding" | "funded" | "effective" | "returning" | "completed" | "reversing" | "reversed" | "cancelled";
            /** @description Of a merger for shares of another security. */
            stock: components["schemas"]["MergerStock"] | null;
            /**
             * Format: date-time
             * @description When the lister of the surviving security has agreed.
             */
            survivor_consented_at: string | null;
            /** @description What the payer pays to holders with an account. */
            total_amount: ApiNumber | null;
            /**
             * @description Why it does not go on though it is due; it is tried again every five minutes. `split_refused` and `merger_refused` are for good: cancel it. `fractions`: rounded up, holders would have too much more in all. `shares_split`: it counts shares, which were split since it was announced: cancel it, and announce what it comes to now. `lister_consent`: a lister has not agreed. `payer_full`: what goes back to who has paid would make their balance larger than an amount may be. `agent_released`, `agent_suspended`, `security_stopped`, `held_by_operator`: it may not be carried on for the time being.
             * @enum {string|null}
             */
            waiting_for: "agent_released" | "agent_suspended" | "security_stopped" | "surviving_security" | "shares_split" | "held_by_operator" | "lister_consent" | "payment_account" | "above_amount_max" | "insufficient_funds" | "not_current" | "market_open" | "shares_held" | "open_transfers" | "register_differs" | "fractions" | "split_refused" | "merger_refused" | "ledger_full" | "payer_full" | null;
        };
        /**
         * @example {
         *       "payee_id": "0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03",
         *       "account_id": "0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03",
         *       "holder_reference": null,
         *       "name": "Juniper Capital LP",
         *       "shares": 1000,
         *       "amount": 250,
         *       "status": "due",
         *       "paid_at": null,
         *       "returned_at": null
         *     }
         */
        CorporateActionPayment: {
            account_id: string | null;
            /** @description Rounded down to the smallest unit of the currency. */
            amount: ApiNumber | null;
            holder_reference: string | null;
            name: string | null;
            /** Format: date-time */
            paid_at: string | null;
            /** @description The account, or the registered holder without one. */
            payee_id: string;
            /** Format: date-time */
            returned_at: string | null;
            /** @description At the record date; of a merger, all that ended. */
            shares: ApiNumber;
            /**
             * @description `external`: no account, the agent pays. `nothing`: less than the smallest unit, or a merger without cash. `unpaid`: the account took no money, which went back to who pays; the agent pays. `not_returned`: taken back, and no longer available.
             * @enum {string}
             */
            status: "entitled" | "due" | "external" | "nothing" | "paid" | "unpaid" | "returned" | "not_returned";
        };
        /**
         * @example {
         *       "reason": "The board has withdrawn its resolution."
         *     }
         */
        CorporateActionReason: {
            reason: string;
        };
        /**
         * @example {
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "action_type": "dividend",
         *       "record_date": "2026-12-01",
         *       "payment_date": "2026-12-15",
         *       "amount_per_share": 0.25,
         *       "currency": "USD",
         *       "description": "Quarterly cash dividend, fourth quarter of 2026"
         *     }
         */
        CorporateActionRequest: {
            /** @enum {string} */
            action_type: "dividend";
            amount_per_share: ApiNumber;
            currency: string;
            description: string;
            /** @description A day in New York, or a moment. A record date ends with its day, any other begins with it. */
            payment_date: string;
            /** @description A day in New York, or a moment. A record date ends with its day, any other begins with it. */
            record_date: string;
            /** Format: uuid */
            security_id: string;
        } | {
            /** @enum {string} */
            action_type: "stock_split";
            description: string;
            /** @description A day in New York, or a moment. A record date ends with its day, any other begins with it. */
            effective_date: string;
            /** @description Of `ratio_from` shares come `ratio_to`: 3-for-2 is from 2 to 3, a reverse split 1-for-10 is from 10 to 1. */
            ratio_from: ApiNumber;
            /** @description Of `ratio_from` shares come `ratio_to`: 3-for-2 is from 2 to 3, a reverse split 1-for-10 is from 10 to 1. */
            ratio_to: ApiNumber;
            /** Format: uuid */
            security_id: string;
        } | {
            /** @enum {string} */
            action_type: "name_change";
            asset_name?: string;
            cusip?: string;
            description: string;
            /** @description A day in New York, or a moment. A record date ends with its day, any other begins with it. */
            effective_date: string;
            isin?: string;
            /** Format: uuid */
            security_id: string;
        } | {
            /** @enum {string} */
            action_type: "share_cancellation";
            description: string;
            /** @description A day in New York, or a moment. A record date ends with its day, any other begins with it. */
            effective_date: string;
            /**
             * Format: uuid
             * @description Who gives shares back to the issuer.
             */
            holder_id: string;
            /** Format: uuid */
            security_id: string;
            shares: ApiNumber;
        } | {
            /** @enum {string} */
            action_type: "merger";
            /** @description What each share is paid with, in `currency`: every share ends, and the security is delisted. Where `stock` is left out, too, the venue tells of the merger and moves nothing. */
            cash_per_share?: ApiNumber;
            /** @description Into whom. */
            counterparty: string;
            currency?: string;
            description: string;
            /** @description A day in New York, or a moment. A record date ends with its day, any other begins with it. */
            effective_date: string;
            /** Format: uuid */
            security_id: string;
            stock?: components["schemas"]["MergerStockRequest"];
        };
        /**
         * @example {
         *       "webhook_id": "0199a3c8-8ead-72e9-9fdc-91ecaa1f8a0a",
         *       "url": "https://hooks.northwind-ats.com/exchange",
         *       "events": [
         *         "trade.executed",
         *         "settlement.finalized"
         *       ],
         *       "description": "Back office",
         *       "ordering": "none",
         *       "security_ids": null,
         *       "header_names": [
         *         "authorization"
         *       ],
         *       "status": "enabled",
         *       "disabled_reason": null,
         *       "disabled_at": null,
         *       "created_at": "2026-10-01T14:30:00.000Z",
         *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
         *     }
         */
        CreatedWebhook: components["schemas"]["Webhook"] & {
            /**
             * @description Signs what is sent, by the Standard Webhooks pattern. Shown this once.
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret: string;
        };
        /**
         * @example {
         *       "asset_name": "Lakeside Robotics Series B Preferred",
         *       "asset_type": "private_security",
         *       "security_class": "preferred_stock",
         *       "share_class": "Series B",
         *       "issuer_id": "LSR-0042",
         *       "issuer_name": "Lakeside Robotics, Inc.",
         *       "issuer_type": "private_corporation",
         *       "cusip": "037833100",
         *       "isin": "US0378331005",
         *       "currency": "USD",
         *       "last_valuation_price": 42.5,
         *       "last_valuation_date": "2026-06-30",
         *       "restrictions": {
         *         "legend_required": true,
         *         "rule_144_holding_period_met": false,
         *         "transfer_restrictions": "Right of first refusal of the issuer, 30 days.",
         *         "lock_up_expiry_date": null
         *       },
         *       "transfer_agent_id": "harbor-transfer-6f1c"
         *     }
         */
        CrossListRequest: {
            asset_name: string;
            /** @enum {string} */
            asset_type: "private_security";
            currency: string;
            /** @default null */
            cusip: string | null;
            /** @default null */
            isin: string | null;
            issuer_id: string;
            issuer_name: string;
            /** @enum {string} */
            issuer_type: "private_corporation" | "limited_liability_company" | "limited_partnership" | "public_company" | "sole_proprietorship" | "special_purpose_vehicle" | "trust";
            /** Format: date */
            last_valuation_date: string;
            last_valuation_price: ApiNumber;
            restrictions: {
                legend_required: boolean;
                /** Format: date */
                lock_up_expiry_date: string | null;
                rule_144_holding_period_met: boolean;
                transfer_restrictions: string;
            };
            /** @enum {string} */
            security_class: "common_stock" | "preferred_stock" | "membership_interest" | "partnership_interest" | "unit" | "note" | "trust_certificate" | "other";
            share_class: string;
            /**
             * @description Organization of the transfer agent that is asked to keep its register.
             * @default null
             */
            transfer_agent_id: string | null;
        };
        /**
         * @example {
         *       "delivery_id": "0199a3d0-9fbe-73fa-80ed-a2fdbb209b0b",
         *       "sequence": 17,
         *       "event_id": "0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07",
         *       "event_type": "settlement.finalized",
         *       "replay_of": null,
         *       "status": "delivered",
         *       "reason": null,
         *       "tries": 1,
         *       "created_at": "2026-10-05T16:02:41.000Z",
         *       "first_tried_at": "2026-10-05T16:02:41.010Z",
         *       "next_try_at": null,
         *       "ended_at": "2026-10-05T16:02:41.120Z"
         *     }
         */
        Delivery: {
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            delivery_id: string;
            /** Format: date-time */
            ended_at: string | null;
            event_id: string;
            event_type: string;
            /** Format: date-time */
            first_tried_at: string | null;
            /** Format: date-time */
            next_try_at: string | null;
            /** @enum {string|null} */
            reason: "owner" | "gone" | "failing" | "overflow" | "test_failed" | null;
            /** Format: uuid */
            replay_of: string | null;
            /** @description Place among the messages of the webhook: rising, with gaps. */
            sequence: ApiNumber;
            /** @enum {string} */
            status: "waiting" | "delivered" | "dead" | "skipped";
            tries: ApiNumber;
        };
        /**
         * @example {
         *       "delivery_id": "0199a3d0-9fbe-73fa-80ed-a2fdbb209b0b",
         *       "sequence": 17,
         *       "event_id": "0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07",
         *       "event_type": "settlement.finalized",
         *       "replay_of": null,
         *       "status": "delivered",
         *       "reason": null,
         *       "tries": 1,
         *       "created_at": "2026-10-05T16:02:41.000Z",
         *       "first_tried_at": "2026-10-05T16:02:41.010Z",
         *       "next_try_at": null,
         *       "ended_at": "2026-10-05T16:02:41.120Z",
         *       "payload": "{\"event_type\":\"settlement.finalized\",\"trade_id\":\"0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07\",\"status\":\"SETTLED\",\"tx_hash\":null}",
         *       "attempts": [
         *         {
         *           "at": "2026-10-05T16:02:41.010Z",
         *           "duration_ms": 110,
         *           "status": 204,
         *           "error": null,
         *           "response": ""
         *         }
         *       ]
         *     }
         */
        DeliveryDetail: {
            attempts: {
                /** Format: date-time */
                at: string;
                duration_ms: ApiNumber;
                /** @enum {string|null} */
                error: "status" | "redirect" | "timeout" | "unreachable" | "not_resolved" | "not_public" | "not_allowed" | null;
                /** @description The beginning of the answer’s body where the answer has the message’s `webhook-id` as a header of its own, else its media type. */
                response: string | null;
                /** @description HTTP status; null where there was no answer. */
                status: ApiNumber | null;
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            delivery_id: string;
            /** Format: date-time */
            ended_at: string | null;
            event_id: string;
            event_type: string;
            /** Format: date-time */
            first_tried_at: string | null;
            /** Format: date-time */
            next_try_at: string | null;
            /** @description The body, byte for byte. */
            payload: string;
            /** @enum {string|null} */
            reason: "owner" | "gone" | "failing" | "overflow" | "test_failed" | null;
            /** Format: uuid */
            replay_of: string | null;
            /** @description Place among the messages of the webhook: rising, with gaps. */
            sequence: ApiNumber;
            /** @enum {string} */
            status: "waiting" | "delivered" | "dead" | "skipped";
            tries: ApiNumber;
        };
        /**
         * @example {
         *       "delivery_id": "0199a3d0-9fbe-73fa-80ed-a2fdbb209b0b",
         *       "sequence": 17,
         *       "event_id": "0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07",
         *       "event_type": "settlement.finalized",
         *       "replay_of": null,
         *       "status": "delivered",
         *       "reason": null,
         *       "tries": 1,
         *       "created_at": "2026-10-05T16:02:41.000Z",
         *       "first_tried_at": "2026-10-05T16:02:41.010Z",
         *       "next_try_at": null,
         *       "ended_at": "2026-10-05T16:02:41.120Z",
         *       "payload": "{\"event_type\":\"settlement.finalized\",\"trade_id\":\"0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07\",\"status\":\"SETTLED\",\"tx_hash\":null}",
         *       "attempts": [
         *         {
         *           "at": "2026-10-05T16:02:41.010Z",
         *           "duration_ms": 110,
         *           "status": 204,
         *           "error": null,
         *           "response": ""
         *         }
         *       ],
         *       "recipients": null
         *     }
         */
        DeliveryNow: components["schemas"]["DeliveryDetail"] & {
            /** @description Of a trade: who is told of it, and who has taken it by now, you or others. The message says `pending` of all: it was made before. Null for other events. */
            recipients: {
                /**
                 * Format: date-time
                 * @description ISO 8601 in UTC, with milliseconds.
                 */
                delivered_at: string | null;
                /** @enum {string} */
                delivery_status: "pending" | "delivered";
                name: string;
                recipient_id: string;
                /** @enum {string} */
                role: "buyer_broker_dealer" | "seller_broker_dealer" | "transfer_agent" | "cross_lister";
            }[] | null;
        };
        /**
         * @example {
         *       "corporate_action_id": "0199a3d0-2f69-7ea5-9b98-5dae60db4c06",
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "asset_name": "Lakeside Robotics Series B Preferred",
         *       "action_status": "completed",
         *       "record_date": "2026-11-30",
         *       "payment_date": "2026-12-15",
         *       "amount_per_share": 0.25,
         *       "currency": "USD",
         *       "payee_id": "0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03",
         *       "name": "Juniper Capital LP",
         *       "shares": 100,
         *       "amount": 25,
         *       "status": "paid",
         *       "paid_at": "2026-12-15T05:03:00.000Z",
         *       "returned_at": null
         *     }
         */
        DividendHistoryEntry: {
            action_status: string;
            amount: ApiNumber | null;
            amount_per_share: ApiNumber;
            asset_name: string;
            /** Format: uuid */
            corporate_action_id: string;
            currency: string;
            name: string | null;
            /** Format: date-time */
            paid_at: string | null;
            payee_id: string;
            payment_date: string;
            record_date: string | null;
            /** Format: date-time */
            returned_at: string | null;
            /** Format: uuid */
            security_id: string;
            shares: ApiNumber;
            /** @enum {string} */
            status: "entitled" | "due" | "external" | "nothing" | "paid" | "unpaid" | "returned" | "not_returned";
        };
        /**
         * @example {
         *       "events": [
         *         {
         *           "webhook_event": {
         *             "event_id": "0199a3d5-6c8b-70c7-9dba-7fca82fd6e08",
         *             "event_type": "settlement.finalized",
         *             "endpoint": "https://partner.example-exchange.com/v1/events",
         *             "timestamp": "2026-10-05T16:02:41.000Z",
         *             "version": "1.0.0"
         *           },
         *           "trade_id": "0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07",
         *           "status": "SETTLED",
         *           "tx_hash": "0x9b1f0c6a4e2d8b73f5a1c09e7d64b28353fa0e1c7b96d4825e0fa3b1c68d7e42"
         *         }
         *       ],
         *       "next_after": "0199a3d5-6c8b-70c7-9dba-7fca82fd6e08"
         *     }
         */
        EventsList: {
            events: components["schemas"]["ListedEvent"][];
            /**
             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
             * @enum {boolean}
             */
            has_more?: true;
            /** @description `after` of your next request for the same types: the last event here, or a later one of another type. Null where nothing was told yet. */
            next_after: string | null;
        };
        /**
         * @example {
         *       "firm_name": "Harbor Transfer Co.",
         *       "sec_registration_number": "84-01234",
         *       "year": 2026,
         *       "as_of": "2027-01-01T04:59:59.999Z",
         *       "questions": "1-5, 11",
         *       "items": [
         *         {
         *           "question": "4(a)",
         *           "title": "Items received for transfer",
         *           "value": 212,
         *           "source": "venue",
         *           "rule": "17 CFR 240.17Ad-1(a)(1)"
         *         },
         *         {
         *           "question": "11(b)",
         *           "title": "Lost securityholder accounts remitted to the states",
         *           "value": null,
         *           "source": "agent",
         *           "rule": "17 CFR 240.17Ad-17"
         *         }
         *       ],
         *       "turnaround": [
         *         {
         *           "month": "2026-10",
         *           "received": 31,
         *           "in_time": 30,
         *           "late": 1,
         *           "open": 0,
         *           "compliant": true
         *         }
         *       ]
         *     }
         */
        FormTA2: {
            /**
             * Format: date-time
             * @description The end of the year in New York, or now.
             */
            as_of: string;
            firm_name: string;
            items: {
                /** @description Of Form TA-2, 17 CFR 249b.102. */
                question: string;
                rule: string | null;
                /** @enum {string} */
                source: "venue" | "agent";
                title: string;
                /** @description Null where the agent alone knows it. */
                value: ApiNumber | boolean | string | null;
            }[];
            /**
             * @description What has to be completed: the first where fewer than 1,000 items were received and no more than 1,000 accounts are kept, 17 CFR 240.17Ac2-2(a)(1), by what the venue knows.
             * @enum {string}
             */
            questions: "1-5, 11" | "all";
            sec_registration_number: string | null;
            turnaround: {
                /** @description At least 90 percent in time, 17 CFR 240.17Ad-2(a). */
                compliant: boolean;
                in_time: ApiNumber;
                late: ApiNumber;
                month: string;
                /** @description Not turned around, and not late yet. */
                open: ApiNumber;
                received: ApiNumber;
            }[];
            year: ApiNumber;
        };
        /**
         * @example {
         *       "holders": [
         *         {
         *           "holder_reference": "H-0007",
         *           "holder_name": "Priya Raman",
         *           "country": "US",
         *           "shares": 25000
         *         }
         *       ],
         *       "record_date": "2026-10-01"
         *     }
         */
        HolderImportRequest: {
            /** @description Fields of a row: holder_reference, holder_name, holder_kind, country, account_id, shares, cost, certificate_number, acquired_at, restriction_ends_at, legend. Up to 25000 rows. */
            holders: {
                [key: string]: string | ApiNumber | boolean | null;
            }[];
            /** @default null */
            notes: string | null;
            /**
             * Format: date
             * @default null
             */
            record_date: string | null;
        };
        /**
         * @example {
         *       "investor_id": "0199a3c4-9d20-7e31-8b44-1f6a2c9d0e02",
         *       "name": "Juniper Capital LP",
         *       "account_type": "entity",
         *       "country": "US",
         *       "us_person": true,
         *       "accounts": [
         *         {
         *           "account_id": "0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03",
         *           "kyc_status": "completed",
         *           "accreditation_status": "completed",
         *           "accreditation_type": "506c",
         *           "frozen": false,
         *           "created_at": "2026-10-01T15:10:00.000Z"
         *         }
         *       ],
         *       "created_at": "2026-10-01T15:08:00.000Z"
         *     }
         */
        Investor: {
            /** @enum {string} */
            account_type: "entity" | "individual";
            accounts: components["schemas"]["InvestorAccount"][];
            /** @example US */
            country: string;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            investor_id: string;
            name: string;
            us_person: boolean;
        };
        /**
         * @example {
         *       "account_id": "0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03",
         *       "kyc_status": "completed",
         *       "accreditation_status": "completed",
         *       "accreditation_type": "506c",
         *       "frozen": false,
         *       "created_at": "2026-10-01T15:10:00.000Z"
         *     }
         */
        InvestorAccount: {
            account_id: string;
            /** @enum {string} */
            accreditation_status: "none" | "pending" | "completed" | "expired";
            /** @enum {string|null} */
            accreditation_type: "506c" | "506b" | null;
            /** Format: date-time */
            created_at: string;
            frozen: boolean;
            /** @enum {string} */
            kyc_status: "pending" | "completed" | "rejected";
        };
        /**
         * @example {
         *       "key_id": "019b76da-a800-7000-8000-0000000000c1",
         *       "name": "FIX session of the desk",
         *       "scopes": [
         *         "read",
         *         "trade"
         *       ],
         *       "markets": [
         *         "LSRB-USD"
         *       ],
         *       "ip_allowlist": [
         *         "203.0.113.0/24"
         *       ],
         *       "status": "active",
         *       "created_at": "2026-10-01T15:12:00.000Z",
         *       "revoked_at": null,
         *       "expires_at": "2027-10-01T00:00:00.000Z",
         *       "last_used_on": "2026-10-02"
         *     }
         */
        InvestorKey: {
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends by itself, as stated or by the maximum of the venue; null for never.
             */
            expires_at: string | null;
            ip_allowlist: string[] | null;
            /**
             * Format: uuid
             * @description X-API-Key, and Username (553) of a FIX session.
             */
            key_id: string;
            /**
             * Format: date
             * @description The day of its last use, UTC; null for none.
             */
            last_used_on: string | null;
            /** @description Symbols of the order-book profile, and of FIX. */
            markets: string[];
            name: string;
            /** Format: date-time */
            revoked_at: string | null;
            scopes: ("read" | "trade")[];
            /** @enum {string} */
            status: "active" | "revoked";
        };
        /**
         * @example {
         *       "name": "FIX session of the desk",
         *       "scopes": [
         *         "read",
         *         "trade"
         *       ],
         *       "security_ids": [
         *         "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01"
         *       ],
         *       "ip_allowlist": [
         *         "203.0.113.0/24"
         *       ]
         *     }
         */
        InvestorKeyRequest: {
            /**
             * Format: date-time
             * @description When the key ends by itself; the venue may set a maximum.
             * @default null
             */
            expires_at: string | null;
            /** @default null */
            ip_allowlist: string[] | null;
            name: string;
            /**
             * @default [
             *       "read",
             *       "trade"
             *     ]
             */
            scopes: ("read" | "trade")[];
            /** @description Listed securities that it may trade, and nothing else. */
            security_ids: string[];
        };
        /**
         * @example {
         *       "key_id": "019b76da-a800-7000-8000-0000000000c1",
         *       "name": "FIX session of the desk",
         *       "scopes": [
         *         "read",
         *         "trade"
         *       ],
         *       "markets": [
         *         "LSRB-USD"
         *       ],
         *       "ip_allowlist": [
         *         "203.0.113.0/24"
         *       ],
         *       "status": "active",
         *       "created_at": "2026-10-01T15:12:00.000Z",
         *       "revoked_at": null,
         *       "expires_at": "2027-10-01T00:00:00.000Z",
         *       "last_used_on": "2026-10-02",
         *       "secret": "shown-once-9b1f4c2e7a"
         *     }
         */
        InvestorKeyWithSecret: components["schemas"]["InvestorKey"] & {
            /** @description X-API-Secret, and Password (554) of a FIX session. Shown this once. */
            secret: string;
        };
        InvestorRequest: {
            /** @enum {string} */
            account_type: "entity" | "individual";
            /**
             * @description ISO 3166-1 alpha-2, of residence or incorporation.
             * @example US
             */
            country: string;
            /** @example Juniper Capital LP */
            name: string;
            /** @description Whether it is a US person, 17 CFR 230.902(k). Who resides or is incorporated in the United States is one: `country` US and false is refused. */
            us_person: boolean;
        };
        /**
         * @example {
         *       "holder_reference": "H-0007",
         *       "holder_name": "Priya Raman",
         *       "holder_kind": "individual",
         *       "country": "US",
         *       "shares": 25000,
         *       "cost": 1000000,
         *       "certificate_number": "LSRB-1001",
         *       "acquired_at": "2026-10-01",
         *       "legend": true,
         *       "record_date": "2026-10-01",
         *       "notes": "Series B closing"
         *     }
         */
        IssuanceRequest: {
            account_id?: string | null;
            /** Format: date */
            acquired_at?: string | null;
            certificate_number?: string | null;
            /** @description US dollars paid. */
            cost?: ApiNumber | null;
            country?: string | null;
            /** @enum {string|null} */
            holder_kind?: "individual" | "entity" | null;
            holder_name?: string | null;
            /** @description Of a holder without an account, as you know them. */
            holder_reference?: string | null;
            legend?: boolean | null;
            /** @default null */
            notes: string | null;
            /**
             * Format: date
             * @default null
             */
            record_date: string | null;
            /**
             * Format: date
             * @description When the shares may be resold freely; null for now. By the hold of the offering, when left out.
             */
            restriction_ends_at?: string | null;
            shares: ApiNumber;
        };
        /**
         * @example {
         *       "dry_run": false,
         *       "rows": 1,
         *       "shares": 25000,
         *       "event": {
         *         "event_id": "0199a3d5-6c8b-70c7-9dba-7fca82fd6e08",
         *         "event_type": "issuance",
         *         "sequence": 1,
         *         "recorded_at": "2026-10-02T10:00:00.000Z",
         *         "record_date": "2026-10-01",
         *         "notes": "Series B closing"
         *       }
         *     }
         */
        IssuedShares: {
            dry_run: boolean;
            /** @description Null for a dry run. */
            event: components["schemas"]["RegisterEvent"] | null;
            rows: ApiNumber;
            /** @description Of an OCF document: stock whose cost is not stated, or not in US dollars. */
            rows_without_cost?: ApiNumber;
            shares: ApiNumber;
        };
        /**
         * @example {
         *       "$schema": "https://json-schema.org/draft/2020-12/schema",
         *       "type": "object"
         *     }
         */
        JsonSchema: {
            [key: string]: unknown;
        };
        /** @description The body of the webhook; GET /schemas/{event}.json has its shape. */
        ListedEvent: {
            webhook_event: {
                endpoint: string;
                event_id: string;
                /** @enum {string} */
                event_type: "trade.executed" | "settlement.recorded" | "settlement.finalized" | "transfer.initiated" | "transfer.completed" | "dividend.declared" | "corporate_action.announced" | "bridge.transfer.awaiting_funds" | "bridge.transfer.confirming" | "bridge.transfer.attesting" | "bridge.transfer.queued" | "bridge.transfer.challenge" | "bridge.transfer.co_signing" | "bridge.transfer.broadcast" | "bridge.transfer.confirmed" | "bridge.transfer.refundable" | "bridge.transfer.refund_broadcast" | "bridge.transfer.refunded" | "bridge.transfer.expired" | "bridge.transfer.paid_by_other" | "bridge.transfer.cancelling" | "bridge.transfer.uncovered" | "bridge.transfer.covered";
            } & {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "security_id": "0199a3c0-6c2f-7b21-8d30-4e6f908b2c0e",
         *       "ratio_from": 2,
         *       "ratio_to": 3,
         *       "restriction_ends_at": null
         *     }
         */
        MergerStock: {
            ratio_from: ApiNumber;
            ratio_to: ApiNumber;
            /**
             * Format: date-time
             * @description None of these shares is free before. Null where each lot keeps the end of what it was.
             */
            restriction_ends_at: string | null;
            /** Format: uuid */
            security_id: string;
        };
        /**
         * @description Shares of which security each holder gets, alone or beside the cash: every share ends, and the security is delisted.
         * @example {
         *       "security_id": "0199a3c0-6c2f-7b21-8d30-4e6f908b2c0e",
         *       "ratio_from": 2,
         *       "ratio_to": 3,
         *       "restriction_ends_at": null
         *     }
         */
        MergerStockRequest: {
            /** @description Of `ratio_from` shares come `ratio_to`: 3-for-2 is from 2 to 3, a reverse split 1-for-10 is from 10 to 1. */
            ratio_from: ApiNumber;
            /** @description Of `ratio_from` shares come `ratio_to`: 3-for-2 is from 2 to 3, a reverse split 1-for-10 is from 10 to 1. */
            ratio_to: ApiNumber;
            /**
             * @description A day in New York, which it begins with, or a moment. No share that holders get is free before: where the period of their lots begins anew (17 CFR 230.144(d)(3)(viii)). Null: each lot keeps its end.
             * @default null
             */
            restriction_ends_at: string | null;
            /**
             * Format: uuid
             * @description The surviving security: you are its agent, too.
             */
            security_id: string;
        };
        /**
         * @example {
         *       "manifest": {
         *         "ocf_version": "1.2.1-alpha+main",
         *         "file_type": "OCF_MANIFEST_FILE",
         *         "as_of": "2026-10-05",
         *         "transactions_files": [
         *           {
         *             "filepath": "./Transactions.ocf.json",
         *             "md5": "c3e68dd645c6ab810f036923706355c8"
         *           }
         *         ]
         *       },
         *       "files": {
         *         "./Stakeholders.ocf.json": {
         *           "file_type": "OCF_STAKEHOLDERS_FILE",
         *           "items": [
         *             {
         *               "object_type": "STAKEHOLDER",
         *               "id": "0199a3d5-7d9c-71d8-8ecb-80db930e7f09",
         *               "name": {
         *                 "legal_name": "Priya Raman"
         *               },
         *               "stakeholder_type": "INDIVIDUAL",
         *               "issuer_assigned_id": "H-0007"
         *             }
         *           ]
         *         },
         *         "./Transactions.ocf.json": {
         *           "file_type": "OCF_TRANSACTIONS_FILE",
         *           "items": [
         *             {
         *               "object_type": "TX_STOCK_ISSUANCE",
         *               "id": "0199a3d5-6c8b-70c7-9dba-7fca82fd6e08.1:issuance",
         *               "security_id": "0199a3d5-6c8b-70c7-9dba-7fca82fd6e08.1",
         *               "date": "2026-10-01",
         *               "security_law_exemptions": [],
         *               "stakeholder_id": "0199a3d5-7d9c-71d8-8ecb-80db930e7f09",
         *               "custom_id": "LSRB-1001",
         *               "stock_class_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *               "share_price": {
         *                 "amount": "40",
         *                 "currency": "USD"
         *               },
         *               "quantity": "25000",
         *               "stock_legend_ids": []
         *             }
         *           ]
         *         }
         *       }
         *     }
         */
        OpenCapTable: {
            /** @description By the path under which the manifest names them. */
            files: {
                [key: string]: {
                    file_type: string;
                    items?: ({
                        id: string;
                        object_type: string;
                    } & {
                        [key: string]: unknown;
                    })[] | null;
                };
            };
            /** @description OCF_MANIFEST_FILE. An import does not read it. */
            manifest?: {
                [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "order_id": "0199a3d0-2f69-7ea5-9b98-5dae60db4c06",
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "side": "buy",
         *       "order_type": "limit",
         *       "quantity": 100,
         *       "price": 43.5,
         *       "time_in_force": "day",
         *       "investor_id": "0199a3c4-9d20-7e31-8b44-1f6a2c9d0e02",
         *       "account_id": "0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03",
         *       "broker_dealer": {
         *         "firm_name": "Juniper Securities LLC",
         *         "crd_number": "123456"
         *       },
         *       "stop_price": null,
         *       "expires_at": "2026-10-06T04:00:00.000Z",
         *       "status": "filled",
         *       "filled_quantity": 100,
         *       "average_price": 43.25,
         *       "reason": null,
         *       "created_at": "2026-10-05T14:31:07.412Z"
         *     }
         */
        PartnerOrder: {
            account_id: string;
            /** @description Of what has been filled. */
            average_price: ApiNumber | null;
            broker_dealer: components["schemas"]["BrokerDealer"];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Of a day order, and of `gtd`.
             */
            expires_at: string | null;
            filled_quantity: ApiNumber;
            /** Format: uuid */
            investor_id: string;
            /** Format: uuid */
            order_id: string;
            /**
             * @description An order that a key of the account has placed may be of any type of the exchange.
             * @enum {string}
             */
            order_type: "market" | "limit" | "stop_loss" | "stop_loss_limit" | "take_profit" | "take_profit_limit" | "limit_maker";
            price: ApiNumber | null;
            quantity: ApiNumber;
            /** @description Why it was rejected, cancelled or has expired. */
            reason: string | null;
            /** Format: uuid */
            security_id: string;
            /** @enum {string} */
            side: "buy" | "sell";
            /** @enum {string} */
            status: "pending" | "open" | "partially_filled" | "filled" | "cancelled" | "rejected" | "expired";
            /** @description Of an order that waits for its trigger. */
            stop_price: ApiNumber | null;
            /** @description Of what has been filled, what an agent or an operator has taken back since. Left out for none. */
            taken_back_quantity?: ApiNumber;
            /**
             * @description `gtd` and `post_only` are those of orders that a key of the account has placed.
             * @enum {string}
             */
            time_in_force: "day" | "gtc" | "ioc" | "fok" | "gtd" | "post_only";
        };
        /**
         * @example {
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "side": "buy",
         *       "order_type": "limit",
         *       "quantity": 100,
         *       "price": 43.5,
         *       "time_in_force": "day",
         *       "investor_id": "0199a3c4-9d20-7e31-8b44-1f6a2c9d0e02",
         *       "account_id": "0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03",
         *       "broker_dealer": {
         *         "firm_name": "Juniper Securities LLC",
         *         "crd_number": "123456"
         *       }
         *     }
         */
        PartnerOrderRequest: {
            /**
             * Format: uuid
             * @description Of the investor.
             */
            account_id: string;
            broker_dealer: components["schemas"]["BrokerDealer"];
            /** Format: uuid */
            investor_id: string;
            /** @enum {string} */
            order_type: "limit" | "market";
            /** @description Of limit orders. */
            price?: ApiNumber;
            quantity: ApiNumber;
            /** Format: uuid */
            security_id: string;
            /** @enum {string} */
            side: "buy" | "sell";
            /**
             * @description `day`, until the day ends in New York; of market orders `ioc`, and no other.
             * @enum {string}
             */
            time_in_force?: "day" | "gtc" | "ioc" | "fok";
        };
        /**
         * @example {
         *       "account_id": "0199a3c5-1c58-7d94-8a87-4c9d5fca3b05",
         *       "amount_max": 25000
         *     }
         */
        PaymentAccount: {
            /** @description Of an investor whom you have introduced. */
            account_id: string;
            /**
             * @description More than this is not paid without another consent. Null for no bound.
             * @default null
             */
            amount_max: ApiNumber | null;
        };
        /**
         * @example {
         *       "bid": 43.1,
         *       "ask": 43.6,
         *       "last": 43.25,
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "timestamp": "2026-10-05T14:31:08.000Z"
         *     }
         */
        Quote: components["schemas"]["SecurityQuote"] & {
            /** Format: uuid */
            security_id: string;
            /** Format: date-time */
            timestamp: string;
        };
        /**
         * @example {
         *       "version": "edge.receipt.v1",
         *       "settlement": {
         *         "tradeId": "0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07",
         *         "assetId": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *         "currency": "usd",
         *         "quantity": 100,
         *         "price": 4325,
         *         "notional": 43250000,
         *         "buyerCommitment": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
         *         "sellerCommitment": "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",
         *         "executedAt": 1791210667418
         *       },
         *       "parties": [
         *         {
         *           "party": "buyer",
         *           "account": "0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03",
         *           "salt": "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
         *         }
         *       ],
         *       "inclusion": {
         *         "index": 1,
         *         "path": [
         *           "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
         *         ]
         *       },
         *       "headers": [
         *         {
         *           "committee": "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
         *           "height": 1204,
         *           "parent": "0000000000000000000000000000000000000000000000000000000000000000",
         *           "slot": 1791210667419,
         *           "firstRow": 40001,
         *           "lastRow": 40004,
         *           "journalHash": "1111111111111111111111111111111111111111111111111111111111111111",
         *           "settlements": 2,
         *           "settlementsRoot": "2222222222222222222222222222222222222222222222222222222222222222",
         *           "booksRoot": "3333333333333333333333333333333333333333333333333333333333333333"
         *         }
         *       ],
         *       "certificate": {
         *         "height": 1204,
         *         "hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         *         "votes": [
         *           {
         *             "member": 0,
         *             "signature": "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
         *           },
         *           {
         *             "member": 1,
         *             "signature": "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001"
         *           },
         *           {
         *             "member": 2,
         *             "signature": "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000002"
         *           },
         *           {
         *             "member": 3,
         *             "signature": "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003"
         *           },
         *           {
         *             "member": 4,
         *             "signature": "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000004"
         *           },
         *           {
         *             "member": 5,
         *             "signature": "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000005"
         *           },
         *           {
         *             "member": 6,
         *             "signature": "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000006"
         *           },
         *           {
         *             "member": 7,
         *             "signature": "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000007"
         *           },
         *           {
         *             "member": 8,
         *             "signature": "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000008"
         *           },
         *           {
         *             "member": 9,
         *             "signature": "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000009"
         *           },
         *           {
         *             "member": 10,
         *             "signature": "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000a"
         *           },
         *           {
         *             "member": 11,
         *             "signature": "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000b"
         *           },
         *           {
         *             "member": 12,
         *             "signature": "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000c"
         *           },
         *           {
         *             "member": 13,
         *             "signature": "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000d"
         *           },
         *           {
         *             "member": 14,
         *             "signature": "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000e"
         *           },
         *           {
         *             "member": 15,
         *             "signature": "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000f"
         *           }
         *         ]
         *       },
         *       "committee": {
         *         "epoch": 1,
         *         "keys": [
         *           "0000000000000000000000000000000000000000000000000000000000000000",
         *           "0000000000000000000000000000000000000000000000000000000000000001",
         *           "0000000000000000000000000000000000000000000000000000000000000002",
         *           "0000000000000000000000000000000000000000000000000000000000000003",
         *           "0000000000000000000000000000000000000000000000000000000000000004",
         *           "0000000000000000000000000000000000000000000000000000000000000005",
         *           "0000000000000000000000000000000000000000000000000000000000000006",
         *           "0000000000000000000000000000000000000000000000000000000000000007",
         *           "0000000000000000000000000000000000000000000000000000000000000008",
         *           "0000000000000000000000000000000000000000000000000000000000000009",
         *           "000000000000000000000000000000000000000000000000000000000000000a",
         *           "000000000000000000000000000000000000000000000000000000000000000b",
         *           "000000000000000000000000000000000000000000000000000000000000000c",
         *           "000000000000000000000000000000000000000000000000000000000000000d",
         *           "000000000000000000000000000000000000000000000000000000000000000e",
         *           "000000000000000000000000000000000000000000000000000000000000000f",
         *           "0000000000000000000000000000000000000000000000000000000000000010",
         *           "0000000000000000000000000000000000000000000000000000000000000011",
         *           "0000000000000000000000000000000000000000000000000000000000000012",
         *           "0000000000000000000000000000000000000000000000000000000000000013"
         *         ]
         *       }
         *     }
         */
        Receipt: {
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
        /**
         * @example {
         *       "holder_id": "0199a3d5-7d9c-71d8-8ecb-80db930e7f09",
         *       "reference": "account:0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03",
         *       "account_id": "0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03",
         *       "name": "Juniper Capital LP",
         *       "holder_kind": "individual",
         *       "country": null,
         *       "shares": 100,
         *       "pending_shares": 0
         *     }
         */
        RegisteredHolder: {
            account_id: string | null;
            country: string | null;
            /** Format: uuid */
            holder_id: string;
            /** @enum {string} */
            holder_kind: "individual" | "entity";
            name: string;
            /** @description What trades, and what was taken back, add or take that is not recorded yet; now. Both together are what the holder has in the ledger. */
            pending_shares: ApiNumber;
            reference: string;
            shares: ApiNumber;
        };
        /**
         * @example {
         *       "event_id": "0199a3d5-6c8b-70c7-9dba-7fca82fd6e08",
         *       "event_type": "issuance",
         *       "sequence": 1,
         *       "recorded_at": "2026-10-02T10:00:00.000Z",
         *       "record_date": "2026-10-01",
         *       "notes": "Series B closing"
         *     }
         */
        RegisterEvent: {
            /** Format: uuid */
            event_id: string;
            /** @enum {string} */
            event_type: "issuance" | "cancellation" | "import" | "transfer" | "reversal" | "split" | "merger" | "conversion";
            notes: string | null;
            record_date: string | null;
            /** Format: date-time */
            recorded_at: string;
            /** @description Place in the register, from 1 on without gaps. */
            sequence: ApiNumber;
        };
        /**
         * @example {
         *       "event_id": "0199a3d5-6c8b-70c7-9dba-7fca82fd6e08",
         *       "event_type": "issuance",
         *       "sequence": 1,
         *       "recorded_at": "2026-10-02T10:00:00.000Z",
         *       "record_date": "2026-10-01",
         *       "notes": "Series B closing",
         *       "outstanding_change": 25000,
         *       "line_count": 1,
         *       "lines": [
         *         {
         *           "holder_id": "0199a3d5-7d9c-71d8-8ecb-80db930e7f09",
         *           "name": "Priya Raman",
         *           "shares": 25000,
         *           "certificate_number": "LSRB-1001",
         *           "legend_applied": true
         *         }
         *       ]
         *     }
         */
        RegisterHistoryEvent: components["schemas"]["RegisterEvent"] & {
            line_count: ApiNumber;
            /** @description The first 20. */
            lines: {
                certificate_number: string | null;
                /** Format: uuid */
                holder_id: string;
                legend_applied: boolean;
                name: string;
                shares: ApiNumber;
            }[];
            outstanding_change: ApiNumber;
        };
        /**
         * @example {
         *       "replayed": 1000,
         *       "next_sequence": 1018
         *     }
         */
        Replayed: {
            /** @description Null where the range is done. */
            next_sequence: ApiNumber | null;
            replayed: ApiNumber;
        };
        ReplayRange: {
            /**
             * @description `next_sequence` of the answer before, for the rest of the range.
             * @default 0
             */
            after_sequence: ApiNumber;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
        };
        /**
         * @description In effect: the agent’s where it has stated one.
         * @example {
         *       "legend_required": true,
         *       "rule_144_holding_period_met": false,
         *       "transfer_restrictions": "Right of first refusal of the issuer, 30 days.",
         *       "lock_up_expiry_date": null
         *     }
         */
        Restrictions: {
            legend_required: boolean;
            /** Format: date */
            lock_up_expiry_date: string | null;
            rule_144_holding_period_met: boolean;
            transfer_restrictions: string;
        };
        /**
         * @example {
         *       "legend_required": true,
         *       "rule_144_holding_period_met": false,
         *       "transfer_restrictions": "Right of first refusal of the issuer, 30 days.",
         *       "lock_up_expiry_date": "2027-03-01",
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "lister_restrictions": {
         *         "legend_required": true,
         *         "rule_144_holding_period_met": false,
         *         "transfer_restrictions": "Right of first refusal of the issuer, 30 days.",
         *         "lock_up_expiry_date": null
         *       },
         *       "agent_restrictions": {
         *         "lock_up_expiry_date": "2027-03-01"
         *       }
         *     }
         */
        RestrictionsInEffect: components["schemas"]["Restrictions"] & {
            agent_restrictions: components["schemas"]["AgentRestrictions"] | null;
            lister_restrictions: components["schemas"]["Restrictions"];
            /** Format: uuid */
            security_id: string;
        };
        /**
         * @example {
         *       "legend_required": true,
         *       "rule_144_holding_period_met": false,
         *       "transfer_restrictions": "Right of first refusal of the issuer, 30 days.",
         *       "lock_up_expiry_date": null
         *     }
         */
        RestrictionsRequest: {
            legend_required?: boolean;
            /** Format: date */
            lock_up_expiry_date?: string | null;
            rule_144_holding_period_met?: boolean;
            transfer_restrictions?: string;
        };
        RotatedSecret: {
            /**
             * Format: date-time
             * @description Until then the former signs, too.
             */
            former_secret_ends_at: string;
            /**
             * @description Signs what is sent, by the Standard Webhooks pattern. Shown this once.
             * @example whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD
             */
            secret: string;
            /** Format: uuid */
            webhook_id: string;
        };
        /**
         * @example {
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "status": "listed",
         *       "status_reason": null,
         *       "asset_name": "Lakeside Robotics Series B Preferred",
         *       "asset_type": "private_security",
         *       "security_class": "preferred_stock",
         *       "share_class": "Series B",
         *       "issuer_id": "LSR-0042",
         *       "issuer_name": "Lakeside Robotics, Inc.",
         *       "issuer_type": "private_corporation",
         *       "cusip": "037833100",
         *       "isin": "US0378331005",
         *       "currency": "USD",
         *       "last_valuation_price": 42.5,
         *       "last_valuation_date": "2026-06-30",
         *       "restrictions": {
         *         "legend_required": true,
         *         "rule_144_holding_period_met": false,
         *         "transfer_restrictions": "Right of first refusal of the issuer, 30 days.",
         *         "lock_up_expiry_date": "2027-03-01"
         *       },
         *       "transfer_agent_id": "harbor-transfer-6f1c",
         *       "lister_restrictions": {
         *         "legend_required": true,
         *         "rule_144_holding_period_met": false,
         *         "transfer_restrictions": "Right of first refusal of the issuer, 30 days.",
         *         "lock_up_expiry_date": null
         *       },
         *       "agent_restrictions": {
         *         "lock_up_expiry_date": "2027-03-01"
         *       },
         *       "transfer_agent_state": "accepted",
         *       "symbol": "LSRB",
         *       "market": "LSRB-USD",
         *       "created_at": "2026-10-01T14:02:11.000Z",
         *       "updated_at": "2026-10-02T09:30:00.000Z"
         *     }
         */
        Security: {
            agent_restrictions: components["schemas"]["AgentRestrictions"] | null;
            asset_name: string;
            /** @enum {string} */
            asset_type: "private_security";
            /** Format: date-time */
            created_at: string;
            currency: string;
            cusip: string | null;
            isin: string | null;
            issuer_id: string;
            issuer_name: string;
            /** @enum {string} */
            issuer_type: "private_corporation" | "limited_liability_company" | "limited_partnership" | "public_company" | "sole_proprietorship" | "special_purpose_vehicle" | "trust";
            /** Format: date */
            last_valuation_date: string;
            last_valuation_price: ApiNumber;
            lister_restrictions: components["schemas"]["Restrictions"];
            /** @description Symbol of its order book; null until it is listed. */
            market: string | null;
            restrictions: components["schemas"]["Restrictions"];
            /** @enum {string} */
            security_class: "common_stock" | "preferred_stock" | "membership_interest" | "partnership_interest" | "unit" | "note" | "trust_certificate" | "other";
            /** Format: uuid */
            security_id: string;
            share_class: string;
            /** @enum {string} */
            status: "submitted" | "listed" | "halted" | "refused" | "delisted";
            status_reason: string | null;
            symbol: string | null;
            transfer_agent_id: string | null;
            /** @enum {string|null} */
            transfer_agent_state: "proposed" | "accepted" | "declined" | null;
            /** Format: date-time */
            updated_at: string;
        };
        /**
         * @example {
         *       "last_valuation_price": 44.25,
         *       "last_valuation_date": "2026-09-30"
         *     }
         */
        SecurityEdit: {
            /** Format: date */
            last_valuation_date?: string;
            last_valuation_price?: ApiNumber;
            restrictions?: components["schemas"]["RestrictionsRequest"];
            transfer_agent_id?: string | null;
        };
        /**
         * @example {
         *       "bid": 43.1,
         *       "ask": 43.6,
         *       "last": 43.25
         *     }
         */
        SecurityQuote: {
            ask: ApiNumber | null;
            bid: ApiNumber | null;
            /** @description Last trade; null before the first. */
            last: ApiNumber | null;
        };
        /**
         * @example {
         *       "reason": "The issuer has announced material news."
         *     }
         */
        SecurityReason: {
            reason: string;
        };
        /**
         * @example {
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "status": "listed",
         *       "status_reason": null,
         *       "asset_name": "Lakeside Robotics Series B Preferred",
         *       "asset_type": "private_security",
         *       "security_class": "preferred_stock",
         *       "share_class": "Series B",
         *       "issuer_id": "LSR-0042",
         *       "issuer_name": "Lakeside Robotics, Inc.",
         *       "issuer_type": "private_corporation",
         *       "cusip": "037833100",
         *       "isin": "US0378331005",
         *       "currency": "USD",
         *       "last_valuation_price": 42.5,
         *       "last_valuation_date": "2026-06-30",
         *       "restrictions": {
         *         "legend_required": true,
         *         "rule_144_holding_period_met": false,
         *         "transfer_restrictions": "Right of first refusal of the issuer, 30 days.",
         *         "lock_up_expiry_date": "2027-03-01"
         *       },
         *       "transfer_agent_id": "harbor-transfer-6f1c",
         *       "lister_restrictions": {
         *         "legend_required": true,
         *         "rule_144_holding_period_met": false,
         *         "transfer_restrictions": "Right of first refusal of the issuer, 30 days.",
         *         "lock_up_expiry_date": null
         *       },
         *       "agent_restrictions": {
         *         "lock_up_expiry_date": "2027-03-01"
         *       },
         *       "transfer_agent_state": "accepted",
         *       "symbol": "LSRB",
         *       "market": "LSRB-USD",
         *       "created_at": "2026-10-01T14:02:11.000Z",
         *       "updated_at": "2026-10-02T09:30:00.000Z",
         *       "quote": {
         *         "bid": 43.1,
         *         "ask": 43.6,
         *         "last": 43.25
         *       }
         *     }
         */
        SecurityWithQuote: components["schemas"]["Security"] & {
            quote: components["schemas"]["SecurityQuote"] | null;
        };
        /**
         * @example {
         *       "settlement_id": "0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07",
         *       "trade_id": "0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07",
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "status": "SETTLED",
         *       "settlement_type": "bilateral",
         *       "number_of_shares": 100,
         *       "price_per_share": 43.25,
         *       "gross_trade_amount": 4325,
         *       "settlement_currency": "USD",
         *       "buyer": {
         *         "investor_id": "0199a3c4-9d20-7e31-8b44-1f6a2c9d0e02",
         *         "account_id": "0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03",
         *         "broker_dealer": {
         *           "firm_name": "Juniper Securities LLC",
         *           "crd_number": "123456"
         *         }
         *       },
         *       "seller": {
         *         "investor_id": "0199a3c5-0e47-7c83-8f76-3b8c4ebf2a04",
         *         "account_id": "0199a3c5-1c58-7d94-8a87-4c9d5fca3b05",
         *         "broker_dealer": {
         *           "firm_name": "Northwind Securities LLC",
         *           "crd_number": "654321"
         *         }
         *       },
         *       "executed_at": "2026-10-05T14:31:07.418Z",
         *       "settled_at": "2026-10-05T16:02:40.000Z",
         *       "reversed_at": null,
         *       "reversal_reason": null,
         *       "reversed_by": null,
         *       "adjustment": null,
         *       "finality": "final",
         *       "finality_members": "embedded",
         *       "blockchain_transaction_id": "0x9b1f0c6a4e2d8b73f5a1c09e7d64b28353fa0e1c7b96d4825e0fa3b1c68d7e42"
         *     }
         */
        Settlement: {
            /** @description What was made of the trade since it was executed; price and amount above are those of the trade. */
            adjustment: components["schemas"]["SettlementAdjustment"] | null;
            /** @description SHA-256 of the settlement record: under it the registry on chain knows the settlement. */
            blockchain_transaction_id: string;
            buyer: components["schemas"]["SettlementParty"];
            /** Format: date-time */
            executed_at: string;
            /**
             * @description `final`: 16 of the committee’s 20 members have voted for its block; who these are, `finality_members` says. It is a record that stays: an operator may still take the trade back or correct it, which is recorded in a later block. `checkpoint_final`: its block stands in a checkpoint with a hybrid certificate, too. `pending`: in no final block yet. Null: not known at present.
             * @enum {string|null}
             */
            finality: "pending" | "final" | "checkpoint_final" | null;
            /**
             * @description Who the members of that committee are. `embedded`: all twenty in one object of the venue, by one secret, so that `final` is the venue’s own word. `objects`: each in an object of the venue’s, with a key of its own. `places`: some or all in processes of their own. Null while it is not final, and where it is not known.
             * @enum {string|null}
             */
            finality_members: "embedded" | "objects" | "places" | null;
            gross_trade_amount: ApiNumber;
            number_of_shares: ApiNumber;
            price_per_share: ApiNumber;
            reversal_reason: string | null;
            /** Format: date-time */
            reversed_at: string | null;
            /** @enum {string|null} */
            reversed_by: "transfer_agent" | "operator" | null;
            /** Format: uuid */
            security_id: string;
            seller: components["schemas"]["SettlementParty"];
            /** Format: date-time */
            settled_at: string | null;
            settlement_currency: string;
            /**
             * Format: uuid
             * @description Of its trade, too.
             */
            settlement_id: string;
            /** @enum {string} */
            settlement_type: "bilateral";
            /**
             * @description `pending` until its transfer is completed, where an agent keeps the register; SETTLED at once where none does. `recorded` and FAILED are of the chain.
             * @enum {string}
             */
            status: "pending" | "recorded" | "SETTLED" | "FAILED" | "REVERSED";
            /** Format: uuid */
            trade_id: string;
        };
        /**
         * @example {
         *       "type": "correction",
         *       "price_per_share": 43.2,
         *       "gross_trade_amount": 4320,
         *       "reason": "entered at the wrong price",
         *       "adjusted_at": "2026-10-05T15:10:00.000Z"
         *     }
         */
        SettlementAdjustment: {
            /** Format: date-time */
            adjusted_at: string;
            gross_trade_amount: ApiNumber | null;
            /** @description What it stands at; null of a bust. */
            price_per_share: ApiNumber | null;
            reason: string;
            /**
             * @description `bust`: the trade was taken back, and nothing of it stands. `correction`: it stands at another price.
             * @enum {string}
             */
            type: "bust" | "correction";
        };
        /**
         * @example {
         *       "investor_id": "0199a3c4-9d20-7e31-8b44-1f6a2c9d0e02",
         *       "account_id": "0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03",
         *       "broker_dealer": {
         *         "firm_name": "Juniper Securities LLC",
         *         "crd_number": "123456"
         *       }
         *     }
         */
        SettlementParty: {
            account_id: string;
            broker_dealer: {
                crd_number: string;
                firm_name: string;
            };
            investor_id: string;
        };
        /**
         * @example {
         *       "settlement_id": "0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07",
         *       "transactions": [
         *         {
         *           "tx_hash": "0x9b1f0c6a4e2d8b73f5a1c09e7d64b28353fa0e1c7b96d4825e0fa3b1c68d7e42",
         *           "block_number": 5120,
         *           "submitted_at": "2026-10-05T14:31:09.000Z",
         *           "explorer_link": "https://explorer.example.com/tx/0x9b1f0c6a4e2d8b73f5a1c09e7d64b28353fa0e1c7b96d4825e0fa3b1c68d7e42"
         *         }
         *       ]
         *     }
         */
        SettlementTransactions: {
            /** Format: uuid */
            settlement_id: string;
            transactions: {
                block_number: ApiNumber;
                /** Format: uri */
                explorer_link: string | null;
                /**
                 * Format: date-time
                 * @description Time of its block.
                 */
                submitted_at: string;
                tx_hash: string;
            }[];
        };
        /**
         * @example {
         *       "settlement_id": "0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07",
         *       "blockchain_transaction_id": "0x9b1f0c6a4e2d8b73f5a1c09e7d64b28353fa0e1c7b96d4825e0fa3b1c68d7e42",
         *       "status": "verified",
         *       "settlement_status": "SETTLED",
         *       "adjustment": null,
         *       "finality": "final",
         *       "finality_members": "embedded",
         *       "block": {
         *         "height": 1204,
         *         "hash": "0x9b1f0c6a4e2d8b73f5a1c09e7d64b28353fa0e1c7b96d4825e0fa3b1c68d7e42",
         *         "slot": "2026-10-05T14:31:07.419Z"
         *       },
         *       "registry_address": "0x7B7B2d98E2376A06FD1E9A25529120D74b93F73f",
         *       "explorer_links": [
         *         "https://explorer.example.com/tx/0x9b1f0c6a4e2d8b73f5a1c09e7d64b28353fa0e1c7b96d4825e0fa3b1c68d7e42"
         *       ]
         *     }
         */
        SettlementVerification: {
            adjustment: components["schemas"]["VerifiedAdjustment"] | null;
            /** @description The final block that has it, and the millisecond that the block is of. GET …/receipt proves it. */
            block: {
                hash: string;
                height: ApiNumber;
                /** Format: date-time */
                slot: string;
            } | null;
            blockchain_transaction_id: string;
            explorer_links: string[];
            /**
             * @description `final`: 16 of the committee’s 20 members have voted for its block; who these are, `finality_members` says. It is a record that stays: an operator may still take the trade back or correct it, which is recorded in a later block. `checkpoint_final`: its block stands in a checkpoint with a hybrid certificate, too. `pending`: in no final block yet. Null: not known at present.
             * @enum {string|null}
             */
            finality: "pending" | "final" | "checkpoint_final" | null;
            /**
             * @description Who the members of that committee are. `embedded`: all twenty in one object of the venue, by one secret, so that `final` is the venue’s own word. `objects`: each in an object of the venue’s, with a key of its own. `places`: some or all in processes of their own. Null while it is not final, and where it is not known.
             * @enum {string|null}
             */
            finality_members: "embedded" | "objects" | "places" | null;
            /** @description Where anybody can read it: `getTxsByUUID(settlement_id)`. Null where the venue has no registry. */
            registry_address: string | null;
            /** Format: uuid */
            settlement_id: string;
            /**
             * @description What has become of the settlement: REVERSED where its trade was taken back, whatever `status` says of the record.
             * @enum {string}
             */
            settlement_status: "pending" | "recorded" | "SETTLED" | "FAILED" | "REVERSED";
            /**
             * @description What the registry on chain says, read for this answer. `verified`: it has this record under the trade’s id. `not_recorded`: nothing of the trade yet. `mismatch`: something of it, and not this record. `unavailable`: the chain does not answer.
             * @enum {string}
             */
            status: "not_recorded" | "verified" | "mismatch" | "unavailable";
        };
        /**
         * @example {
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "asset_name": "Lakeside Robotics Series B Preferred",
         *       "issuer_name": "Lakeside Robotics, Inc.",
         *       "security_class": "preferred_stock",
         *       "share_class": "Series B",
         *       "as_of": "2026-12-31T23:59:59.999Z",
         *       "sequence": 3,
         *       "shares_outstanding": 25000,
         *       "holders": [
         *         {
         *           "holder_id": "0199a3d5-7d9c-71d8-8ecb-80db930e7f09",
         *           "reference": "H-0007",
         *           "account_id": null,
         *           "name": "Priya Raman",
         *           "holder_kind": "individual",
         *           "country": "US",
         *           "shares": 24900,
         *           "percent": 99.6,
         *           "certificates": "LSRB-1001",
         *           "has_more_certificates": false,
         *           "legend": true
         *         }
         *       ]
         *     }
         */
        ShareholderRegister: {
            /** Format: date-time */
            as_of: string | null;
            asset_name: string;
            /**
             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
             * @enum {boolean}
             */
            has_more?: true;
            holders: {
                account_id: string | null;
                /** @description The first 20, with blanks between. */
                certificates: string | null;
                country: string | null;
                /** @description Whether lines of the holder name more than these: the history of the register has them all. */
                has_more_certificates: boolean;
                /** Format: uuid */
                holder_id: string;
                /** @enum {string} */
                holder_kind: "individual" | "entity";
                legend: boolean;
                name: string;
                /** @description Of what is outstanding, cut off behind four decimals. */
                percent: ApiNumber;
                reference: string;
                shares: ApiNumber;
            }[];
            issuer_name: string;
            security_class: string;
            /** Format: uuid */
            security_id: string;
            /** @description Place of the register that all pages show. */
            sequence: ApiNumber;
            share_class: string;
            shares_outstanding: ApiNumber;
        };
        /**
         * @example {
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "trades": [
         *         {
         *           "trade_id": "0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07",
         *           "sequence": 27,
         *           "price": 43.25,
         *           "quantity": 100,
         *           "side": "buy",
         *           "executed_at": "2026-10-05T14:31:07.418Z",
         *           "status": "executed",
         *           "corrected_price": null,
         *           "adjusted_at": null
         *         }
         *       ]
         *     }
         */
        Trades: {
            /**
             * @description The list goes on: the next page is in the Link header. Left out where it ends here.
             * @enum {boolean}
             */
            has_more?: true;
            /** Format: uuid */
            security_id: string;
            trades: {
                /**
                 * Format: date-time
                 * @description When it was taken back or corrected.
                 */
                adjusted_at: string | null;
                /** @description What it stands at; null unless it was corrected. */
                corrected_price: ApiNumber | null;
                /** Format: date-time */
                executed_at: string;
                price: ApiNumber;
                quantity: ApiNumber;
                /** @description Gapless within the security. */
                sequence: ApiNumber;
                /**
                 * @description Of the taker.
                 * @enum {string}
                 */
                side: "buy" | "sell";
                /**
                 * @description Whether the trade was taken back (nothing of it stands) or stands at another price since.
                 * @enum {string}
                 */
                status: "executed" | "bust" | "correction";
                /** Format: uuid */
                trade_id: string;
            }[];
        };
        /**
         * @example {
         *       "acknowledged": true,
         *       "transfer_instruction_id": "0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07",
         *       "record_date": "2026-10-05",
         *       "units_to_transfer": 100,
         *       "status": "pending_transfer"
         *     }
         */
        TransferAcknowledgeRequest: {
            /** @description False rejects it: its trade is taken back. */
            acknowledged: boolean;
            /** Format: date-time */
            cap_table_updated_at?: string;
            legend_applied?: boolean;
            new_certificate_number?: string;
            /** @description Of a rejection, why. */
            notes?: string;
            record_date?: string;
            /**
             * @description `completed`: it is completed as well, with the fields of that request.
             * @enum {string}
             */
            status?: "pending_transfer" | "completed";
            /** Format: uuid */
            transfer_instruction_id?: string;
            units_to_transfer?: ApiNumber;
        };
        /**
         * @example {
         *       "status": "completed",
         *       "record_date": "2026-10-05",
         *       "new_certificate_number": "LSRB-1042",
         *       "legend_applied": true,
         *       "cap_table_updated_at": "2026-10-05T16:02:00.000Z"
         *     }
         */
        TransferCompleteRequest: {
            /** Format: date-time */
            cap_table_updated_at: string;
            legend_applied: boolean;
            new_certificate_number: string;
            record_date: string;
            /** @enum {string} */
            status: "completed";
            /** @description Other accepted transfers of the same security that are completed with this one, all of them or none: for transfers that wait for each other, of which each seller is registered with too little until another one is completed. */
            together?: {
                /** Format: date-time */
                cap_table_updated_at: string;
                legend_applied: boolean;
                new_certificate_number: string;
                record_date: string;
                /** Format: uuid */
                transfer_instruction_id: string;
            }[];
        };
        /**
         * @example {
         *       "transfer_instruction_id": "0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07",
         *       "trade_id": "0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07",
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "buyer_account_id": "0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03",
         *       "seller_account_id": "0199a3c5-1c58-7d94-8a87-4c9d5fca3b05",
         *       "status": "completed",
         *       "acknowledged": true,
         *       "acknowledged_at": "2026-10-05T15:20:00.000Z",
         *       "record_date": "2026-10-05",
         *       "units_to_transfer": 100,
         *       "notes": null,
         *       "reason": null,
         *       "new_certificate_number": "LSRB-1042",
         *       "legend_applied": true,
         *       "cap_table_updated_at": "2026-10-05T16:02:00.000Z",
         *       "ended_at": "2026-10-05T16:02:40.000Z",
         *       "created_at": "2026-10-05T14:31:10.000Z"
         *     }
         */
        TransferInstruction: {
            acknowledged: boolean;
            /** Format: date-time */
            acknowledged_at: string | null;
            buyer_account_id: string;
            cap_table_updated_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ended_at: string | null;
            legend_applied: boolean | null;
            new_certificate_number: string | null;
            notes: string | null;
            reason: string | null;
            record_date: string | null;
            /** Format: uuid */
            security_id: string;
            seller_account_id: string;
            /**
             * @description `pending` awaits its acknowledgment; an accepted one is `pending_transfer` until it is completed. `reversed`: an operator has taken its trade back, also after it was completed.
             * @enum {string}
             */
            status: "pending" | "pending_transfer" | "rejecting" | "rejected" | "completed" | "reversed";
            /** Format: uuid */
            trade_id: string;
            /** Format: uuid */
            transfer_instruction_id: string;
            units_to_transfer: ApiNumber;
        };
        /**
         * @example {
         *       "transfer_instruction_id": "0199a3d0-4b7a-7fb6-8ca9-6ebf71ec5d07",
         *       "security_id": "0199a3c0-5b1e-7a10-9c2f-3d5e8f7a1b01",
         *       "asset_name": "Lakeside Robotics Series B Preferred",
         *       "status": "completed",
         *       "units": 100,
         *       "seller_account_id": "0199a3c5-1c58-7d94-8a87-4c9d5fca3b05",
         *       "seller_name": "Priya Raman",
         *       "buyer_account_id": "0199a3c4-a1b3-7f52-9e65-2a7b3dae1f03",
         *       "buyer_name": "Juniper Capital LP",
         *       "received_at": "2026-10-05T14:31:10.000Z",
         *       "turnaround_due_at": "2026-10-08T16:00:00.000Z",
         *       "acknowledged_at": "2026-10-05T15:20:00.000Z",
         *       "recorded_at": "2026-10-05T16:02:40.000Z",
         *       "ended_at": "2026-10-05T16:02:40.000Z",
         *       "record_date": "2026-10-05",
         *       "certificate_number": "LSRB-1042",
         *       "legend_applied": true,
         *       "reason": null
         *     }
         */
        TransferLogEntry: {
            /** Format: date-time */
            acknowledged_at: string | null;
            asset_name: string;
            buyer_account_id: string;
            buyer_name: string | null;
            certificate_number: string | null;
            /** Format: date-time */
            ended_at: string | null;
            legend_applied: boolean | null;
            reason: string | null;
            /** Format: date-time */
            received_at: string;
            record_date: string | null;
            /**
             * Format: date-time
             * @description When the register got it.
             */
            recorded_at: string | null;
            /** Format: uuid */
            security_id: string;
            seller_account_id: string;
            seller_name: string | null;
            /** @enum {string} */
            status: "pending" | "pending_transfer" | "rejecting" | "rejected" | "completed" | "reversed";
            /** Format: uuid */
            transfer_instruction_id: string;
            /**
             * Format: date-time
             * @description Three business days, 17 CFR 240.17Ad-2(a).
             */
            turnaround_due_at: string;
            units: ApiNumber;
        };
        /**
         * @example {
         *       "type": "correction",
         *       "price_per_share": 43.2,
         *       "gross_trade_amount": 4320,
         *       "reason": "entered at the wrong price",
         *       "adjusted_at": "2026-10-05T15:10:00.000Z",
         *       "status": "verified"
         *     }
         */
        VerifiedAdjustment: components["schemas"]["SettlementAdjustment"] & {
            /**
             * @description Whether the registry on chain has the record of it.
             * @enum {string}
             */
            status: "not_recorded" | "verified" | "unavailable";
        };
        /**
         * @example {
         *       "webhook_id": "0199a3c8-8ead-72e9-9fdc-91ecaa1f8a0a",
         *       "url": "https://hooks.northwind-ats.com/exchange",
         *       "events": [
         *         "trade.executed",
         *         "settlement.finalized"
         *       ],
         *       "description": "Back office",
         *       "ordering": "none",
         *       "security_ids": null,
         *       "header_names": [
         *         "authorization"
         *       ],
         *       "status": "enabled",
         *       "disabled_reason": null,
         *       "disabled_at": null,
         *       "created_at": "2026-10-01T14:30:00.000Z"
         *     }
         */
        Webhook: {
            /** Format: date-time */
            created_at: string;
            description: string | null;
            /** Format: date-time */
            disabled_at: string | null;
            /**
             * @description `owner`: by PATCH; `failing`: it failed for three days; `gone`: it answered 410; `overflow`: too much waited.
             * @enum {string|null}
             */
            disabled_reason: "owner" | "gone" | "failing" | "overflow" | null;
            events: ("trade.executed" | "settlement.recorded" | "settlement.finalized" | "transfer.initiated" | "transfer.completed" | "dividend.declared" | "corporate_action.announced" | "bridge.transfer.awaiting_funds" | "bridge.transfer.confirming" | "bridge.transfer.attesting" | "bridge.transfer.queued" | "bridge.transfer.challenge" | "bridge.transfer.co_signing" | "bridge.transfer.broadcast" | "bridge.transfer.confirmed" | "bridge.transfer.refundable" | "bridge.transfer.refund_broadcast" | "bridge.transfer.refunded" | "bridge.transfer.expired" | "bridge.transfer.paid_by_other" | "bridge.transfer.cancelling" | "bridge.transfer.uncovered" | "bridge.transfer.covered")[];
            /** @description Of the headers that you have stated. */
            header_names: string[];
            /**
             * @description `none`: each message as soon as it can be sent; `security`: those of one security, or of one transfer of the bridge, one after the other; `endpoint`: all of them one after the other. It does not change.
             * @enum {string}
             */
            ordering: "none" | "security" | "endpoint";
            security_ids: string[] | null;
            /** @enum {string} */
            status: "enabled" | "disabled";
            url: string;
            /** Format: uuid */
            webhook_id: string;
        };
        WebhookBody: {
            /** @default null */
            description: string | null;
            /**
             * @description Those that organizations of the caller’s role receive.
             * @example [
             *       "trade.executed"
             *     ]
             */
            events: ("trade.executed" | "settlement.recorded" | "settlement.finalized" | "transfer.initiated" | "transfer.completed" | "dividend.declared" | "corporate_action.announced" | "bridge.transfer.awaiting_funds" | "bridge.transfer.confirming" | "bridge.transfer.attesting" | "bridge.transfer.queued" | "bridge.transfer.challenge" | "bridge.transfer.co_signing" | "bridge.transfer.broadcast" | "bridge.transfer.confirmed" | "bridge.transfer.refundable" | "bridge.transfer.refund_broadcast" | "bridge.transfer.refunded" | "bridge.transfer.expired" | "bridge.transfer.paid_by_other" | "bridge.transfer.cancelling" | "bridge.transfer.uncovered" | "bridge.transfer.covered")[];
            /**
             * @description Up to 10 headers that each message has beside ours, such as a credential of your gateway. They are shown by their names alone.
             * @default {}
             * @example {
             *       "authorization": "Bearer 3f1c9b"
             *     }
             */
            headers: {
                [key: string]: string;
            };
            /**
             * @description `none`: each message as soon as it can be sent; `security`: those of one security, or of one transfer of the bridge, one after the other; `endpoint`: all of them one after the other. It does not change.
             * @default none
             * @enum {string}
             */
            ordering: "none" | "security" | "endpoint";
            /**
             * @description Events of these securities alone; null for all that you are told of. Refused of a tenant of the bridge: its events are of no security.
             * @default null
             * @example null
             */
            security_ids: string[] | null;
            /**
             * @description Of https, at a public name, on port 443 or 8443.
             * @example https://hooks.northwind-ats.com/exchange
             */
            url: string;
        };
        /**
         * @example {
         *       "events": [
         *         "trade.executed"
         *       ],
         *       "description": "Back office",
         *       "enabled": true
         *     }
         */
        WebhookChange: {
            description?: string | null;
            /** @description What waits at a webhook that is disabled is given up; it can be replayed once it is enabled again. */
            enabled?: boolean;
            /**
             * @description Those that organizations of the caller’s role receive.
             * @example [
             *       "trade.executed"
             *     ]
             */
            events?: ("trade.executed" | "settlement.recorded" | "settlement.finalized" | "transfer.initiated" | "transfer.completed" | "dividend.declared" | "corporate_action.announced" | "bridge.transfer.awaiting_funds" | "bridge.transfer.confirming" | "bridge.transfer.attesting" | "bridge.transfer.queued" | "bridge.transfer.challenge" | "bridge.transfer.co_signing" | "bridge.transfer.broadcast" | "bridge.transfer.confirmed" | "bridge.transfer.refundable" | "bridge.transfer.refund_broadcast" | "bridge.transfer.refunded" | "bridge.transfer.expired" | "bridge.transfer.paid_by_other" | "bridge.transfer.cancelling" | "bridge.transfer.uncovered" | "bridge.transfer.covered")[];
            /**
             * @description Up to 10 headers that each message has beside ours, such as a credential of your gateway. They are shown by their names alone.
             * @example {
             *       "authorization": "Bearer 3f1c9b"
             *     }
             */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description Events of these securities alone; null for all that you are told of. Refused of a tenant of the bridge: its events are of no security.
             * @example null
             */
            security_ids?: string[] | null;
            /**
             * @description Of https, at a public name, on port 443 or 8443.
             * @example https://hooks.northwind-ats.com/exchange
             */
            url?: string;
        };
        /**
         * @example {
         *       "event": "settlement.finalized"
         *     }
         */
        WebhookTestBody: {
            /**
             * @description A sample of this event, of a trade, a security or a transfer that does not exist; `webhook.test` without it.
             * @enum {string}
             */
            event?: "trade.executed" | "settlement.recorded" | "settlement.finalized" | "transfer.initiated" | "transfer.completed" | "dividend.declared" | "corporate_action.announced" | "bridge.transfer.awaiting_funds" | "bridge.transfer.confirming" | "bridge.transfer.attesting" | "bridge.transfer.queued" | "bridge.transfer.challenge" | "bridge.transfer.co_signing" | "bridge.transfer.broadcast" | "bridge.transfer.confirmed" | "bridge.transfer.refundable" | "bridge.transfer.refund_broadcast" | "bridge.transfer.refunded" | "bridge.transfer.expired" | "bridge.transfer.paid_by_other" | "bridge.transfer.cancelling" | "bridge.transfer.uncovered" | "bridge.transfer.covered";
        };
        /**
         * @example {
         *       "webhook_id": "0199a3c8-8ead-72e9-9fdc-91ecaa1f8a0a",
         *       "url": "https://hooks.northwind-ats.com/exchange",
         *       "events": [
         *         "trade.executed",
         *         "settlement.finalized"
         *       ],
         *       "description": "Back office",
         *       "ordering": "none",
         *       "security_ids": null,
         *       "header_names": [
         *         "authorization"
         *       ],
         *       "status": "enabled",
         *       "disabled_reason": null,
         *       "disabled_at": null,
         *       "created_at": "2026-10-01T14:30:00.000Z",
         *       "waiting": 0,
         *       "waiting_bytes": 0,
         *       "failing_since": null,
         *       "next_try_at": null
         *     }
         */
        WebhookWithBacklog: components["schemas"]["Webhook"] & {
            /**
             * Format: date-time
             * @description When what waits and was not taken was first tried; null while nothing fails.
             */
            failing_since: string | null;
            /** Format: date-time */
            next_try_at: string | null;
            /** @description Messages that wait to be sent. */
            waiting: ApiNumber;
            waiting_bytes: ApiNumber;
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
