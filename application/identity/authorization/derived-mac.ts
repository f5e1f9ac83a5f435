import { base64url } from 'jose';

/** HMAC-SHA256 as base64url, under a key that is derived from IAM_KEY_ENCRYPTION_KEY for one purpose. */
export async function derivedMac(
  env: Pick<Env, 'IAM_KEY_ENCRYPTION_KEY'>,
  purpose: string,
  text: string,
): Promise<string> {
  const encoder = new TextEncoder();
  const master = await crypto.subtle.importKey('raw', base64url.decode(env.IAM_KEY_ENCRYPTION_KEY), 'HKDF', false, [
    'deriveKey',
  ]);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(purpose) };
  const key = await crypto.subtle.deriveKey(derivation, master, { name: 'HMAC', hash: 'SHA-256', length: 256 }, false, [
    'sign',
  ]);
  return base64url.encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text))));
}
