import { base64url } from 'jose';

/** A key of 32 bytes that other secrets are sealed under, or from which keys for other purposes are derived. */
export interface MasterKey {
  /** Eight characters of base64url: 48 bits of a hash of the key, which tell nothing of it. It stands in what the key has sealed. */
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The first one seals; all open. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]];

/** Of one that takes another's place, and of one before it whose rows are still being sealed anew. */
const KEYS_MAX = 3;
const KEY = /^[\w-]{43}$/;
const ID_BYTES = 6;

/** As the Worker's secrets name them: three of them, or the same ones after a rotation. */
const HELD_MAX = 16;
const held = new Map<string, Promise<MasterKeys>>();

/**
 * The keys that a secret of the Worker states: base64url of 32 bytes, or up to three of them with a space in between, the newest first
 * (docs/design/keys.md).
 *
 * @throws RangeError where a part is no key
 */
export function masterKeysOf(stated: string): Promise<MasterKeys> {
  const known = held.get(stated);
  if (known !== undefined) return known;
  const parts = stated.trim().split(/ +/);
  if (parts.length > KEYS_MAX) throw new RangeError(`a secret states ${KEYS_MAX} master keys at most`);
  if (!parts.every((part) => KEY.test(part))) throw new RangeError('a master key is not base64url of 32 bytes');
  const keys = Promise.all(parts.map(masterKeyOf)) as Promise<readonly MasterKey[]> as Promise<MasterKeys>;
  if (held.size >= HELD_MAX) held.clear();
  held.set(stated, keys);
  return keys;
}

async function masterKeyOf(part: string): Promise<MasterKey> {
  const bytes = new Uint8Array(base64url.decode(part));
  const labelled = new Uint8Array([...new TextEncoder().encode('id of a master key\n'), ...bytes]);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', labelled));
  return { id: base64url.encode(hash.subarray(0, ID_BYTES)), bytes };
}

/** An HMAC-SHA256 key for one purpose, by HKDF (RFC 5869): what it signs is good for nothing else, and it opens nothing. */
export async function derivedMacKey({ bytes }: MasterKey, purpose: string): Promise<CryptoKey> {
  const root = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']);
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: new TextEncoder().encode(purpose) },
    root,
    // The runtime wants the hash, its types do not know of it.
    { name: 'HMAC', length: 256, ...{ hash: 'SHA-256' } },
    false,
    ['sign', 'verify'],
  );
}

/** HMAC-SHA256 as base64url under the key of a purpose. */
export async function derivedMac(key: MasterKey, purpose: string, text: string): Promise<string> {
  const mac = await crypto.subtle.sign('HMAC', await derivedMacKey(key, purpose), new TextEncoder().encode(text));
  return base64url.encode(new Uint8Array(mac));
}
