import type { MiddlewareHandler } from 'hono';
import { uuidv7 } from 'uuidv7';
import { log } from '../../durable-objects/log/log.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { finishHeaders } from './finish-headers.ts';
import type { FieldNames } from './registered-route.ts';

const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** Gives the request its id (the caller's own, where well formed), and the response its headers and its log line. */
export function requestContext(profile: string, fieldNames: FieldNames): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAt = Date.now();
    const sent = c.req.header('x-request-id');
    c.set('requestId', sent !== undefined && REQUEST_ID.test(sent) ? sent : uuidv7());
    c.set('profile', profile);
    c.set('fieldNames', fieldNames);
    await next();
    finishHeaders(c);
    log('info', 'request', requestFields(c, profile, Date.now() - startedAt));
  };
}

/** The route's pattern stands for the path: paths and queries may carry what must not be logged. */
function requestFields(c: AppContext, profile: string, duration_ms: number) {
  const principal = c.get('principal');
  return {
    request_id: c.get('requestId'),
    profile,
    method: c.req.method,
    route: c.get('route') ?? 'unmatched',
    status: c.res.status,
    duration_ms,
    owner: principal?.owner ?? null,
    user: principal?.userId ?? null,
    key: principal?.keyId ?? null,
    ...(c.get('refusal') === undefined ? {} : { refusal: c.get('refusal') }),
  };
}
