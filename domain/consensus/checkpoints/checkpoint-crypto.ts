/** What checkpoints are signed with. Keys, signatures and messages are bytes; who implements it holds no state that an answer depends on. */
export interface CheckpointCrypto {
  readonly bls: BlsSuite;
  readonly mlDsa: MlDsaSuite;
}

export const BLS_PUBLIC_KEY_BYTES = 48;
export const BLS_SIGNATURE_BYTES = 96;
/** FIPS 204 table 2. */
export const ML_DSA_PUBLIC_KEY_BYTES = 1_952;
export const ML_DSA_SIGNATURE_BYTES = 3_309;

/** Domain separation of signatures and of proofs of possession (draft-irtf-cfrg-bls-signature section 4.2.3). */
export const BLS_SIGNATURE_TAG = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';
export const BLS_PROOF_TAG = 'BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

/**
 * BLS signatures over BLS12-381, public keys in G1 (48 bytes) and signatures in G2 (96 bytes): the proof-of-possession ciphersuite of
 * draft-irtf-cfrg-bls-signature section 4.2.3.
 */
export interface BlsSuite {
  /** @param secret scalar of 32 bytes, big-endian, above 0 and below the group's order. Throws for another. */
  keyPair(secret: Uint8Array): BlsKeyPair;
  /** KeyValidate and PopVerify (sections 2.5 and 3.3.3). False for what is no key or no proof. */
  isProved(publicKey: Uint8Array, proof: Uint8Array): boolean;
  /** Aggregate (section 2.8). Null of none, and where one of them is no signature. */
  aggregate(signatures: readonly Uint8Array[]): Uint8Array | null;
  /**
   * FastAggregateVerify (section 3.3.4): whether all these keys have signed this message. It says so of keys whose proofs of possession are known
   * to hold, and of no others. False for no keys, and for what is no key or no signature.
   */
  fastAggregateVerify(publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): boolean;
}

export interface BlsKeyPair {
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
  /** PopProve (section 3.3.2). */
  prove(): Uint8Array;
}

/** ML-DSA-65 (FIPS 204), the pure variant, with a context of at most 255 bytes. */
export interface MlDsaSuite {
  /** @param seed 32 bytes (algorithm 6, ξ). Throws for another length. */
  keyPair(seed: Uint8Array): MlDsaKeyPair;
  /** False for what is no key or no signature. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array, context: Uint8Array): boolean;
}

export interface MlDsaKeyPair {
  readonly publicKey: Uint8Array;
  /** The deterministic variant (section 3.4): the same message has the same signature. */
  sign(message: Uint8Array, context: Uint8Array): Uint8Array;
}
