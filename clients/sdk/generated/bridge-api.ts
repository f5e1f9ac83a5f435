/** Written by scripts/sdk/api-types.ts from the OpenAPI document of profile bridge. */
import type { ApiNumber } from '../wire/json.ts';

export interface paths {
    "/api/tenant": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A tenant: name, branding, chains, limits, challenges */
        get: {
            parameters: {
                query?: {
                    /** @description Of the tenant; that of the request where it is left out. */
                    hostname?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The tenant. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BridgeTenant"];
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
    "/api/tenant/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Its logo */
        get: {
            parameters: {
                query?: {
                    /** @description Of the tenant; that of the request where it is left out. */
                    hostname?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The image: PNG, JPEG or WebP. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
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
    "/api/v1/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your transfers, newest first
         * @description Each is as its object last said; `GET …/{id}` asks the object itself. `asset`, `source`, `destination` and `quote` are null, and found by no filter, where a transfer was begun before lists showed them and was not gone on with since (`POST …/{id}/complete`).
         */
        get: {
            parameters: {
                query?: {
                    /** @description The customer’s account that is its source or its destination. */
                    account_id?: string;
                    /** @description Symbol. */
                    asset?: string;
                    cursor?: string;
                    /** @description Of the tenant; that of the request where it is left out. */
                    hostname?: string;
                    /** @description Page size. The next page is in the Link header. */
                    limit?: ApiNumber;
                    state?: "awaiting_funds" | "confirming" | "attesting" | "limit_check" | "queued" | "challenge" | "co_signing" | "signing" | "broadcast" | "confirmed" | "refundable" | "refund_signing" | "refund_broadcast" | "refunded" | "expired" | "paid_by_other";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The transfers. With more than one filter a page may be short and yet lead on: the last one has no Link header. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            transfers: components["schemas"]["BridgeListedTransfer"][];
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
    "/api/v1/transfer/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where a transfer stands, how it got there, and what it waits for */
        get: {
            parameters: {
                query?: {
                    /** @description Of the tenant; that of the request where it is left out. */
                    hostname?: string;
                };
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
                        "application/json": components["schemas"]["BridgeTransfer"];
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
    "/api/v1/transfer/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on with a transfer whose conditions hold, refunds included
         * @description Anybody may call it, without a body. What can be done now is done; repeated, nothing is paid twice. A tenant that was switched off since is no hindrance.
         */
        post: {
            parameters: {
                query?: {
                    /** @description Of the tenant; that of the request where it is left out. */
                    hostname?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Where it stands now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BridgeTransferPushed"];
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
    "/api/v1/transfer/{id}/debit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the ledger has taken from an account for a transfer, and not given back
         * @description For signers that a tenant runs. Null where nothing stands, or where it comes from no account.
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
                /** @description The debit. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BridgeTransferDebit"];
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
    "/api/v1/transfer/{id}/payout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the ledger has made the payout of a transfer to an account
         * @description For signers that a tenant runs: deposits of transfers that are paid out are the vault’s.
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
                /** @description Whether it is paid. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BridgeTransferPayout"];
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
    "/api/v1/transfer/{id}/payout/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take the payout of a transfer to an account away for good
         * @description For signers that a tenant runs, before they sign that its funds go back. A payout that was made stands; one that was not is never made, and the funds go back.
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
            requestBody?: never;
            responses: {
                /** @description Whether it is void now. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BridgeVoidedPayout"];
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
    "/api/v1/transfer/initiate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a transfer for a customer
         * @description One side is on another chain, the other an account of yours or an address on the exchange’s chain. An account that it comes from is debited at once; else the answer says how to pay the funds in, and until when.
         */
        post: {
            parameters: {
                query?: {
                    /** @description Of the tenant; that of the request where it is left out. */
                    hostname?: string;
                };
                header?: {
                    /** @description Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`. */
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BridgeTransferRequest"];
                };
            };
            responses: {
                /** @description The transfer. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BridgeTransfer"];
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
        BridgeListedTransfer: {
            /** @description Symbol. */
            asset: string | null;
            destination: {
                account_id: string;
            } | {
                /** @description As the chain’s own programs write it. */
                address: string;
                /**
                 * @description `exchange` is the exchange’s own, where assets stand as wrapped tokens.
                 * @enum {string}
                 */
                chain: "exchange" | "bitcoin-legacy" | "bitcoin-segwit" | "bitcoin-taproot" | "ethereum" | "arbitrum" | "optimism" | "base" | "polygon" | "bsc" | "gnosis" | "linea" | "celo" | "avalanche" | "solana" | "cosmos" | "polkadot" | "ton" | "xrpl" | "litecoin" | "dogecoin" | "bitcoin-cash" | "tron" | "stellar" | "algorand" | "near" | "sui" | "tezos" | "aptos" | "cardano";
                /** @description What the payment there carries. Absent for nothing. */
                memo?: string;
            } | null;
            /** @description At which it was asked for. */
            hostname: string;
            /** Format: uuid */
            id: string;
            quote: {
                /** @description What has to come, in the smallest unit of the source. */
                amount_in: string;
                /** @description What is paid, in the smallest unit of the destination. */
                amount_out: string;
                /**
                 * Format: date-time
                 * @description What comes later goes back.
                 */
                expires_at: string;
                /** @description What of `amount_in` the transfer costs, in the same unit: a share of it, and a flat part that covers what its payout costs. */
                fee: string;
                /** @description Whether one operator runs all five signers of the vaults, and could open them alone. False where five addresses of others are named. */
                single_operator: boolean;
            } | null;
            source: {
                account_id: string;
            } | {
                /** @description As the chain’s own programs write it. */
                address: string;
                /**
                 * @description `exchange` is the exchange’s own, where assets stand as wrapped tokens.
                 * @enum {string}
                 */
                chain: "exchange" | "bitcoin-legacy" | "bitcoin-segwit" | "bitcoin-taproot" | "ethereum" | "arbitrum" | "optimism" | "base" | "polygon" | "bsc" | "gnosis" | "linea" | "celo" | "avalanche" | "solana" | "cosmos" | "polkadot" | "ton" | "xrpl" | "litecoin" | "dogecoin" | "bitcoin-cash" | "tron" | "stellar" | "algorand" | "near" | "sui" | "tezos" | "aptos" | "cardano";
                /** @description What the payment there carries. Absent for nothing. */
                memo?: string;
            } | null;
            /** @enum {string} */
            state: "awaiting_funds" | "confirming" | "attesting" | "limit_check" | "queued" | "challenge" | "co_signing" | "signing" | "broadcast" | "confirmed" | "refundable" | "refund_signing" | "refund_broadcast" | "refunded" | "expired" | "paid_by_other";
            /**
             * Format: date-time
             * @description When its state was written here last.
             */
            updated_at: string;
        };
        BridgePlace: {
            /**
             * Format: uuid
             * @description Of one of your customers.
             */
            account_id: string;
        } | {
            /** @description Of a source: who pays in, and whom funds go back to; nothing from elsewhere counts. Where the chain does not tell who pays it is not asked, and what anybody pays in counts: Bitcoin, Litecoin, Dogecoin, Bitcoin Cash, Cardano, NEAR, Polkadot and Aptos. Of a destination: who is paid; nobody could use what comes to a burn address, a program, a token or the bridge itself, so that is refused. */
            address: string;
            /**
             * @description `exchange` is the exchange’s own, where assets stand as wrapped tokens.
             * @enum {string}
             */
            chain: "exchange" | "bitcoin-legacy" | "bitcoin-segwit" | "bitcoin-taproot" | "ethereum" | "arbitrum" | "optimism" | "base" | "polygon" | "bsc" | "gnosis" | "linea" | "celo" | "avalanche" | "solana" | "cosmos" | "polkadot" | "ton" | "xrpl" | "litecoin" | "dogecoin" | "bitcoin-cash" | "tron" | "stellar" | "algorand" | "near" | "sui" | "tezos" | "aptos" | "cardano";
            /**
             * @description What the payment to that address carries, as an exchange asks for it: of a destination the payout, of a source what goes back. `stellar`: `text:`, `id:`, `hash:` or `return:` and the value. `xrpl`: the destination tag. `cosmos`: the memo. `ton`: the comment. `algorand`: the note. Refused on other chains, beside an address that has its own (`M…`, X-addresses), and where the chain says that the account asks for one and none is stated (`details.reason`: `not_carried`, `in_address`, `wrong_form`, `required`). Left out, the payment carries nothing that the payee knows. It is not what you pay in with: that is `deposit.memo`.
             * @example 12345
             */
            memo?: string;
        };
        BridgeTenant: {
            branding: {
                accent_color: string | null;
                logo_url: string | null;
                primary_color: string | null;
                support_url: string | null;
            };
            chains: {
                /** @description What of it is bridged. */
                assets: {
                    asset_id: string;
                    /** @description Amount in whole units from which on a transfer is challenged before it is paid. Null where none is, and where the chain does not say now. */
                    challenge_from: ApiNumber | null;
                    /** @description How long such a challenge lasts. 0 where none is challenged. Null where the chain does not say now. */
                    challenge_seconds: ApiNumber | null;
                    /** @description What all transfers of a day may come to, each of them at most, in whole units. Null where the chain does not say now. */
                    daily_limit: ApiNumber | null;
                    /** @description Of the token or coin there. */
                    decimals: ApiNumber;
                    /** @description Of each transfer beside `fee_bps`, in whole units. A payout also pays for what its chain asks of it at that time: `quote.fee` of the transfer has it. */
                    flat_fee: ApiNumber;
                    /** @description A transfer of less is refused (AMOUNT_TOO_SMALL), in whole units. Null where none is stated. */
                    least_amount: ApiNumber | null;
                    /** @description A transfer of so much at most that finds no room has it within a day of its turn, in whole units. One of more waits until there happens to be room, and goes back where there is none in time. Null where the chain does not say now. */
                    room_held_up_to: ApiNumber | null;
                    /** @description Decimals that an amount in whole units may have. */
                    scale: ApiNumber;
                    /** @description What `asset` of a transfer names. */
                    symbol: string;
                    /** @description False while a request to pay in is refused with CONFLICT and `reason` `unstated`: operators have stated nothing of the lane. */
                    takes_deposits: boolean;
                    /** @description False while a request to pay out is refused with CONFLICT and `reason` `unstated`, or `unpriced`: operators have not stated what a coin of the chain is worth. */
                    takes_withdrawals: boolean;
                    /** @description On that chain. Null for the chain’s own coin. */
                    token: string | null;
                    /** @description Contract that holds it there. Null where none does. To pay in, follow `deposit` of a transfer: what is sent here otherwise is lost. */
                    vault: string | null;
                    /** @description Contract of its wrapped token on the exchange’s chain. Null where it has none. */
                    wrapped: string | null;
                }[];
                /** @enum {string} */
                name: "exchange" | "bitcoin-legacy" | "bitcoin-segwit" | "bitcoin-taproot" | "ethereum" | "arbitrum" | "optimism" | "base" | "polygon" | "bsc" | "gnosis" | "linea" | "celo" | "avalanche" | "solana" | "cosmos" | "polkadot" | "ton" | "xrpl" | "litecoin" | "dogecoin" | "bitcoin-cash" | "tron" | "stellar" | "algorand" | "near" | "sui" | "tezos" | "aptos" | "cardano";
            }[];
            /** @description Account that is credited with `fee_bps` of each transfer, a day after it was paid out. Null where that stays in the vault. */
            fee_account: string | null;
            /** @description Null where it takes no transfers yet. */
            fee_bps: ApiNumber | null;
            hostname: string;
            name: string;
            /**
             * Format: date-time
             * @description When the next change of a vault, wrapped token, guard or stake holds that operators of the exchange have stated. Null where none waits: one that you did not agree to can be taken back until then.
             */
            places_change_at: string | null;
            /** @description How long a quote stands. Null where it takes no transfers yet. */
            quote_seconds: ApiNumber | null;
            /**
             * @description Who could move what lies in the vaults. `native`: five signers of the exchange; `single_operator` says whether one operator has all five. `custom`: any three of five signers that the tenant has others run. `custody`: the custody provider.
             * @enum {string}
             */
            signing_mode: "native" | "custody" | "custom";
            /** @description Whether one operator runs all five signers of the vaults, and could open them alone. False where five addresses of others are named. */
            single_operator: boolean;
        };
        BridgeTransfer: {
            /** @description Symbol. */
            asset: string;
            /** @description Numbers of signers that have seen the funds, 0 to 4. */
            attested_by: ApiNumber[];
            /** @description SHA-256 of the terms: what a deposit has to name. */
            commitment: string;
            /** Format: date-time */
            created_at: string;
            /** @description Why the ledger has not taken its funds from the account, such as `insufficient_balance`. Null where it has, or need not. */
            debit_refusal: string | null;
            /** @description How to pay the funds in. Null where they come from an account, which is debited at once. */
            deposit: {
                /** @description Where to send `quote.amount_in`, in one payment. Null where a contract has to be called: what is sent to its address without that call is nobody’s, and is lost. */
                address: string | null;
                /** @description The one call that counts, from `source.address`, once. Null where a payment is enough. */
                call: {
                    /** @description Null where nothing has to be approved. */
                    approve: {
                        /** @description The calls that approve it, to be sent from `source.address` in this order, each once the one before is in a block. Two where an earlier allowance is left, as it was when the transfer began: some tokens, USDT among them, change none before it is zero. */
                        calls: {
                            data: string;
                            to: string;
                        }[];
                        /** @description Who has to be approved for `quote.amount_in` before. */
                        spender: string;
                        /** @description The token’s contract. */
                        token: string;
                    } | null;
                    /** @description Hexadecimal with `0x`, as it is to be sent. */
                    data: string;
                    /** @description The contract. */
                    to: string;
                    /** @description Of the chain’s coin, in its smallest unit. */
                    value: string;
                } | null;
                /** @description What the payment has to carry; without it nobody knows whose it is. Null for nothing. */
                memo: string | null;
            } | null;
            destination: {
                account_id: string;
            } | {
                /** @description As the chain’s own programs write it. */
                address: string;
                /**
                 * @description `exchange` is the exchange’s own, where assets stand as wrapped tokens.
                 * @enum {string}
                 */
                chain: "exchange" | "bitcoin-legacy" | "bitcoin-segwit" | "bitcoin-taproot" | "ethereum" | "arbitrum" | "optimism" | "base" | "polygon" | "bsc" | "gnosis" | "linea" | "celo" | "avalanche" | "solana" | "cosmos" | "polkadot" | "ton" | "xrpl" | "litecoin" | "dogecoin" | "bitcoin-cash" | "tron" | "stellar" | "algorand" | "near" | "sui" | "tezos" | "aptos" | "cardano";
                /** @description What the payment there carries. Absent for nothing. */
                memo?: string;
            };
            /** @description What the transfer has earned. Null until it is `confirmed`, and where that stays in the vault. */
            fee_credit: {
                /** @description Of the tenant. */
                account_id: string;
                /** @description What it is credited with, in the smallest unit of the ledger: the share of the fee, without its flat part. */
                amount: string;
                /**
                 * Format: date-time
                 * @description Null until then: a day after the end of the transfer, as long as its funds are there.
                 */
                credited_at: string | null;
            } | null;
            /** @description Null until they are seen. */
            funds: {
                /** @description What has come, in the smallest unit of the source. */
                amount: string;
                /** @description A reorganization has taken them away since. */
                is_lost: boolean;
                /** @description Transaction on the source and place in it; of an account, the transfer’s id. */
                reference: string;
            } | null;
            /** @description Changes of its state, oldest first; of more than 100, the first and last 50. */
            history: {
                /** Format: date-time */
                at: string;
                /** @description What happened, such as `funds_seen`, `attested`, `vetoed`, `clock`. */
                cause: string;
                /** @enum {string} */
                from: "awaiting_funds" | "confirming" | "attesting" | "limit_check" | "queued" | "challenge" | "co_signing" | "signing" | "broadcast" | "confirmed" | "refundable" | "refund_signing" | "refund_broadcast" | "refunded" | "expired" | "paid_by_other";
                /** @enum {string} */
                to: "awaiting_funds" | "confirming" | "attesting" | "limit_check" | "queued" | "challenge" | "co_signing" | "signing" | "broadcast" | "confirmed" | "refundable" | "refund_signing" | "refund_broadcast" | "refunded" | "expired" | "paid_by_other";
            }[];
            /** Format: uuid */
            id: string;
            /** @description It was paid, and its funds were lost afterwards. */
            is_uncovered: boolean;
            /** @description What somebody else than `source.address` has paid in, such as an exchange from a wallet of its own: looked at once the quote has ended (state `paid_by_other`), on chains that tell who pays. It is not paid out. It goes back to that payer by an order of the exchange’s operators; ask for it. */
            other_funds: {
                /** @description In the smallest unit of the source. */
                amount: string;
                /** @description Who has paid it. */
                payer: string;
                reference: string;
            }[];
            /** @description What goes out: null before it has its reference. */
            payment: {
                /** @enum {string} */
                kind: "payout" | "refund";
                /** @description By which it is paid once at most; of an account, the id of the ledger’s transaction. */
                reference: string;
                /** @description Its hash on the chain. Null until it is handed in, and where the ledger pays. */
                transaction: string | null;
            } | null;
            quote: {
                /** @description What has to come, in the smallest unit of the source. */
                amount_in: string;
                /** @description What is paid, in the smallest unit of the destination. */
                amount_out: string;
                /**
                 * Format: date-time
                 * @description What comes later goes back.
                 */
                expires_at: string;
                /** @description What of `amount_in` the transfer costs, in the same unit: a share of it, and a flat part that covers what its payout costs. */
                fee: string;
                /** @description Whether one operator runs all five signers of the vaults, and could open them alone. False where five addresses of others are named. */
                single_operator: boolean;
            };
            /**
             * @description Why its funds go back. Null where they do not.
             * @enum {string|null}
             */
            refund_reason: "rejected" | "vetoed" | "wrong_amount" | "late" | "queue_ended" | "timed_out" | "unsignable" | "unpayable" | "other_payer" | null;
            /** @description Numbers of signers that refuse it, 0 to 4. */
            refused_by: ApiNumber[];
            /** @description Who gets `funds` back in place of `source.address`, since they have paid them. Null for nobody. */
            returned_to: string | null;
            source: {
                account_id: string;
            } | {
                /** @description As the chain’s own programs write it. */
                address: string;
                /**
                 * @description `exchange` is the exchange’s own, where assets stand as wrapped tokens.
                 * @enum {string}
                 */
                chain: "exchange" | "bitcoin-legacy" | "bitcoin-segwit" | "bitcoin-taproot" | "ethereum" | "arbitrum" | "optimism" | "base" | "polygon" | "bsc" | "gnosis" | "linea" | "celo" | "avalanche" | "solana" | "cosmos" | "polkadot" | "ton" | "xrpl" | "litecoin" | "dogecoin" | "bitcoin-cash" | "tron" | "stellar" | "algorand" | "near" | "sui" | "tezos" | "aptos" | "cardano";
                /** @description What the payment there carries. Absent for nothing. */
                memo?: string;
            };
            /** @enum {string} */
            state: "awaiting_funds" | "confirming" | "attesting" | "limit_check" | "queued" | "challenge" | "co_signing" | "signing" | "broadcast" | "confirmed" | "refundable" | "refund_signing" | "refund_broadcast" | "refunded" | "expired" | "paid_by_other";
            /** @description Why it does not go on, if it does not, for people to read. */
            waits_for: string | null;
            /**
             * Format: date-time
             * @description When its state ends by itself.
             */
            waits_until: string | null;
        };
        BridgeTransferDebit: {
            commitment: string;
            debit: {
                /** @description In scaled units of the ledger. */
                amount: string;
                reference: string;
            } | null;
        };
        BridgeTransferPayout: {
            commitment: string;
            is_paid: boolean;
        };
        BridgeTransferPushed: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "awaiting_funds" | "confirming" | "attesting" | "limit_check" | "queued" | "challenge" | "co_signing" | "signing" | "broadcast" | "confirmed" | "refundable" | "refund_signing" | "refund_broadcast" | "refunded" | "expired" | "paid_by_other";
            /** @description Of its payout or refund, once one was handed in. */
            transaction: string | null;
            /** @description Why it does not go on, if it does not. */
            waits_for: string | null;
        };
        /**
         * @example {
         *       "asset": "USDC",
         *       "amount": 25,
         *       "most_fee": 0.5,
         *       "source": {
         *         "chain": "ethereum",
         *         "address": "0x52908400098527886E0F7030069857D2E4169EE7"
         *       },
         *       "destination": {
         *         "account_id": "01993b1e-0000-7000-8000-000000000001"
         *       }
         *     }
         */
        BridgeTransferRequest: {
            /**
             * @description In whole units of the asset, fee included.
             * @example 25
             */
            amount: ApiNumber;
            /**
             * @description Symbol.
             * @example USDC
             */
            asset: string;
            destination: components["schemas"]["BridgePlace"];
            /**
             * @description The most that the transfer may cost, in whole units of the asset. Where it costs more now, as where its chain is busy, it is refused before anything is debited or paid in (FEE_TOO_HIGH), and `details.fee` says what it costs. Left out, it begins whatever it costs: `quote.fee`.
             * @example 0.5
             */
            most_fee?: ApiNumber;
            source: components["schemas"]["BridgePlace"];
        };
        BridgeVoidedPayout: {
            commitment: string;
            /** @description False: it was paid. */
            is_void: boolean;
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
