import { createRoute, z } from '@hono/zod-openapi';
import { readOrderBook } from '../../application/order-book/read-order-book.ts';
import { DEPTH_DEFAULT, DEPTH_MAX } from '../../protocol/feeds/topic.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { wholeNumberOr } from '../responses/whole-number.ts';
import { visibleMarket } from './visible-market.ts';

const Level = z.object({ price: z.number(), size: z.number() });

const OrderBook = z
  .object({
    symbol: z.string(),
    bids: z.array(Level),
    asks: z.array(Level),
    sequence: z.int().openapi({ description: 'Of the last change that the levels include.' }),
    timestamp: z.int().openapi({ description: 'Unix milliseconds.' }),
  })
  .openapi('OrderBook');

/** GET /v1/orderbook/{symbol}. */
export function getOrderbookRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/v1/orderbook/{symbol}',
      summary: 'Levels of a book, best first',
      request: {
        params: z.object({ symbol: z.string() }),
        query: z.object({ depth: wholeNumberOr(DEPTH_DEFAULT, 1, DEPTH_MAX) }),
      },
      responses: { 200: { description: 'The book.', content: { 'application/json': { schema: OrderBook } } } },
    }),
    async (c) => {
      const visible = await visibleMarket(c, c.req.valid('param').symbol);
      if (!visible.ok) return failure(c, visible.error);
      return c.json(await readOrderBook(c.env, visible.value, c.req.valid('query').depth), 200);
    },
  );
}
