/** A key that nobody has, and signs inside its module: an HSM, a cloud's key service, or a stand-in of a local start. */
export interface HardwareModule {
  /** Compressed secp256k1, hexadecimal. */
  publicKey(): Promise<string>;
  /** ECDSA over a digest of 32 bytes: 64 bytes r, s, hexadecimal. Whether S is low is the module's affair. */
  sign(digest: string): Promise<string>;
  close(): Promise<void>;
}
