import type { RouteConfig } from '@hono/zod-openapi';
import type { Access } from './access.ts';

type SecurityRequirements = NonNullable<RouteConfig['security']>;

/** Security schemes of every OpenAPI document, by the names that `security` uses: each header that `readCredential` reads. */
export const SECURITY_SCHEMES = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Access token of the identity provider.',
  },
  tenantToken: {
    type: 'apiKey',
    in: 'header',
    name: 'tenant-authorization',
    description: 'Tenant token of the same bearer, from `POST /v1/auth/tenant-token` of the asset exchange.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      'Id of an API key, proved by its secret, a signature or a session. Beside an access token: the key of its bearer’s own that the request is made under.',
  },
  apiSecret: { type: 'apiKey', in: 'header', name: 'X-API-Secret', description: 'Secret of the API key.' },
  apiTimestamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Timestamp',
    description: 'Unix milliseconds, at most 30 s from now.',
  },
  apiSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Signature',
    description:
      'HMAC-SHA256 in lower-case hexadecimal, under the secret, of four lines without a line feed at the end: timestamp, method, path with query, and the SHA-256 of the body in lower-case hexadecimal. Good once.',
  },
  apiSession: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Session',
    description:
      'Token that stands for the API key for a day, from `POST /v1/key-sessions` of the order-book interface.',
  },
} as const;

/** That of the console alone: no other profile reads a cookie. */
export const CONSOLE_SCHEMES = {
  consoleCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-console',
    description:
      'Session of a browser at the console, whose pages alone may use it. Without HTTPS, on a local start, it is called `console`.',
  },
} as const;

type Scheme = keyof typeof SECURITY_SCHEMES | keyof typeof CONSOLE_SCHEMES;

const TOKEN = ['accessToken'] as const;
const COOKIE = ['consoleCookie'] as const;
const TOKEN_AND_TENANT = ['accessToken', 'tenantToken'] as const;
const TOKEN_UNDER_KEY = ['accessToken', 'apiKey'] as const;
const KEY_FORMS = [
  ['apiKey', 'apiSecret'],
  ['apiKey', 'apiTimestamp', 'apiSignature'],
  ['apiKey', 'apiSession'],
] as const;

/** The credential forms that a route accepts, as `enforceAccess` does, the usual one first; `{}` is none at all. */
export function securityOf(access: Access): SecurityRequirements {
  return formsOf(access).map((form) => Object.fromEntries(form.map((scheme) => [scheme, []])));
}

function formsOf(access: Access): readonly (readonly Scheme[])[] {
  switch (access.credential) {
    case 'public':
      return [[], TOKEN, TOKEN_AND_TENANT, TOKEN_UNDER_KEY, ...KEY_FORMS];
    case 'bearer':
    case 'partner':
      return [TOKEN];
    case 'tenant':
      return [TOKEN_AND_TENANT];
    case 'key':
      return [...KEY_FORMS, TOKEN, TOKEN_UNDER_KEY];
    case 'agent':
      return [TOKEN, TOKEN_UNDER_KEY];
    case 'console':
      return access.session === 'none' ? [] : [COOKIE];
    // What those take is described at the operation.
    case 'oauth':
    case 'webhook':
      return [];
  }
}
