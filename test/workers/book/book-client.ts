import { env, exports } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../../../data/database.ts';
import { type ApiKey, createApiKey } from '../../../data/identity/api-keys.ts';
import { sealSecret } from '../../../data/identity/sealed-secret.ts';
import { createTrader, type Trader, type TraderTerms } from '../fixtures/create-trader.ts';

const ORIGIN = 'http://localhost/book';

/** An answer with its body read; `any`-free bodies are compared by matchers. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

/** Calls profile B as somebody. */
export class BookClient {
  readonly #headers: Readonly<Record<string, string>>;

  constructor(headers: Readonly<Record<string, string>>) {
    this.#headers = headers;
  }

  get(path: string): Promise<Answer> {
    return this.#call('GET', path);
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#call('POST', path, body, headers);
  }

  patch(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#call('PATCH', path, body, headers);
  }

  delete(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#call('DELETE', path, body, headers);
  }

  async #call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const response = await exports.default.fetch(`${ORIGIN}${path}`, {
      method,
      headers: { ...this.#headers, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }
}

/** Somebody without a credential, at an address of their own, so that tests do not share its limit. */
export function anyone(): BookClient {
  const bytes = crypto.getRandomValues(new Uint8Array(3));
  return new BookClient({ 'cf-connecting-ip': `10.${bytes.join('.')}` });
}

export interface KeyHolder extends Trader {
  readonly client: BookClient;
  readonly keyId: string;
  /** What authenticates a request of its own. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Limits that no test but those of the limits runs into. */
const RAISED_LIMITS = { public: 100_000, private: 100_000, orders: 100_000 };

/** A trader with an API key, and a client that sends it. */
export async function createKeyHolder(
  db: Database,
  terms: TraderTerms = {},
  key: Partial<ApiKey> = {},
): Promise<KeyHolder> {
  const trader = await createTrader(db, terms);
  return { ...trader, ...(await createKey(db, trader, key)) };
}

/** Another key of a trader. */
export async function createKey(
  db: Database,
  trader: Trader,
  terms: Partial<ApiKey> = {},
): Promise<Pick<KeyHolder, 'client' | 'keyId' | 'headers'>> {
  const keyId = uuidv7();
  const secret = `secret-${uuidv7()}`;
  await createApiKey(
    db,
    {
      id: keyId,
      account: trader.accountId,
      userId: trader.userId,
      owner: trader.owner,
      name: 'test',
      scopes: ['read', 'trade'],
      ipAllowlist: null,
      rateLimits: RAISED_LIMITS,
      positionLimits: null,
      dailyLossMax: null,
      createdAt: Date.now(),
      ...terms,
    },
    await sealSecret(secret, env.API_KEY_MASTER_KEY, keyId),
  );
  const headers = { 'x-api-key': keyId, 'x-api-secret': secret };
  return { keyId, headers, client: new BookClient(headers) };
}
