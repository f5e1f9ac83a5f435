/**
 * Whose key it is: an event (`event:<id>`), a collection that belongs to no event (`collection:<id>`), or a tenant's enhancements
 * (`enhancements`).
 */
export interface KeyScope {
  readonly tenant: string;
  readonly scope: string;
}

/**
 * What a sealed blob is, bound to it as additional authenticated data with the tenant and scope of its key: a blob moved to another
 * place does not open. Parts in order, such as `['identity', entryId]` or `['vectors', blockId, model, version]`.
 */
export type SealContext = readonly string[];

/** The key of one scope: AES-256-GCM, with a random 96-bit nonce before the ciphertext. */
export interface ScopeKey {
  seal(plain: Uint8Array, context: SealContext): Promise<Uint8Array<ArrayBuffer>>;
  /** Null for a blob that is not this key's, was moved, or was tampered with. */
  open(sealed: Uint8Array, context: SealContext): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Keyed hash of a value, 128 bits in base64url: equal for equal values of one kind, meaningless without the key. */
  tag(kind: 'attendee' | 'email' | 'image', value: string | Uint8Array): Promise<string>;
}

/** Keys of events, wrapped by the tenant's key, that by the master key; the wrapped ones lie in R2 and nowhere else. */
export interface ScopeKeys {
  /** Makes the key of a new scope, or gives the one that is there. */
  create(scope: KeyScope): Promise<ScopeKey>;
  /** Null when there is none: never made, or destroyed. */
  open(scope: KeyScope): Promise<ScopeKey | null>;
  /** Destroys the key, and with it everything that it sealed. */
  destroy(scope: KeyScope): Promise<void>;
  /** Destroys the tenant's key, and with it the keys of all its scopes. */
  destroyTenant(tenant: string): Promise<void>;
}
