import { base64url } from 'jose';
import { type MasterKey, masterKeysOf } from '../keys/master-keys.ts';

/**
 * Secrets at rest in D1: AES-256-GCM, stored as `<id of the key>.<base64url of iv ‖ ciphertext>`. `context` (the row's id) is
 * authenticated with it, so a ciphertext moved to another row does not open.
 *
 * @param masterKeys a secret of the Worker (`masterKeysOf`), whose first key seals
 */
export async function sealSecret(plain: string, masterKeys: string, context: string): Promise<string> {
  const [key] = await masterKeysOf(masterKeys);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(
    algorithm(iv, context),
    await importKey(key),
    new TextEncoder().encode(plain),
  );
  return `${sealPrefix(key)}${base64url.encode(new Uint8Array([...iv, ...new Uint8Array(sealed)]))}`;
}

/**
 * What was sealed before keys had ids is tried with each.
 *
 * @throws where the key is not stated any more, or the context or the ciphertext is not the one it was sealed with
 */
export async function openSecret(ciphertext: string, masterKeys: string, context: string): Promise<string> {
  const keys = await masterKeysOf(masterKeys);
  const [first, second] = ciphertext.split('.');
  const bytes = base64url.decode(second ?? first!);
  const fitting = second === undefined ? keys : keys.filter(({ id }) => id === first);
  let failed: unknown = new Error(`the key ${first} that has sealed this is not stated any more`);
  for (const key of fitting) {
    try {
      const algorithmOf = algorithm(bytes.subarray(0, IV_BYTES), context);
      const plain = await crypto.subtle.decrypt(algorithmOf, await importKey(key), bytes.subarray(IV_BYTES));
      return new TextDecoder().decode(plain);
    } catch (error) {
      failed = error;
    }
  }
  throw failed;
}

/** What stands before everything that a key has sealed. */
export function sealPrefix({ id }: MasterKey): string {
  return `${id}.`;
}

/** The same secret under the first of the keys; null where it lies under that one already. */
export async function resealed(ciphertext: string, masterKeys: string, context: string): Promise<string | null> {
  const [key] = await masterKeysOf(masterKeys);
  if (ciphertext.startsWith(sealPrefix(key))) return null;
  return sealSecret(await openSecret(ciphertext, masterKeys, context), masterKeys, context);
}

const IV_BYTES = 12;

function algorithm(iv: Uint8Array, context: string) {
  return { name: 'AES-GCM', iv: new Uint8Array(iv), additionalData: new TextEncoder().encode(context) };
}

function importKey({ bytes }: MasterKey) {
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
