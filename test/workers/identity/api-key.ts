import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import { type ApiKey, createApiKey } from '../../../data/identity/api-keys.ts';
import { sealSecret } from '../../../data/identity/sealed-secret.ts';
import type { Trader } from '../fixtures/create-trader.ts';

export interface TestKey {
  readonly id: string;
  readonly secret: string;
  /** `X-API-Key` and `X-API-Secret`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An API key of a trader, with both scopes unless the terms say otherwise. */
export async function createTestKey(trader: Trader, terms: Partial<ApiKey> = {}): Promise<TestKey> {
  const id = uuidv7();
  const secret = `secret-of-${id}`;
  const key: ApiKey = {
    id,
    account: trader.accountId,
    userId: trader.userId,
    owner: trader.owner,
    name: 'test',
    scopes: ['read', 'trade'],
    ipAllowlist: null,
    rateLimits: null,
    positionLimits: null,
    dailyLossMax: null,
    createdAt: Date.now(),
    ...terms,
  };
  await createApiKey(database(env.DB), key, await sealSecret(secret, env.API_KEY_MASTER_KEY, id));
  return { id, secret, headers: { 'x-api-key': id, 'x-api-secret': secret } };
}

export interface SignedRequest {
  readonly method: string;
  /** Path with query, as it stands in the URL. */
  readonly path: string;
  readonly body?: string;
  /** Unix milliseconds; now when left out. */
  readonly timestamp?: number;
}

/** The second header form: HMAC-SHA256 over timestamp ‖ method ‖ path-with-query ‖ body (docs/design/identity.md#signatures). */
export async function sign(
  key: TestKey,
  { method, path, body = '', timestamp = Date.now() }: SignedRequest,
): Promise<Record<string, string>> {
  const secret = new TextEncoder().encode(key.secret);
  const hmac = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', hmac, new TextEncoder().encode(`${timestamp}${method}${path}${body}`));
  const signature = Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { 'x-api-key': key.id, 'x-api-timestamp': String(timestamp), 'x-api-signature': signature };
}
