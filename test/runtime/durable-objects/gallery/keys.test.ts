import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { contextBytes } from '../../../../data/events/keys/context-bytes.ts';
import { deriveScopeKey } from '../../../../data/events/keys/derive-scope-key.ts';
import { openScopeKeys } from '../../../../data/events/keys/r2-scope-keys.ts';
import type { KeyScope } from '../../../../data/events/keys/scope-key.ts';

const plain = new TextEncoder().encode('Ada Lovelace, ada@example.com');
const context = ['identity', 'entry-1'];
let tenant = '';
let scope: KeyScope = { tenant, scope: '' };
const keys = () => openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY);

beforeEach(() => {
  tenant = crypto.randomUUID();
  scope = { tenant, scope: `event:${crypto.randomUUID()}` };
});

describe('a sealed blob', () => {
  it('opens under the key of its scope, for everyone who opens that key', async () => {
    const sealed = await (await keys().create(scope)).seal(plain, context);
    expect(await (await keys().open(scope))?.open(sealed, context)).toEqual(plain);
  });

  it('is different each time and holds nothing of the plaintext', async () => {
    const key = await keys().create(scope);
    const [one, other] = await Promise.all([key.seal(plain, context), key.seal(plain, context)]);
    expect(one).not.toEqual(other);
    expect(new TextDecoder().decode(one)).not.toContain('Ada');
  });

  it('does not open in another place', async () => {
    const key = await keys().create(scope);
    const sealed = await key.seal(plain, context);
    for (const other of [['identity', 'entry-2'], ['photo', 'entry-1'], ['identity'], ['identityentry', '-1'], []]) {
      expect(await key.open(sealed, other)).toBeNull();
    }
  });

  it('does not open under the key of another scope or tenant', async () => {
    const sealed = await (await keys().create(scope)).seal(plain, context);
    for (const other of [
      { tenant, scope: `event:${crypto.randomUUID()}` },
      { tenant: crypto.randomUUID(), scope: scope.scope },
    ]) {
      expect(await (await keys().create(other)).open(sealed, context)).toBeNull();
    }
  });

  it('does not open with any one of its bytes changed, or cut short', async () => {
    const key = await keys().create(scope);
    const sealed = await key.seal(plain, context);
    for (let at = 0; at < sealed.length; at++) {
      const tampered = sealed.slice();
      tampered[at]! ^= 1;
      expect(await key.open(tampered, context)).toBeNull();
      expect(await key.open(sealed.subarray(0, at), context)).toBeNull();
    }
  });
});

describe('the parts of a context', () => {
  it('are told apart wherever they are divided', () => {
    const all = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', ''], ['', 'abc'], []].map(
      (parts) => `${contextBytes(parts)}`,
    );
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('a tag', () => {
  it('is equal for equal values of one kind under one key alone', async () => {
    const key = await keys().create(scope);
    const other = await keys().create({ tenant, scope: 'enhancements' });
    const tag = await key.tag('email', 'ada@example.com');
    expect(tag).toMatch(/^[\w-]{22}$/);
    expect(await (await keys().open(scope))?.tag('email', 'ada@example.com')).toBe(tag);
    expect(await key.tag('email', new TextEncoder().encode('ada@example.com'))).toBe(tag);
    expect(await key.tag('attendee', 'ada@example.com')).not.toBe(tag);
    expect(await key.tag('email', 'ada@example.org')).not.toBe(tag);
    expect(await other.tag('email', 'ada@example.com')).not.toBe(tag);
  });
});

describe('the key of a scope', () => {
  it('is one key when many create it at the same time', async () => {
    const created = await Promise.all(Array.from({ length: 8 }, () => keys().create(scope)));
    const sealed = await created[0]!.seal(plain, context);
    for (const key of created) expect(await key.open(sealed, context)).toEqual(plain);
  });

  it('is not there before it is created', async () => {
    expect(await keys().open(scope)).toBeNull();
    await keys().create({ tenant, scope: 'enhancements' });
    expect(await keys().open(scope)).toBeNull();
  });

  it('is gone once destroyed, for a store that had opened it too, and a key made again is another', async () => {
    const store = keys();
    const sealed = await (await store.create(scope)).seal(plain, context);
    await store.destroy(scope);
    await store.destroy(scope);
    expect(await store.open(scope)).toBeNull();
    expect(await (await store.create(scope)).open(sealed, context)).toBeNull();
  });

  it('cannot be put in the place of another', async () => {
    const other = { tenant, scope: `event:${crypto.randomUUID()}` };
    await keys().create(scope);
    await keys().create(other);
    const { objects } = await env.EVENT_KEYS.list({ prefix: `scopes/${tenant}/` });
    const pathOf = ({ scope }: KeyScope) => objects.find(({ key }) => key.endsWith(encodeURIComponent(scope)))!.key;
    const wrapped = await (await env.EVENT_KEYS.get(pathOf(other)))!.arrayBuffer();
    await env.EVENT_KEYS.put(pathOf(scope), wrapped);
    await expect(keys().open(scope)).rejects.toThrow('does not open');
  });
});

describe('destroying the key of a tenant', () => {
  it('destroys those of all its scopes, and no other tenant’s', async () => {
    const scopes = Array.from({ length: 3 }, (_, at) => ({ tenant, scope: `event:${at}` }));
    const neighbour = { tenant: `${tenant}/neighbour`, scope: 'event:0' };
    for (const each of [...scopes, neighbour]) await keys().create(each);
    await keys().destroyTenant(tenant);
    for (const each of scopes) expect(await keys().open(each)).toBeNull();
    expect(await keys().open(neighbour)).not.toBeNull();
    expect((await env.EVENT_KEYS.list({ prefix: `scopes/${tenant}/` })).objects).toEqual([]);
  });

  it('makes what it wrapped useless, also where a copy of it is brought back', async () => {
    const sealed = await (await keys().create(scope)).seal(plain, context);
    const [{ key: path }] = (await env.EVENT_KEYS.list({ prefix: `scopes/${tenant}/` })).objects as [R2Object];
    const copy = await (await env.EVENT_KEYS.get(path))!.arrayBuffer();
    await keys().destroyTenant(tenant);
    await env.EVENT_KEYS.put(path, copy);
    expect(await keys().open(scope)).toBeNull();
    expect(await (await keys().create(scope)).open(sealed, context)).toBeNull();
  });

  it('deletes the keys of more scopes than one listing holds', async () => {
    await keys().create(scope);
    const folder = `scopes/${tenant}/0`;
    await Promise.all(Array.from({ length: 300 }, (_, at) => env.EVENT_KEYS.put(`${folder}/${at}`, 'wrapped')));
    await keys().destroyTenant(tenant);
    expect((await env.EVENT_KEYS.list({ prefix: `scopes/${tenant}/` })).objects).toEqual([]);
  });
});

describe('what lies in R2', () => {
  it('opens under no other master key, and a malformed one is refused', async () => {
    await keys().create(scope);
    const other = openScopeKeys(env.EVENT_KEYS, `${'x'.repeat(42)}w`);
    await expect(other.open(scope)).rejects.toThrow('wrong master key');
    await expect(other.create(scope)).rejects.toThrow('wrong master key');
    for (const malformed of ['', 'c2hvcnQ', `${env.EVENTS_MASTER_KEY}A`, `${'x'.repeat(42)}!`]) {
      expect(() => openScopeKeys(env.EVENT_KEYS, malformed)).toThrow(RangeError);
    }
  });

  it('is wrapped keys alone: none of the keys, and nothing that they sealed', async () => {
    const key = await keys().create(scope);
    const sealed = await key.seal(plain, context);
    const { objects } = await env.EVENT_KEYS.list();
    expect(objects.some(({ key }) => key.includes(tenant))).toBe(true);
    for (const { key: path } of objects) {
      const stored = new Uint8Array(await (await env.EVENT_KEYS.get(path))!.arrayBuffer());
      // Each window of 32 bytes could be a key in the clear; none of them opens the blob.
      for (let at = 0; at + 32 <= stored.length; at++) {
        expect(await (await deriveScopeKey(stored.slice(at, at + 32), scope)).open(sealed, context)).toBeNull();
      }
    }
  });
});
