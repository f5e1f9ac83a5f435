import { createRoute, z } from '@hono/zod-openapi';
import { apiError } from '../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import type { LoadProfile } from './app.ts';
import { callInProcess } from './call-in-process.ts';

/** GET /feed: the feeds of profile B over a WebSocket, by the browser's session. It closes when the session ends. */
export function openFeedRoute(profile: Profile, load: LoadProfile): void {
  registerRoute(
    profile,
    { access: { credential: 'console', session: 'passed_on' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/feed',
      summary: 'Feeds over WebSocket',
      description:
        'Messages and channels of `GET /v1/ws` of the order-book interface, of whoever is signed in. It counts as one of their connections, keeps no session in use, and closes when the session ends.',
      request: { query: z.object({ symbol: z.string().optional() }) },
      responses: { 101: { description: 'Switching protocols.' } },
    }),
    async (c) => {
      if (c.req.header('upgrade')?.toLowerCase() !== 'websocket')
        return failure(c, apiError('VALIDATION_ERROR', 'connect by WebSocket'));
      // A socket is bound to no origin by the browser: it asks by itself (RFC 6455, 10.2).
      if (c.req.header('origin') !== c.env.CONSOLE_ORIGIN)
        return failure(c, apiError('FORBIDDEN', 'the console answers its own pages alone', { reason: 'origin' }));
      const { symbol } = c.req.valid('query');
      const path = `/v1/ws${symbol === undefined ? '' : `?symbol=${encodeURIComponent(symbol)}`}`;
      const headers = { upgrade: 'websocket' };
      return callInProcess(c, await load('book'), { segment: 'book', path, method: 'GET', headers }) as never;
    },
  );
}
