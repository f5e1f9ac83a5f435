import { base64url } from 'jose';
import { openBytes, sealBytes } from '../events/keys/sealed-bytes.ts';
import { type MasterKey, type MasterKeys, masterKeysOf } from '../keys/master-keys.ts';
import { countWrappedKeys, putWrappedKey, rewrapKeys } from '../keys/wrapped-keys.ts';

/** The key of one person: AES-256-GCM. What it seals is bound to what it is. */
export interface PersonKey {
  seal(plain: Uint8Array, context: readonly string[]): Promise<Uint8Array<ArrayBuffer>>;
  /** Null for a blob that is not this key's, was moved, or was tampered with. */
  open(sealed: Uint8Array, context: readonly string[]): Promise<Uint8Array<ArrayBuffer> | null>;
}

/** Keys of people, each wrapped by a master key; the wrapped ones lie in R2 and nowhere else. */
interface PersonKeys {
  /** Makes the key of a person, or gives the one that is there. */
  create(identity: string): Promise<PersonKey>;
  /** Null when there is none: never made, or destroyed. */
  open(identity: string): Promise<PersonKey | null>;
  /** Destroys the key, and with it everything that it sealed. */
  destroy(identity: string): Promise<void>;
}

const KEY_BYTES = 32;
const MASTER_ID_BYTES = 6;
const CREATE_ATTEMPTS_MAX = 5;
const PEOPLE = 'people/';

/**
 * Wrapped keys in R2, which has no point-in-time recovery: what is deleted there is gone. An object is the master key's id, then the person's key wrapped by it.
 *
 * @param masterKeys a secret of the Worker (`masterKeysOf`), whose first key wraps; malformed ones throw
 */
export function openPersonKeys(bucket: R2Bucket, masterKeys: string): PersonKeys {
  const masters = masterKeysOf(masterKeys);

  async function secretOf(identity: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const object = await bucket.get(pathOf(identity));
    return object === null ? null : unwrapped(await masters, identity, new Uint8Array(await object.arrayBuffer()));
  }

  return {
    async create(identity) {
      for (let attempt = 0; attempt < CREATE_ATTEMPTS_MAX; attempt++) {
        const existing = await secretOf(identity);
        if (existing !== null) return keyOf(existing, identity);
        const secret = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
        const bytes = await wrapped((await masters)[0], identity, secret);
        if (await putWrappedKey(bucket, pathOf(identity), bytes, await masters)) return keyOf(secret, identity);
      }
      throw new Error('the key of a person is created and destroyed by turns');
    },
    async open(identity) {
      const secret = await secretOf(identity);
      return secret === null ? null : keyOf(secret, identity);
    },
    destroy: (identity) => bucket.delete(pathOf(identity)),
  };
}

/** Wraps a page of people's keys by the first master key that another one has wrapped (`rewrapKeys`). */
export function rewrapPersonKeys(bucket: R2Bucket, masterKeys: string, after: string | null) {
  return rewrapKeys(bucket, PEOPLE, masterKeys, after, async (masters, path, stored) => {
    const identity = path.slice(PEOPLE.length);
    const secret = await unwrapped(masters, identity, stored);
    const bytes = await wrapped(masters[0], identity, secret);
    secret.fill(0);
    return bytes;
  });
}

export function countPersonKeys(bucket: R2Bucket): Promise<Map<string, number>> {
  return countWrappedKeys(bucket, PEOPLE);
}

const pathOf = (identity: string): string => `${PEOPLE}${identity}`;

const contextOf = (identity: string, master: string): readonly string[] => ['person-key', master, identity];

async function wrapped(
  { id, bytes }: MasterKey,
  identity: string,
  secret: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const sealed = await sealBytes(await importKey(bytes), secret, contextOf(identity, id));
  return new Uint8Array([...base64url.decode(id), ...sealed]);
}

/** @throws where the master key that it names is not stated, or it is damaged */
async function unwrapped(masters: MasterKeys, identity: string, stored: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const id = base64url.encode(stored.subarray(0, MASTER_ID_BYTES));
  const master = masters.find((candidate) => candidate.id === id);
  const sealed = stored.subarray(MASTER_ID_BYTES);
  const secret = master && (await openBytes(await importKey(master.bytes), sealed, contextOf(identity, id)));
  if (!secret) throw new Error('the key of a person does not open: no such master key, or damaged');
  return secret;
}

async function keyOf(secret: Uint8Array<ArrayBuffer>, identity: string): Promise<PersonKey> {
  const key = await importKey(secret);
  secret.fill(0);
  return {
    seal: (plain, context) => sealBytes(key, plain, ['person', identity, ...context]),
    open: (sealed, context) => openBytes(key, sealed, ['person', identity, ...context]),
  };
}

function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
