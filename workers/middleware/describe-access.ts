import { type RouteConfig, z } from '@hono/zod-openapi';
import type { ErrorCode } from '../../protocol/errors/error-code.ts';
import { STATUS_OF } from '../responses/failure.ts';
import { KEY, KEY_LENGTH_MAX } from './idempotency-key.ts';
import type { RegisteredRoute } from './registered-route.ts';
import { securityOf } from './security-schemes.ts';

const ErrorBody = z
  .object({ error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) }) })
  .openapi('Error');

const IDEMPOTENCY_KEY = {
  in: 'header' as const,
  name: 'Idempotency-Key',
  required: false,
  schema: { type: 'string' as const, minLength: 1, maxLength: KEY_LENGTH_MAX, pattern: KEY.source },
  description:
    'Names the request, for 24 hours and per account: repeated with the same key, method, path and body it is answered as before and done once; with anything else it is refused with IDEMPOTENCY_CONFLICT. A repetition that was answered before carries `idempotent-replayed: true`.',
};

const INTEGER = { type: 'integer' as const };
const TEXT = { type: 'string' as const };

/** Headers of every answer. */
const RESPONSE_HEADERS = {
  'X-Request-Id': {
    required: true,
    schema: TEXT,
    description: 'Names the request in our logs; the caller’s own, where one was sent.',
  },
  'X-RateLimit-Limit': { required: true, schema: INTEGER, description: 'Requests that the window allows.' },
  'X-RateLimit-Remaining': { required: true, schema: INTEGER, description: 'What is left of them.' },
  'X-RateLimit-Reset': {
    required: true,
    schema: INTEGER,
    description: 'Unix seconds at which the whole limit is there again.',
  },
};

/** Headers that answers of one status have beside those of every answer. */
const HEADERS_OF_STATUS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  401: {
    'WWW-Authenticate': { required: true, schema: TEXT, description: 'The scheme to authenticate by (RFC 9110).' },
  },
  429: { 'Retry-After': { required: false, schema: INTEGER, description: 'Seconds until this request fits.' } },
  503: { 'Retry-After': { required: false, schema: INTEGER, description: 'Seconds after which to repeat.' } },
};

const REPLAYED = {
  'Idempotent-Replayed': {
    required: false,
    schema: TEXT,
    description: '`true` on the kept answer of an earlier request with this Idempotency-Key.',
  },
};

/** Of a route whose answers are kept at the edge (docs/design/market-data.md#edge-cache). */
const SHARED = {
  'Cache-Control': {
    required: true,
    schema: TEXT,
    description:
      '`public, max-age=` the seconds that the answer counts as current; `no-store` where it is the caller’s own.',
  },
  ETag: { required: false, schema: TEXT, description: 'Names the answer; with `If-None-Match` the same one is 304.' },
  Age: { required: false, schema: INTEGER, description: 'Seconds since the answer was made.' },
};

const NOT_MODIFIED = { description: 'The answer is the one that If-None-Match names.' };

const NEXT_PAGE = {
  Link: { required: false, schema: TEXT, description: 'The next page, `rel="next"` (RFC 8288); absent on the last.' },
};

/**
 * The route as the OpenAPI document shows it: with the credential that it asks for, the Idempotency-Key that it heeds and the errors that
 * this layer may answer.
 */
export function describeAccess(registered: RegisteredRoute, route: RouteConfig): RouteConfig {
  const codesOf = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(registered, route)) {
    codesOf.set(STATUS_OF[code], [...(codesOf.get(STATUS_OF[code]) ?? []), code]);
  }
  const errors: Record<string, unknown> = {};
  for (const [status, codes] of codesOf) {
    errors[status] = { description: codes.join(', '), content: { 'application/json': { schema: ErrorBody } } };
  }
  return {
    ...route,
    ...(registered.idempotent ? { parameters: [IDEMPOTENCY_KEY] } : {}),
    security: securityOf(registered.access),
    responses: withHeaders(
      {
        ...(errors as RouteConfig['responses']),
        ...(registered.edge === undefined ? {} : { 304: NOT_MODIFIED }),
        ...route.responses,
      },
      registered,
      route,
    ),
  };
}

function withHeaders(
  responses: RouteConfig['responses'],
  { idempotent, edge }: RegisteredRoute,
  { request }: RouteConfig,
): RouteConfig['responses'] {
  const isPaged =
    request?.query !== undefined && 'shape' in request.query && 'cursor' in (request.query.shape as object);
  const described = Object.entries(responses).map(([status, response]) => {
    const headers = {
      ...RESPONSE_HEADERS,
      ...HEADERS_OF_STATUS[status],
      ...(idempotent === true ? REPLAYED : {}),
      ...(edge !== undefined && ['200', '304'].includes(status) ? SHARED : {}),
      ...(isPaged && status === '200' ? NEXT_PAGE : {}),
    };
    return [status, 'headers' in response ? response : { ...response, headers }];
  });
  return Object.fromEntries(described);
}

function errorsOf({ access, idempotent, takesBody, errors = [] }: RegisteredRoute, route: RouteConfig): ErrorCode[] {
  const codes: ErrorCode[] = [...errors, 'RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];
  // A body that nobody reads is refused, too, and so is one that never comes.
  codes.push('VALIDATION_ERROR', 'REQUEST_TIMEOUT');
  if (takesBody) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (access.credential !== 'oauth') codes.push('UNAUTHORIZED');
  if (!['oauth', 'public', 'webhook'].includes(access.credential)) codes.push('FORBIDDEN');
  if (access.credential === 'console') codes.push('NOT_FOUND');
  if (route.path.includes('{')) codes.push('NOT_FOUND');
  if (idempotent) codes.push('IDEMPOTENCY_CONFLICT', 'CONFLICT');
  return [...new Set(codes)];
}
