import { createRoute, z } from '@hono/zod-openapi';
import { apiError } from '../../protocol/errors/api-error.ts';
import { readClientMessage } from '../../protocol/feeds/client-message.ts';
import { CHANNELS, DEPTH_DEFAULT, DEPTH_MAX, OWN_CHANNELS } from '../../protocol/feeds/topic.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { wholeNumberOr } from '../responses/whole-number.ts';
import { eventStream } from './event-stream.ts';
import { connectFeed, connectOrders } from './feed-connection.ts';

/** GET /v1/stream: one topic of the feeds as server-sent events, resumable by Last-Event-ID. */
export function openStreamRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/v1/stream',
      summary: 'Feeds as server-sent events',
      description:
        'The messages of the WebSocket: `event` is their type, `id` their sequence. Last-Event-ID goes on from there; where what followed is no longer kept, a `reset` comes first.',
      request: {
        query: z.object({
          channel: z.enum(CHANNELS),
          symbol: z
            .string()
            .optional()
            .openapi({ description: 'Left out for account, orders, fills and balances over all markets.' }),
          depth: wholeNumberOr(DEPTH_DEFAULT, 1, DEPTH_MAX),
          interval: z.string().default('1m'),
        }),
        headers: z.object({
          'last-event-id': z
            .string()
            .regex(/^\d{1,16}$/, 'must be the id of an event: up to 16 digits')
            .optional(),
        }),
      },
      responses: {
        200: { description: 'Events.', content: { 'text/event-stream': { schema: z.string() } } },
      },
    }),
    async (c) => {
      const { channel, symbol, depth, interval } = c.req.valid('query');
      const lastEventId = c.req.valid('header')['last-event-id'];
      const subscribe = JSON.stringify({
        type: 'subscribe',
        channel,
        symbol,
        depth,
        interval,
        ...(lastEventId === undefined ? {} : { resume_from: Number(lastEventId) }),
      });
      const read = readClientMessage(subscribe);
      if ('code' in read)
        return failure(
          c,
          apiError(read.code === 'INVALID_SYMBOL' ? 'INVALID_SYMBOL' : 'VALIDATION_ERROR', read.message),
        );
      if (OWN_CHANNELS.some((own) => own === channel) && c.get('principal') === undefined)
        return failure(c, apiError('UNAUTHORIZED', `${channel} needs a credential`));
      const opened = await (channel === 'orders' ? connectOrders : connectFeed)(c, symbol);
      if (!opened.ok) return failure(c, opened.error);
      const socket = opened.value.webSocket;
      if (socket === null) return failure(c, apiError('SERVICE_UNAVAILABLE', 'the book is out of reach: try again'));
      return new Response(eventStream(socket, subscribe), {
        headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
      }) as never;
    },
  );
}
