import type { KeyHolder } from '../../data/identity/gate-facts.ts';
import type { ShownPrices } from '../../domain/broker/source-budget.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import type { SignedRequest } from '../../domain/identity/signed-text.ts';
import type { RateBucket } from '../../domain/limits/rate-bucket.ts';
import type { RateState } from '../../domain/limits/rate-state.ts';
import type { DrawnInPart } from '../../domain/limits/rate-windows.ts';

/**
 * What Workers and objects ask the Gate: `user:<owner>/<sub>` for a user's tokens and keys together, `ip:<address>` for callers without a
 * credential that is known, `organization:<id>` for the streams of a partner, `source:<route>` for what a source of prices is asked
 * (protocol/object-names/gate-name.ts). Each call verifies and counts in one round trip; a refused credential counts nothing at the Gate
 * of whom it names.
 */
export interface GateApi {
  admitKey(attempt: KeyAttempt, draw: Draw): Promise<GateAnswer>;
  admitToken(token: TokenClaims, draw: Draw): Promise<GateAnswer>;
  /** Why a token does not hold, or null. Counts nothing: what its bearer does under an API key is counted there. */
  checkToken(token: TokenClaims): Promise<CredentialRefusal | null>;
  /**
   * Counts a caller by its address, before anything else is asked about it. Where it counts and shows an API key that is not known yet,
   * says whose that is.
   */
  admitAddress(draw: AddressDraw): Promise<AddressAnswer>;
  /** Takes back what was drawn for a credential that holds. */
  giveBack(draw: AddressDraw, drawnAt: number): Promise<void>;
  /**
   * Forgets what was loaded: call it after a key, a user, an account or a revocation changed in D1. Answers who watches the credential:
   * tell them (application/identity/invalidate-gates.ts does both).
   */
  invalidate(): Promise<Watcher[]>;
  /** A token with which the key's holder goes on without its secret; null for a key that may not be used. */
  openSession(keyId: string): Promise<KeySession | null>;
  /**
   * Who a key of this user stands for now, or null when it holds no longer, for connections that outlive their request. Counts
   * nothing. The watcher is told of changes for a minute from now.
   */
  watchKey(keyId: string, watcher: Watcher): Promise<CredentialHolder | null>;
  /** The same for a token. */
  watchToken(token: TokenClaims, watcher: Watcher): Promise<CredentialHolder | null>;
  /**
   * Takes one of the concurrent WebSocket connections; false when all are taken. A lease ends by itself unless taken again. The Gate of an
   * address counts those of each prefix.
   */
  acquireConnection(connectionId: string, clientAddress?: string): Promise<boolean>;
  releaseConnection(connectionId: string): Promise<void>;
  /** Counts a call to the source of prices whose Gate this is, at most so many in any minute; else in how many milliseconds there is room, and nothing is counted. */
  drawSourceCall(shown: ShownPrices, callsMax: number): Promise<number | null>;
}

/** An object with connections that live by a credential. */
export interface Watcher {
  readonly kind: 'feed' | 'book';
  /** Name of the object within its class. */
  readonly name: string;
}

export type CredentialHolder = Omit<Principal, 'clientAddress'>;

/** What a request draws: `cost` units of one bucket. */
export interface Draw {
  readonly bucket: RateBucket;
  readonly cost: number;
  /** Whether as much of the cost is drawn as fits; else it is drawn whole or not at all. */
  readonly isDivisible?: boolean;
  readonly clientAddress: string;
}

/** What is drawn at the Gate of an address. */
export interface AddressDraw extends Draw {
  /** Whether it is for a credential that may hold, so that it may be given back. */
  readonly isForProof?: boolean;
  /** The API key that is shown, where the caller does not know whose it is. */
  readonly keyId?: string;
}

export interface KeyAttempt {
  readonly keyId: string;
  readonly proof: KeyProof;
}

/** Proves the key until it ends, is revoked, or has another secret. */
export interface KeySession {
  readonly token: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

export type KeyProof =
  | { readonly type: 'secret'; readonly secret: string }
  /** An object has checked the key when its connection was opened; holds while the secret is the one of then. */
  | { readonly type: 'connection'; readonly secretVersion: string | null }
  /** A token of `openSession`. */
  | { readonly type: 'session'; readonly token: string }
  /** The bearer of a token that holds acts under a key of their own (docs/design/gateways.md#agent-over-http). */
  | { readonly type: 'bearer'; readonly subject: string; readonly owner: string }
  /** `signature` is lower-case hexadecimal HMAC-SHA256 over the request's signed text. */
  | { readonly type: 'signature'; readonly signature: string; readonly request: SignedRequest };

/** Claims of an access token whose signature, issuer, audience and expiry have been checked. */
export interface TokenClaims {
  readonly subject: string;
  readonly owner: string;
  /** Unix seconds. */
  readonly issuedAt: number;
  /** Ids that a revocation may name: the token's own and its grant's. */
  readonly revocationIds: readonly string[];
  readonly machine: boolean;
}

export type GateAnswer =
  | {
      readonly type: 'admitted';
      readonly principal: Principal;
      readonly rate: RateState;
      /** What of a cost that may be divided did not fit. */
      readonly beyond: DrawnInPart['beyond'];
    }
  | { readonly type: 'limited'; readonly rate: RateState; readonly retryAfter: number }
  | { readonly type: 'refused'; readonly reason: CredentialRefusal };

export type AddressAnswer =
  | {
      readonly type: 'limited';
      readonly rate: RateState;
      readonly retryAfter: number;
      /** Whether what stands in the way may be given back in a moment. */
      readonly mayFitSoon: boolean;
    }
  | {
      readonly type: 'counted';
      readonly rate: RateState;
      readonly drawnAt: number;
      /** Whose the key is that was asked for; null for nobody's. */
      readonly keyHolder: KeyHolder | null;
    };

/** Why a credential does not hold. The caller is told no more than UNAUTHORIZED; the log says which. */
export type CredentialRefusal =
  | 'unknown_key'
  | 'revoked'
  | 'expired'
  | 'wrong_secret'
  | 'wrong_signature'
  | 'session_ended'
  | 'timestamp_outside_window'
  | 'replayed'
  | 'address_not_allowed'
  | 'key_of_another'
  | 'owner_mismatch';

export interface GateEnv {
  readonly GATE: { getByName(name: string): unknown };
}

/**
 * A fresh stub of a Gate. After an exception a stub stays broken, so one is made for every call. The binding's type wraps every value in
 * disposables, which plain data never is; the object implements this interface.
 */
export function gateOf(env: GateEnv, name: string): GateApi {
  return env.GATE.getByName(name) as GateApi;
}
