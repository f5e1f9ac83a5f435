import { base64url } from 'jose';

/**
 * Secrets at rest in D1: AES-256-GCM, stored as base64url of iv ‖ ciphertext. `context` (the row's id) is authenticated with it, so a
 * ciphertext moved to another row does not open.
 *
 * @param masterKey base64url of 32 bytes, itself a secret of the Worker.
 */
export async function sealSecret(plain: string, masterKey: string, context: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(
    algorithm(iv, context),
    await importKey(masterKey),
    new TextEncoder().encode(plain),
  );
  return base64url.encode(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

/** Throws when the key, the context or the ciphertext is not the one it was sealed with. */
export async function openSecret(ciphertext: string, masterKey: string, context: string): Promise<string> {
  const bytes = base64url.decode(ciphertext);
  const plain = await crypto.subtle.decrypt(
    algorithm(bytes.subarray(0, IV_BYTES), context),
    await importKey(masterKey),
    bytes.subarray(IV_BYTES),
  );
  return new TextDecoder().decode(plain);
}

const IV_BYTES = 12;

function algorithm(iv: Uint8Array, context: string) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(context) };
}

function importKey(masterKey: string) {
  return crypto.subtle.importKey('raw', base64url.decode(masterKey), 'AES-GCM', false, ['encrypt', 'decrypt']);
}
