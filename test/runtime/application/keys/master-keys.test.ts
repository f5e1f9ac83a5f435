import { env } from 'cloudflare:workers';
import { base64url } from 'jose';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import { isSigned, signLink } from '../../../../application/events/enhancement/result-link.ts';
import { formTokenOf, isFormToken } from '../../../../application/identity/authorization/form-token.ts';
import { issueOneTimeCode } from '../../../../application/identity/one-time-code/issue-one-time-code.ts';
import { redeemOneTimeCode } from '../../../../application/identity/one-time-code/redeem-one-time-code.ts';
import { createSigningKey } from '../../../../application/identity/signing-keys/create-signing-key.ts';
import { issueTenantToken, tenantTokenFits } from '../../../../application/identity/tenant-token.ts';
import { readMasterKeys } from '../../../../application/keys/read-master-keys.ts';
import { resealSecrets } from '../../../../application/keys/reseal-secrets.ts';
import type { Database } from '../../../../data/database.ts';
import { openScopeKeys, rewrapTenantKeys } from '../../../../data/events/keys/r2-scope-keys.ts';
import { openSecret, sealSecret } from '../../../../data/identity/sealed-secret.ts';
import { addSigningKey } from '../../../../data/identity/signing-keys.ts';
import { masterKeysOf } from '../../../../data/keys/master-keys.ts';
import { resealRows, SEALED_TABLES } from '../../../../data/keys/sealed-tables.ts';
import { headersContext, secretContext } from '../../../../data/webhooks/endpoints.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
});

const randomKey = () => base64url.encode(crypto.getRandomValues(new Uint8Array(32)));

/** The Worker as a deployment with other secrets has it. */
const withSecrets = (secrets: Partial<Env>): Env => ({ ...env, ...secrets });
const idOf = async (key: string) => (await masterKeysOf(key))[0].id;

/** One text of a table, by id. */
const textOf = (table: string, id: string, row: string, column: string) =>
  env.DB.prepare(`SELECT ${column} AS text FROM ${table} WHERE ${id} = ?`).bind(row).first<string>('text');

describe('I-11: a master key of secrets in D1', () => {
  it('is replaced: what the old one has sealed opens under the new one alone, and nothing is lost meanwhile', async () => {
    const [old, next] = [env.API_KEY_MASTER_KEY, randomKey()];
    const holder = await createKeyHolder(db);
    const endpoint = uuidv7();
    const seal = (text: string, context: string) => sealSecret(text, old, context);
    await env.DB.prepare(
      `INSERT INTO webhook_endpoints (id, organization, url, events, headers, secret, former_secret, former_secret_ends_at, earlier_secrets, created_at)
       VALUES (?, 'org-test', 'https://receiver.test/', '[]', ?, ?, ?, 1, ?, 1)`,
    )
      .bind(
        endpoint,
        await seal('{"x-own":"1"}', headersContext(endpoint)),
        await seal('now', secretContext(endpoint)),
        await seal('former', secretContext(endpoint)),
        JSON.stringify([{ secret: await seal('earlier', secretContext(endpoint)), endsAt: 5 }]),
      )
      .run();
    const before = await textOf('api_keys', 'id', holder.keyId, 'secret_ciphertext');
    const secret = await openSecret(before!, old, holder.keyId);

    const both = withSecrets({ API_KEY_MASTER_KEY: `${next} ${old}` });
    expect(await openSecret(before!, both.API_KEY_MASTER_KEY, holder.keyId)).toBe(secret);
    while (await resealSecrets(both));

    const after = await textOf('api_keys', 'id', holder.keyId, 'secret_ciphertext');
    expect(await openSecret(after!, next, holder.keyId)).toBe(secret);
    await expect(openSecret(after!, old, holder.keyId)).rejects.toThrow('not stated any more');
    const opened = async (column: string, context: string) =>
      openSecret((await textOf('webhook_endpoints', 'id', endpoint, column))!, next, context);
    expect(await opened('secret', secretContext(endpoint))).toBe('now');
    expect(await opened('former_secret', secretContext(endpoint))).toBe('former');
    expect(await opened('headers', headersContext(endpoint))).toBe('{"x-own":"1"}');
    const earlier = JSON.parse((await textOf('webhook_endpoints', 'id', endpoint, 'earlier_secrets'))!);
    expect(earlier).toMatchObject([{ endsAt: 5 }]);
    expect(await openSecret(earlier[0].secret, next, secretContext(endpoint))).toBe('earlier');

    const use = (await readMasterKeys(both)).find((each) => each.secret === 'API_KEY_MASTER_KEY');
    expect(use?.stated).toEqual([await idOf(next), await idOf(old)]);
    expect(use?.sealed.map(({ id }) => id)).toEqual([await idOf(next)]);
    // Back, for the tests that follow.
    while (await resealSecrets(withSecrets({ API_KEY_MASTER_KEY: `${old} ${next}` })));
  });

  it('opens what was sealed before keys had ids, which is counted without one and sealed anew', async () => {
    const [old, next] = [env.IAM_KEY_ENCRYPTION_KEY, randomKey()];
    const row = await createSigningKey(env, 1);
    const [, withoutId] = row.privateJwkCiphertext.split('.');
    await addSigningKey(db, { ...row, privateJwkCiphertext: withoutId!, retiredAt: 2 }, []);
    const both = withSecrets({ IAM_KEY_ENCRYPTION_KEY: `${next} ${old}` });
    const counted = async () =>
      (await readMasterKeys(both)).find(({ secret }) => secret === 'IAM_KEY_ENCRYPTION_KEY')?.sealed;
    expect(await counted()).toContainEqual({ id: null, count: 1 });
    while (await resealSecrets(both));
    expect((await counted())?.map(({ id }) => id)).toEqual([await idOf(next)]);
    const text = await textOf('signing_keys', 'kid', row.kid, 'private_jwk_ciphertext');
    expect(JSON.parse(await openSecret(text!, next, row.kid))).toMatchObject({ kty: 'EC' });
    while (await resealSecrets(withSecrets({ IAM_KEY_ENCRYPTION_KEY: `${old} ${next}` })));
  });

  it('that is stated alone leaves rows as they are, and a row that no key opens keeps back no other', async () => {
    const [old, next] = [env.API_KEY_MASTER_KEY, randomKey()];
    const holder = await createKeyHolder(db);
    const text = () => textOf('api_keys', 'id', holder.keyId, 'secret_ciphertext');
    await env.DB.prepare('UPDATE api_keys SET secret_ciphertext = substr(secret_ciphertext, 10) WHERE id = ?')
      .bind(holder.keyId)
      .run();
    const before = await text();
    expect(await resealSecrets(env)).toBe(false);
    expect(await text()).toBe(before);
    const lost = await createKeyHolder(db);
    await env.DB.prepare('UPDATE api_keys SET secret_ciphertext = ? WHERE id = ?')
      .bind(await sealSecret('lost', randomKey(), lost.keyId), lost.keyId)
      .run();
    while (await resealSecrets(withSecrets({ API_KEY_MASTER_KEY: `${next} ${old}` })));
    expect(await text()).toMatch(`${await idOf(next)}.`);
    expect(await textOf('api_keys', 'id', lost.keyId, 'secret_ciphertext')).not.toMatch(`${await idOf(next)}.`);
    while (await resealSecrets(withSecrets({ API_KEY_MASTER_KEY: `${old} ${next}` })));
  });

  it('leaves alone a row that somebody has changed since it was read', async () => {
    const [old, next] = [env.API_KEY_MASTER_KEY, randomKey()];
    const holder = await createKeyHolder(db);
    const rotated = await sealSecret('rotated meanwhile', old, holder.keyId);
    let asked = 0;
    const changing = new Proxy(db, {
      get: (target, name) => {
        if (name !== 'all') return Reflect.get(target, name);
        return async (query: Parameters<Database['all']>[0]) => {
          asked += 1;
          // The rows are read, and this is the first that is written.
          if (asked === 2)
            await env.DB.prepare('UPDATE api_keys SET secret_ciphertext = ? WHERE id = ?')
              .bind(rotated, holder.keyId)
              .run();
          return target.all(query);
        };
      },
    });
    const apiKeys = { ...SEALED_TABLES[0]!, table: 'api_keys' };
    await env.DB.prepare('DELETE FROM api_keys WHERE id <> ?').bind(holder.keyId).run();
    expect(await resealRows(changing, apiKeys, `${next} ${old}`, 10)).toEqual({ count: 0, closed: [] });
    expect(await textOf('api_keys', 'id', holder.keyId, 'secret_ciphertext')).toBe(rotated);
  });

  it('is refused where it is malformed or there are more than three', async () => {
    const key = randomKey();
    for (const malformed of ['', 'c2hvcnQ', `${key}A`, `${key},${randomKey()}`, Array(4).fill(key).join(' ')])
      expect(() => masterKeysOf(malformed)).toThrow(RangeError);
    expect(await masterKeysOf(` ${key}  ${randomKey()} `)).toHaveLength(2);
  });
});

describe('I-11: the master key of events', () => {
  const scopeOf = () => ({ tenant: `tenant-${uuidv7()}`, scope: 'event' });
  const plain = new TextEncoder().encode('a face');

  it('is replaced: keys of tenants are wrapped anew, and what they have sealed opens under the new one alone', async () => {
    const [old, next] = [env.EVENTS_MASTER_KEY, randomKey()];
    const scope = scopeOf();
    const sealed = await (await openScopeKeys(env.EVENT_KEYS, old).create(scope)).seal(plain, ['test']);
    while (await resealSecrets(withSecrets({ EVENTS_MASTER_KEY: `${next} ${old}` })));
    const key = await openScopeKeys(env.EVENT_KEYS, next).open(scope);
    expect(await key?.open(sealed, ['test'])).toEqual(plain);
    await expect(openScopeKeys(env.EVENT_KEYS, old).open(scope)).rejects.toThrow('wrong master key');
    const uses = await readMasterKeys(withSecrets({ EVENTS_MASTER_KEY: next }));
    const use = uses.find(({ secret }) => secret === 'EVENTS_MASTER_KEY');
    expect(use?.sealed.map(({ id }) => id)).toEqual([await idOf(next)]);
    while (await resealSecrets(withSecrets({ EVENTS_MASTER_KEY: `${old} ${next}` })));
  });

  it('brings back no key that is destroyed while it is wrapped anew', async () => {
    const scope = scopeOf();
    const keys = openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY);
    await keys.create(scope);
    /** A bucket in which the tenant's key is destroyed just before it would be written. */
    const bucket = new Proxy(env.EVENT_KEYS, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        if (name !== 'put') return value.bind(target);
        return async (...terms: Parameters<R2Bucket['put']>) => {
          await keys.destroyTenant(scope.tenant);
          return target.put(...terms);
        };
      },
    });
    const next = randomKey();
    await rewrapTenantKeys(bucket, `${next} ${env.EVENTS_MASTER_KEY}`, null);
    expect(await openScopeKeys(env.EVENT_KEYS, `${next} ${env.EVENTS_MASTER_KEY}`).open(scope)).toBeNull();
    while (await resealSecrets(withSecrets({ EVENTS_MASTER_KEY: `${env.EVENTS_MASTER_KEY} ${next}` })));
  });

  it('leaves links good that the one before has signed, until it is taken back', async () => {
    const [old, next] = [env.EVENTS_MASTER_KEY, randomKey()];
    const link = { tenant: 'org', jobId: uuidv7(), expires: 5 };
    const signature = await signLink({ EVENTS_MASTER_KEY: old }, link);
    expect(await isSigned({ EVENTS_MASTER_KEY: `${next} ${old}` }, link, signature)).toBe(true);
    expect(await isSigned({ EVENTS_MASTER_KEY: next }, link, signature)).toBe(false);
    expect(await isSigned({ EVENTS_MASTER_KEY: `${next} ${old}` }, { ...link, expires: 6 }, signature)).toBe(false);
  });
});

describe('I-11: what is under way while a key is replaced', () => {
  it('goes on: a code that was sent, a form that is open, a token of a tenant', async () => {
    const next = randomKey();
    const both = withSecrets({
      IAM_KEY_ENCRYPTION_KEY: `${next} ${env.IAM_KEY_ENCRYPTION_KEY}`,
      TENANT_TOKEN_KEY: `another-tenant-token-key-0123456789 ${env.TENANT_TOKEN_KEY}`,
    });
    const { phone } = await createTrader(db);
    let sent = '';
    const issued = await issueOneTimeCode(phone, '10.82.0.1', env);
    if (!issued.issued) throw new Error('no code was sent');
    await issued.deliver({
      send: async (_, message) => {
        sent = /\d{6}/.exec(message)?.[0] ?? '';
      },
    });
    expect(await redeemOneTimeCode(phone, sent, '10.82.0.1', withSecrets({ IAM_KEY_ENCRYPTION_KEY: next }))).toBe(
      false,
    );
    expect(await redeemOneTimeCode(phone, sent, '10.82.0.1', both)).toBe(true);

    const form = { browser: 'browser', query: '?client_id=app' };
    const token = await formTokenOf(env, form);
    expect(await isFormToken(both, form, token)).toBe(true);
    expect(await isFormToken({ IAM_KEY_ENCRYPTION_KEY: next }, form, token)).toBe(false);

    const claims = { subject: 'somebody', owner: 'org-test', expiresAt: Math.floor(Date.now() / 1_000) + 60 };
    const tenantToken = await issueTenantToken(claims as Parameters<typeof issueTenantToken>[0], env);
    const fits = (of: Env) => tenantTokenFits(tenantToken, claims as Parameters<typeof tenantTokenFits>[1], of);
    expect(await fits(withSecrets({ TENANT_TOKEN_KEY: 'another-tenant-token-key-0123456789' }))).toBe(false);
    expect(await fits(both)).toBe(true);
  });
});
