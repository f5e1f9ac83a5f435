import { createRoute, z } from '@hono/zod-openapi';
import { apiError } from '../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { connectFeed } from './feed-connection.ts';

/** GET /v1/ws: the WebSocket of the feeds (X-FED-05). Messages: protocol/feeds. */
export function openSocketRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/v1/ws',
      summary: 'Feeds over WebSocket',
      description:
        'Channels orderbook, trades, ticker, status, candles, and with a credential account, orders, fills and balances (own, over all markets). With `symbol`, a connection on that pair alone.',
      request: { query: z.object({ symbol: z.string().optional() }) },
      responses: { 101: { description: 'Switching protocols.' } },
    }),
    async (c) => {
      if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
        return failure(c, apiError('VALIDATION_ERROR', 'connect by WebSocket'));
      }
      const opened = await connectFeed(c, c.req.valid('query').symbol);
      return opened.ok ? opened.value : failure(c, opened.error);
    },
  );
}
