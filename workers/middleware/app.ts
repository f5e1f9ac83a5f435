import { OpenAPIHono } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { type ApiError, apiError, failure } from './api-error.ts';
import type { AppEnv } from './app-env.ts';
import { countAddress } from './count-address.ts';
import { answerPreflight } from './cross-origin.ts';
import { describeBug } from './describe-bug.ts';
import { destinationOf } from './profile-name.ts';
import { requestContext } from './request-context.ts';

/** A Hono app with what every response of every profile has: request id, rate headers, security headers, log line, error body. */
export function createApp(profile: string): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({
    getPath: (request, options) => destinationOf(request, options?.env as Env)?.path ?? '/',
    defaultHook: (result, c) => {
      if (result.success) return undefined;
      return failure(c, apiError('VALIDATION_ERROR', 'the request is malformed', { issues: result.error.issues }));
    },
  });
  app.use('*', requestContext(profile));
  app.notFound(async (c) => {
    if (c.req.method === 'OPTIONS') return answerPreflight(c);
    return failure(c, (await countAddress(c)) ?? apiError('NOT_FOUND', 'no such resource'));
  });
  app.onError((error, c) => {
    if (error instanceof HTTPException) return failure(c, errorOfBody(error));
    console.error(JSON.stringify({ level: 'error', request_id: c.get('requestId'), profile, ...describeBug(error) }));
    return failure(c, apiError('INTERNAL_ERROR', 'internal error'));
  });
  return app;
}

/** Hono's validators throw for a body that is no JSON or of another media type than declared. */
function errorOfBody(error: HTTPException): ApiError {
  if (error.status === 415) return apiError('UNSUPPORTED_MEDIA_TYPE', 'send the declared content type');
  if (error.status === 413) return apiError('PAYLOAD_TOO_LARGE', 'the body is too large');
  return apiError('VALIDATION_ERROR', 'the body is malformed');
}
