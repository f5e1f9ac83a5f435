/** Written by scripts/web/api-types.ts from the OpenAPI document of profile iam. */
import type { ApiNumber } from '../json.ts';

export interface paths {
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** API keys of the caller */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Keys */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApiKey"][];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        /** Make an API key; its secret is shown once */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @default null */
                        dailyLossMax?: ApiNumber | null;
                        /** @default null */
                        dailyNotionalMax?: ApiNumber | null;
                        /**
                         * Format: date-time
                         * @description When the key ends by itself; the venue may set a maximum.
                         * @default null
                         */
                        expiresAt?: string | null;
                        /** @default null */
                        ipAllowlist?: string[] | null;
                        name: string;
                        /** @default null */
                        orderSizeLimits?: {
                            [key: string]: ApiNumber;
                        } | null;
                        /** @default null */
                        positionLimits?: {
                            [key: string]: ApiNumber;
                        } | null;
                        scopes: ("read" | "trade")[];
                        /** @default null */
                        symbols?: string[] | null;
                    };
                };
            };
            responses: {
                /** @description Made */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApiKeyWithSecret"];
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
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a key and cancel its open orders */
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
                /** @description Revoked */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                /** @description Orders that are cancelled. */
                                cancelledOrderIds: string[];
                                id: string;
                                /** @description Orders that a broker may have and was asked to end. Each stays as it is until the broker answers, and may still fill; its end comes as that of any order, in feeds and reads. */
                                pendingOrderIds: string[];
                            };
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
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sessions of the caller, or of a user of theirs, that are not over */
        get: {
            parameters: {
                query?: {
                    /** @description Another user, for whoever manages credentials. */
                    userId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Sessions, newest first, 1,000 at most. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Session"][];
                            /** @enum {string} */
                            message: "ok";
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * End every session of the caller, or of a user of theirs
         * @description The one that asks among them. API keys and machine clients go on.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description Another user, for whoever manages credentials. */
                    userId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Ended */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                userId: string;
                            };
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
    "/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a session of the caller, or of a user of theirs */
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
                /** @description The session. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Session"];
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
    "/v1/users/{id}/kill-switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End every session and key of a user and cancel their open orders */
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
                /** @description Ended */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                /** @description Orders that are cancelled. */
                                cancelledOrderIds: string[];
                                /** @description Orders that a broker may have and was asked to end. Each stays as it is until the broker answers, and may still fill; its end comes as that of any order, in feeds and reads. */
                                pendingOrderIds: string[];
                                revokedKeyIds: string[];
                                userId: string;
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ApiKey: {
            /** Format: date-time */
            createdAt: string;
            dailyLossMax: ApiNumber | null;
            dailyNotionalMax: ApiNumber | null;
            /**
             * Format: date-time
             * @description When it ends by itself, by its owner or the maximum of the venue; null for never.
             */
            expiresAt: string | null;
            id: string;
            ipAllowlist: string[] | null;
            /**
             * Format: date
             * @description The day of its last use, UTC; null for none.
             */
            lastUsedOn: string | null;
            name: string;
            /** @description Largest order by asset id. */
            orderSizeLimits: {
                [key: string]: ApiNumber;
            } | null;
            /** @description Largest position by asset id, as `assetId` names it elsewhere. */
            positionLimits: {
                [key: string]: ApiNumber;
            } | null;
            rateLimits: {
                cancels?: ApiNumber;
                orders?: ApiNumber;
                private?: ApiNumber;
                public?: ApiNumber;
                subscriptions?: ApiNumber;
            } | null;
            /** Format: date-time */
            revokedAt: string | null;
            scopes: ("read" | "trade")[];
            /** @enum {string} */
            status: "active" | "revoked";
            symbols: string[] | null;
        };
        ApiKeyWithSecret: components["schemas"]["ApiKey"] & {
            secret: string;
        };
        Session: {
            /** Format: date-time */
            begunAt: string;
            clientId: string;
            /** @description Whether it is the one that asks. */
            current: boolean;
            /** @description Such as `Firefox on Windows`; null where it did not say. */
            device: string | null;
            /** Format: date-time */
            endedAt: string | null;
            /**
             * Format: date-time
             * @description Refreshing does not move it.
             */
            endsAt: string;
            id: string;
            /** Format: date-time */
            lastUsedAt: string;
            /** @description Tells the places of the user apart, and nothing else. */
            place: string | null;
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
