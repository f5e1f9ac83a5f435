import { OpenAPIHono } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { describeBug } from '../../application/log/describe-bug.ts';
import { isD1Away } from '../../application/log/is-d1-away.ts';
import { TokenEnded } from '../../data/identity/bearer.ts';
import { OrderArchiveUnavailable } from '../../data/orders/archive/order-slice.ts';
import { log } from '../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { issueDetails } from '../../protocol/errors/issue-details.ts';
import { failure } from '../responses/failure.ts';
import { answerUnrouted } from './answer-unrouted.ts';
import type { AppEnv } from './app-env.ts';
import { destinationOf } from './profile-name.ts';
import type { FieldNames, RegisteredRoute } from './registered-route.ts';
import { requestContext } from './request-context.ts';

/** What an app is called in the log, and how its fields are spelt. */
interface AppIdentity {
  readonly name: string;
  readonly fieldNames: FieldNames;
}

/** A Hono app with what every response of every profile has: request id, rate headers, security headers, log line, error body. */
export function createApp({ name, fieldNames }: AppIdentity, routes: readonly RegisteredRoute[]): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>({
    getPath: (request, options) => destinationOf(request, options?.env as Env)?.path ?? '/',
    defaultHook: (result, c) => {
      if (result.success) return undefined;
      return failure(c, apiError('VALIDATION_ERROR', 'the request is malformed', issueDetails(result.error.issues)));
    },
  });
  app.use('*', requestContext(name, fieldNames));
  app.notFound(answerUnrouted(routes));
  app.onError((error, c) => {
    if (error instanceof HTTPException) return failure(c, errorOfBody(error));
    if (error instanceof TokenEnded) return failure(c, TOKEN_ENDED);
    log('error', 'bug', { request_id: c.get('requestId'), profile: name, ...describeBug(error) });
    if (error instanceof OrderArchiveUnavailable) return failure(c, ARCHIVE_UNAVAILABLE);
    return failure(c, isD1Away(error) ? READ_MODEL_UNAVAILABLE : INTERNAL_ERROR);
  });
  return app;
}

/** A kill switch was pulled after the Gate had let the request in. */
const TOKEN_ENDED = apiError('UNAUTHORIZED', 'the token has been revoked');

const INTERNAL_ERROR = apiError('INTERNAL_ERROR', 'internal error');

/** R2 is away, or what it has is damaged, which the log tells. */
const ARCHIVE_UNAVAILABLE = apiError(
  'SERVICE_UNAVAILABLE',
  'orders of long ago cannot be read at the moment; please repeat',
  { reason: 'order_archive_unavailable' },
);

/** D1 is away. What was asked for may have been done, as after any 5xx. */
const READ_MODEL_UNAVAILABLE = apiError('SERVICE_UNAVAILABLE', 'the database does not answer; please repeat', {
  reason: 'read_model_unavailable',
});

/** Hono's validators throw for a body that is no JSON or of another media type than declared. */
function errorOfBody(error: HTTPException): ApiError {
  if (error.status === 415)
    return apiError(
      'UNSUPPORTED_MEDIA_TYPE',
      'send the content type that this call takes, application/json for nearly all',
    );
  if (error.status === 413) return apiError('PAYLOAD_TOO_LARGE', 'the body is too large');
  return apiError('VALIDATION_ERROR', 'the body is malformed');
}
