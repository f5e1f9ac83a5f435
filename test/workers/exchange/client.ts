import { env, exports } from 'cloudflare:workers';
import { SignJWT } from 'jose';
import { uuidv7 } from 'uuidv7';
import { signingKeyOf } from '../../../application/identity/signing-keys/signing-key.ts';
import { issueTenantToken } from '../../../application/identity/tenant-token.ts';
import { verifyAccessToken } from '../../../durable-objects/credentials/access-token.ts';
import type { Trader } from '../fixtures/create-trader.ts';

const BASE = 'http://localhost/exchange';

/** An answer of profile A with its body read. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface ErrorBody {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

/** Calls profile A of the running Worker. */
export interface Client {
  get<Body = unknown>(path: string): Promise<Answer<Body>>;
  post<Body = unknown>(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer<Body>>;
  put<Body = unknown>(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer<Body>>;
  patch<Body = unknown>(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer<Body>>;
  delete<Body = unknown>(path: string, headers?: Record<string, string>): Promise<Answer<Body>>;
}

/** Without a credential, from an address of its own, so that no test draws on another's rate limit. */
export function anyone(): Client {
  const [a, b, c] = crypto.getRandomValues(new Uint8Array(3));
  return clientWith({ 'cf-connecting-ip': `10.${a}.${b}.${c}` });
}

/** With the access token and the tenant token of a trader. */
export async function signedIn(trader: Pick<Trader, 'userId' | 'owner'>): Promise<Client> {
  return clientWith(await tokensOf(trader));
}

/** The headers that carry both tokens. */
export async function tokensOf(trader: Pick<Trader, 'userId' | 'owner'>): Promise<Record<string, string>> {
  const { kid, key } = await signingKeyOf(env);
  const accessToken = await new SignJWT({ owner: trader.owner, jti: uuidv7(), scope: 'openid profile email phone' })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer(env.IAM_ISSUER)
    .setAudience(env.IAM_AUDIENCE)
    .setSubject(trader.userId)
    .setIssuedAt()
    .setExpirationTime('2h')
    .sign(key);
  const verified = await verifyAccessToken(accessToken, env);
  if (!verified.ok) throw new Error(`fixture: access token refused, ${verified.error}`);
  const tenantToken = await issueTenantToken(verified.value, env);
  return { authorization: `Bearer ${accessToken}`, 'tenant-authorization': tenantToken };
}

function clientWith(credential: Record<string, string>): Client {
  const call = async <Body>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>> => {
    const response = await exports.default.fetch(`${BASE}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...credential, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json<Body>() };
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body, headers) => call('PUT', path, body, headers),
    patch: (path, body, headers) => call('PATCH', path, body, headers),
    delete: (path, headers) => call('DELETE', path, undefined, headers),
  };
}
