import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Failure } from '../failure.ts';
import { log } from '../log.ts';

export type AppEnv = {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    /** Aborted when the client goes away before its answer is out. */
    gone: AbortSignal;
    /** What it was answered, for the log. */
    failure: Failure | null;
  };
};

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** Gives the request its id, notices when its client goes away, and logs it once it has ended either way. */
export function watchRequest(c: Context<AppEnv>): void {
  const { incoming, outgoing } = c.env;
  const given = c.req.header('x-request-id') ?? '';
  const requestId = REQUEST_ID.test(given) ? given : randomUUID();
  c.set('requestId', requestId);
  outgoing.setHeader('x-request-id', requestId);
  const left = new AbortController();
  c.set('gone', left.signal);
  c.set('failure', null);
  const from = performance.now();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort();
    const failed = c.get('failure');
    log('info', 'request', {
      request_id: requestId,
      org: c.req.header('x-org-id') ?? null,
      tenant: c.req.header('x-tenant-id') ?? null,
      method: incoming.method,
      route: c.req.path,
      status: outgoing.writableFinished ? outgoing.statusCode : null,
      ...(failed !== null && { code: failed.code, reason: failed.details.reason ?? null }),
      duration_ms: Math.round(performance.now() - from),
    });
  });
}
