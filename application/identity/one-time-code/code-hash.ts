import { base64url } from 'jose';

/**
 * What is stored of a one-time code: HMAC-SHA256 over phone and code, under a key derived from IAM_KEY_ENCRYPTION_KEY, because the
 * million codes there are could all be tried against a plain hash.
 */
export async function codeHashOf(phone: string, code: string, env: Env): Promise<string> {
  const master = await crypto.subtle.importKey('raw', base64url.decode(env.IAM_KEY_ENCRYPTION_KEY), 'HKDF', false, [
    'deriveKey',
  ]);
  const derivation = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: new TextEncoder().encode('one-time-code'),
  };
  const key = await crypto.subtle.deriveKey(derivation, master, { name: 'HMAC', hash: 'SHA-256', length: 256 }, false, [
    'sign',
  ]);
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${phone}\n${code}`));
  return base64url.encode(new Uint8Array(mac));
}
