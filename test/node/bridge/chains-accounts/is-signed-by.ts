import { createPublicKey, verify } from 'node:crypto';

/** An Ed25519 signature by another implementation than the adapters': OpenSSL's. */
export function isSignedBy(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(key)]);
  return verify(null, message, createPublicKey({ key: spki, format: 'der', type: 'spki' }), Buffer.from(signature));
}
