import { base64url } from 'jose';
import { contextBytes } from './context-bytes.ts';
import type { KeyScope, ScopeKey } from './scope-key.ts';
import { openBytes, sealBytes } from './sealed-bytes.ts';

/** A scope's key from its 32 random bytes, by HKDF-SHA-256: one subkey seals, another makes tags. */
export async function deriveScopeKey(secret: Uint8Array, { tenant, scope }: KeyScope): Promise<ScopeKey> {
  const root = await crypto.subtle.importKey('raw', secret as Uint8Array<ArrayBuffer>, 'HKDF', false, ['deriveKey']);
  const subkey = (
    purpose: string,
    kind: { name: string; length: number; hash?: string },
    usages: ('encrypt' | 'decrypt' | 'sign')[],
  ) => {
    const info = contextBytes(['scope-key', purpose, tenant, scope]);
    // The secret is random throughout, so the extraction needs no salt.
    const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
    return crypto.subtle.deriveKey(derivation, root, kind, false, usages);
  };
  const [sealing, tagging] = await Promise.all([
    subkey('seal', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt']),
    subkey('tag', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign']),
  ]);
  const place = ['sealed', tenant, scope];
  return {
    seal: (plain, context) => sealBytes(sealing, plain, [...place, ...context]),
    open: (sealed, context) => openBytes(sealing, sealed, [...place, ...context]),
    async tag(kind, value) {
      const hash = await crypto.subtle.sign('HMAC', tagging, contextBytes([kind, value]));
      return base64url.encode(new Uint8Array(hash).subarray(0, TAG_BYTES));
    },
  };
}

const TAG_BYTES = 16;
