import { contextBytes } from './context-bytes.ts';

/** As WebCrypto names it in every runtime's types. */
type SealingKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** AES-256-GCM: a random 96-bit nonce, the ciphertext, its tag of 128 bits. `context` is authenticated with it. */
export async function sealBytes(
  key: SealingKey,
  plain: Uint8Array,
  context: readonly string[],
): Promise<Uint8Array<ArrayBuffer>> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const ciphertext = await crypto.subtle.encrypt(algorithm(nonce, context), key, plain as Uint8Array<ArrayBuffer>);
  const sealed = new Uint8Array(NONCE_BYTES + ciphertext.byteLength);
  sealed.set(nonce);
  sealed.set(new Uint8Array(ciphertext), NONCE_BYTES);
  return sealed;
}

/** Null for bytes that this key did not seal in this context. */
export async function openBytes(
  key: SealingKey,
  sealed: Uint8Array,
  context: readonly string[],
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const bytes = sealed as Uint8Array<ArrayBuffer>;
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    return new Uint8Array(await crypto.subtle.decrypt(algorithm(nonce, context), key, bytes.subarray(NONCE_BYTES)));
  } catch {
    // WebCrypto tells a wrong key, context or ciphertext by an exception alone, and by one for all.
    return null;
  }
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function algorithm(nonce: Uint8Array<ArrayBuffer>, context: readonly string[]) {
  return { name: 'AES-GCM', iv: nonce, additionalData: contextBytes(context) };
}
