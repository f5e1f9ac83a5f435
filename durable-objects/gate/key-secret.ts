/** The secret of an API key in memory, in the two forms that its proofs are checked with. */
export interface KeySecret {
  readonly bytes: Uint8Array;
  readonly hmac: CryptoKey;
}

export async function keySecretOf(secret: string): Promise<KeySecret> {
  const bytes = new TextEncoder().encode(secret);
  const hmac = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  return { bytes, hmac };
}

/** In constant time; all secrets have one length, so telling lengths apart gives nothing away. */
export function isSecret(secret: KeySecret, presented: string): boolean {
  const bytes = new TextEncoder().encode(presented);
  return bytes.byteLength === secret.bytes.byteLength && crypto.subtle.timingSafeEqual(bytes, secret.bytes);
}

/** HMAC-SHA256, compared in constant time by the runtime. */
export function isSignature(secret: KeySecret, signature: string, signed: string): Promise<boolean> {
  return crypto.subtle.verify('HMAC', secret.hmac, bytesOfHex(signature), new TextEncoder().encode(signed));
}

function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}
