import { base64url } from 'jose';
import { openBytes, sealBytes } from '../events/keys/sealed-bytes.ts';

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

const MASTER_KEY = /^[\w-]{43}$/;
const KEY_BYTES = 32;
const NAME_BYTES = 8;
const CREATE_ATTEMPTS_MAX = 5;

interface MasterKey {
  /** The first bytes of its SHA-256: what it wraps says which one it was. */
  readonly name: Uint8Array<ArrayBuffer>;
  readonly key: CryptoKey;
}

/**
 * Wrapped keys in R2, which has no point-in-time recovery: what is deleted there is gone. An object is the master key's name, then the person's key wrapped by it.
 *
 * @param masterKeys base64url of 32 bytes each, with spaces in between. The first wraps, all of them unwrap, and what another than the first has wrapped is wrapped anew when it is
 * opened: so a master key is replaced (docs/design/onboarding.md#the-master-key). Malformed ones throw.
 */
export function openPersonKeys(bucket: R2Bucket, masterKeys: string): PersonKeys {
  const secrets = masterKeys.split(' ').filter((secret) => secret !== '');
  if (secrets.length === 0 || !secrets.every((secret) => MASTER_KEY.test(secret)))
    throw new RangeError('a master key of identities is not base64url of 32 bytes');
  let imported: Promise<readonly MasterKey[]> | undefined;
  const masters = () => (imported ??= Promise.all(secrets.map(masterKeyOf)));

  async function wrap(identity: string, secret: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const { name, key } = (await masters())[0]!;
    return new Uint8Array([...name, ...(await sealBytes(key, secret, contextOf(identity, name)))]);
  }

  async function secretOf(identity: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const object = await bucket.get(pathOf(identity));
    if (object === null) return null;
    const stored = new Uint8Array(await object.arrayBuffer());
    const name = stored.subarray(0, NAME_BYTES);
    const known = await masters();
    const master = known.find((candidate) => hex(candidate.name) === hex(name));
    const secret =
      master === undefined ? null : await openBytes(master.key, stored.subarray(NAME_BYTES), contextOf(identity, name));
    if (secret === null) throw new Error('the key of a person does not open: no such master key, or damaged');
    if (master !== known[0])
      await bucket.put(pathOf(identity), await wrap(identity, secret), { onlyIf: { etagMatches: object.etag } });
    return secret;
  }

  return {
    async create(identity) {
      for (let attempt = 0; attempt < CREATE_ATTEMPTS_MAX; attempt++) {
        const existing = await secretOf(identity);
        if (existing !== null) return keyOf(existing, identity);
        const secret = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
        const stored = await bucket.put(pathOf(identity), await wrap(identity, secret), {
          onlyIf: { etagDoesNotMatch: '*' },
        });
        if (stored !== null) return keyOf(secret, identity);
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

const pathOf = (identity: string): string => `people/${identity}`;

const contextOf = (identity: string, name: Uint8Array): readonly string[] => ['person-key', hex(name), identity];

async function masterKeyOf(secret: string): Promise<MasterKey> {
  const bytes = base64url.decode(secret) as Uint8Array<ArrayBuffer>;
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return { name: new Uint8Array(digest).slice(0, NAME_BYTES), key: await importKey(bytes) };
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

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
