import { base64url } from 'jose';
import { type MasterKey, masterKeysOf } from '../../keys/master-keys.ts';
import { countWrappedKeys, putWrappedKey, rewrapKeys } from '../../keys/wrapped-keys.ts';
import { deriveScopeKey } from './derive-scope-key.ts';
import type { KeyScope, ScopeKey, ScopeKeys } from './scope-key.ts';
import { openBytes, sealBytes } from './sealed-bytes.ts';

/**
 * Wrapped keys in R2, which has no point-in-time recovery: what is deleted there is gone.
 *
 * - `tenants/<tenant>`: the tenant key's random id, the master key's id, then the tenant's key wrapped by that master key (before master
 *   keys had ids: without one). Its metadata says the master key's id once more, for listings;
 * - `scopes/<tenant>/<id of the tenant's key>/<scope>`: the scope's key wrapped by the tenant's key. A scope that somebody was still
 *   making while the tenant's key was destroyed lies under the id of that key, where nobody looks again.
 *
 * Nothing is remembered between calls: a destroyed key is gone for the next one.
 *
 * @param masterKeys a secret of the Worker (`masterKeysOf`), whose first key wraps; a malformed one throws.
 */
export function openScopeKeys(bucket: R2Bucket, masterKeys: string): ScopeKeys {
  const masters = masterKeysOf(masterKeys);

  async function openTenantKey(tenant: string): Promise<TenantKey | null> {
    const stored = await bytesAt(bucket, tenantPath(tenant));
    if (stored === null) return null;
    const { id, secret } = await unwrapTenantKey(await masters, tenant, stored);
    return { id: hex(id), key: await wrappingKey(secret) };
  }

  async function createTenantKey(tenant: string): Promise<TenantKey> {
    for (let attempt = 0; attempt < CREATE_ATTEMPTS_MAX; attempt++) {
      const existing = await openTenantKey(tenant);
      if (existing !== null) return existing;
      const id = randomBytes(KEY_ID_BYTES);
      const secret = randomBytes(KEY_BYTES);
      const wrapped = await wrapTenantKey((await masters)[0], tenant, id, secret);
      if (await putWrappedKey(bucket, tenantPath(tenant), wrapped, await masters))
        return { id: hex(id), key: await wrappingKey(secret) };
    }
    throw new Error('the key of a tenant is created and destroyed by turns');
  }

  async function openScopeSecret(tenantKey: TenantKey, scope: KeyScope): Promise<Uint8Array | null> {
    const stored = await bytesAt(bucket, scopePath(scope, tenantKey.id));
    if (stored === null) return null;
    const secret = await openBytes(tenantKey.key, stored, scopeContext(scope, tenantKey.id));
    if (secret === null) throw new Error('the key of a scope does not open: damaged, or moved from another scope');
    return secret;
  }

  return {
    async create(scope) {
      assertNamed(scope);
      const tenantKey = await createTenantKey(scope.tenant);
      for (let attempt = 0; attempt < CREATE_ATTEMPTS_MAX; attempt++) {
        const existing = await openScopeSecret(tenantKey, scope);
        if (existing !== null) return keyOf(existing, scope);
        const secret = randomBytes(KEY_BYTES);
        const wrapped = await sealBytes(tenantKey.key, secret, scopeContext(scope, tenantKey.id));
        if (await putOnce(bucket, scopePath(scope, tenantKey.id), wrapped)) return keyOf(secret, scope);
      }
      throw new Error('the key of a scope is created and destroyed by turns');
    },

    async open(scope) {
      assertNamed(scope);
      const tenantKey = await openTenantKey(scope.tenant);
      if (tenantKey === null) return null;
      const secret = await openScopeSecret(tenantKey, scope);
      return secret === null ? null : keyOf(secret, scope);
    },

    async destroy(scope) {
      assertNamed(scope);
      const stored = await bytesAt(bucket, tenantPath(scope.tenant));
      if (stored === null) return;
      await bucket.delete(scopePath(scope, hex(stored.subarray(0, KEY_ID_BYTES))));
    },

    async destroyTenant(tenant) {
      assertNamed({ tenant, scope: 'all' });
      // First of all the key that opens all the others: from here on none of them does.
      await bucket.delete(tenantPath(tenant));
      await deleteAllUnder(bucket, `scopes/${encodeURIComponent(tenant)}/`);
    },
  };
}

/** Wraps a page of the keys of tenants by the first master key that another one has wrapped (`rewrapKeys`). */
export function rewrapTenantKeys(bucket: R2Bucket, masterKeys: string, after: string | null) {
  return rewrapKeys(bucket, TENANTS, masterKeys, after, async (masters, path, stored) => {
    const tenant = decodeURIComponent(path.slice(TENANTS.length));
    const { id, secret } = await unwrapTenantKey(masters, tenant, stored);
    const wrapped = await wrapTenantKey(masters[0], tenant, id, secret);
    secret.fill(0);
    return wrapped;
  });
}

export function countTenantKeys(bucket: R2Bucket): Promise<Map<string, number>> {
  return countWrappedKeys(bucket, TENANTS);
}

async function wrapTenantKey(
  master: MasterKey,
  tenant: string,
  id: Uint8Array,
  secret: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const sealed = await sealBytes(await importMaster(master), secret, tenantContext(tenant, hex(id)));
  return new Uint8Array([...id, ...base64url.decode(master.id), ...sealed]);
}

async function unwrapTenantKey(
  masters: readonly MasterKey[],
  tenant: string,
  stored: Uint8Array,
): Promise<{ readonly id: Uint8Array; readonly secret: Uint8Array }> {
  const id = stored.subarray(0, KEY_ID_BYTES);
  const isNamed = stored.length === NAMED_BYTES;
  const sealed = stored.subarray(KEY_ID_BYTES + (isNamed ? MASTER_ID_BYTES : 0));
  const name = isNamed ? base64url.encode(stored.subarray(KEY_ID_BYTES, KEY_ID_BYTES + MASTER_ID_BYTES)) : null;
  for (const master of masters) {
    if (name !== null && master.id !== name) continue;
    const secret = await openBytes(await importMaster(master), sealed, tenantContext(tenant, hex(id)));
    if (secret !== null) return { id, secret };
  }
  throw new Error('the key of a tenant does not open: wrong master key, or damaged');
}

function importMaster({ bytes }: MasterKey): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

const TENANTS = 'tenants/';
const MASTER_ID_BYTES = 6;
/** Of a tenant's key that names its master key: its id, that of the master key, a nonce, the key, and the tag. */
const NAMED_BYTES = 16 + MASTER_ID_BYTES + 12 + 32 + 16;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 16;
const CREATE_ATTEMPTS_MAX = 5;
const LISTED_KEYS = 250;

interface TenantKey {
  readonly id: string;
  readonly key: CryptoKey;
}

/** Of the secret nothing is left in the array. */
async function wrappingKey(secret: Uint8Array): Promise<CryptoKey> {
  const bytes = secret as Uint8Array<ArrayBuffer>;
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  bytes.fill(0);
  return key;
}

/** Of the secret nothing is left in the array. */
async function keyOf(secret: Uint8Array, scope: KeyScope): Promise<ScopeKey> {
  const key = await deriveScopeKey(secret, scope);
  secret.fill(0);
  return key;
}

function assertNamed({ tenant, scope }: KeyScope): void {
  if (tenant === '' || scope === '') throw new RangeError('a key belongs to a tenant and a scope');
}

function tenantPath(tenant: string): string {
  return `${TENANTS}${encodeURIComponent(tenant)}`;
}

function scopePath({ tenant, scope }: KeyScope, tenantKeyId: string): string {
  return `scopes/${encodeURIComponent(tenant)}/${tenantKeyId}/${encodeURIComponent(scope)}`;
}

function tenantContext(tenant: string, id: string): readonly string[] {
  return ['tenant-key', tenant, id];
}

function scopeContext({ tenant, scope }: KeyScope, tenantKeyId: string): readonly string[] {
  return ['scope-key', tenant, tenantKeyId, scope];
}

async function bytesAt(bucket: R2Bucket, path: string): Promise<Uint8Array | null> {
  const object = await bucket.get(path);
  return object === null ? null : new Uint8Array(await object.arrayBuffer());
}

/** False when something is there already: of several at the same time one succeeds. */
async function putOnce(bucket: R2Bucket, path: string, bytes: Uint8Array): Promise<boolean> {
  return (await bucket.put(path, bytes, { onlyIf: { etagDoesNotMatch: '*' } })) !== null;
}

async function deleteAllUnder(bucket: R2Bucket, prefix: string): Promise<void> {
  for (;;) {
    const { objects } = await bucket.list({ prefix, limit: LISTED_KEYS });
    if (objects.length === 0) return;
    await bucket.delete(objects.map(({ key }) => key));
  }
}

function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
