import { base64url } from 'jose';
import { deriveScopeKey } from './derive-scope-key.ts';
import type { KeyScope, ScopeKey, ScopeKeys } from './scope-key.ts';
import { openBytes, sealBytes } from './sealed-bytes.ts';

/**
 * Wrapped keys in R2, which has no point-in-time recovery: what is deleted there is gone.
 *
 * - `tenants/<tenant>`: the tenant key's random id, then the tenant's key wrapped by the master key;
 * - `scopes/<tenant>/<id of the tenant's key>/<scope>`: the scope's key wrapped by the tenant's key. A scope that somebody was still
 *   making while the tenant's key was destroyed lies under the id of that key, where nobody looks again.
 *
 * Nothing is remembered between calls: a destroyed key is gone for the next one.
 *
 * @param masterKey base64url of 32 bytes, itself a secret of the Worker; a malformed one throws.
 */
export function openScopeKeys(bucket: R2Bucket, masterKey: string): ScopeKeys {
  if (!MASTER_KEY.test(masterKey)) throw new RangeError('the master key of events is not base64url of 32 bytes');
  const masterSecret = base64url.decode(masterKey);
  let imported: Promise<CryptoKey> | undefined;
  const master = () => (imported ??= wrappingKey(masterSecret));

  async function openTenantKey(tenant: string): Promise<TenantKey | null> {
    const stored = await bytesAt(bucket, tenantPath(tenant));
    if (stored === null) return null;
    const id = stored.subarray(0, KEY_ID_BYTES);
    const secret = await openBytes(await master(), stored.subarray(KEY_ID_BYTES), tenantContext(tenant, hex(id)));
    if (secret === null) throw new Error('the key of a tenant does not open: wrong master key, or damaged');
    return { id: hex(id), key: await wrappingKey(secret) };
  }

  async function createTenantKey(tenant: string): Promise<TenantKey> {
    for (let attempt = 0; attempt < CREATE_ATTEMPTS_MAX; attempt++) {
      const existing = await openTenantKey(tenant);
      if (existing !== null) return existing;
      const id = randomBytes(KEY_ID_BYTES);
      const secret = randomBytes(KEY_BYTES);
      const wrapped = await sealBytes(await master(), secret, tenantContext(tenant, hex(id)));
      if (await putOnce(bucket, tenantPath(tenant), new Uint8Array([...id, ...wrapped]))) {
        return { id: hex(id), key: await wrappingKey(secret) };
      }
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

const MASTER_KEY = /^[\w-]{43}$/;
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
  return `tenants/${encodeURIComponent(tenant)}`;
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
