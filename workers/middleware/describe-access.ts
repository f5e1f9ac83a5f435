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

/**
 * The route as the OpenAPI document shows it: with the credential that it asks for, the Idempotency-Key that it heeds and the errors that
 * this layer may answer.
 */
export function describeAccess(registered: RegisteredRoute, route: RouteConfig): RouteConfig {
  const errors: Record<string, unknown> = {};
  for (const code of errorsOf(registered, route)) {
    errors[STATUS_OF[code]] = { description: code, content: { 'application/json': { schema: ErrorBody } } };
  }
  return {
    ...route,
    ...(registered.idempotent ? { parameters: [IDEMPOTENCY_KEY] } : {}),
    security: securityOf(registered.access),
    responses: { ...(errors as RouteConfig['responses']), ...route.responses },
  };
}

function errorsOf({ access, idempotent }: RegisteredRoute, route: RouteConfig): ErrorCode[] {
  const codes: ErrorCode[] = ['RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR'];
  if (route.request !== undefined) codes.push('VALIDATION_ERROR');
  if (route.request?.body !== undefined) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'REQUEST_TIMEOUT');
  if (access.credential !== 'oauth') codes.push('UNAUTHORIZED');
  if (access.credential !== 'oauth' && access.credential !== 'public') codes.push('FORBIDDEN');
  if (route.path.includes('{')) codes.push('NOT_FOUND');
  if (idempotent) codes.push('IDEMPOTENCY_CONFLICT', 'CONFLICT', 'SERVICE_UNAVAILABLE');
  return codes;
}
