import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../../data/database.ts';
import { listMarkets } from '../../../data/markets/markets.ts';
import { orderBookOf } from '../../../durable-objects/order-book/api.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { BookStatusView } from './book-schema.ts';
import { enveloped, OPERATOR_READ, venueOnly } from './operator-route.ts';

const BookView = z
  .object({ symbol: z.string(), reachable: z.boolean(), status: BookStatusView.nullable() })
  .openapi('OperatorBook');

/** GET /v1/operator/books: what each order book object says of itself. */
export function listBooksRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/books',
      tags: ['operator'],
      summary: 'Order books: halt with its reason, fence, backlog',
      responses: enveloped('Books by symbol.', z.array(BookView)),
    }),
    async (c) => {
      const refusal = venueOnly(c);
      if (refusal !== null) return failure(c, refusal);
      const symbols = (await listMarkets(database(c.env.DB))).map(({ symbol }) => symbol);
      const answers = await Promise.allSettled(symbols.map((symbol) => orderBookOf(c.env, symbol).status()));
      const data = symbols.map((symbol, index) => {
        const answer = answers[index];
        const status = answer?.status === 'fulfilled' ? answer.value : null;
        return { symbol, reachable: status !== null, status };
      });
      return c.json({ data, message: 'ok' as const }, 200);
    },
  );
}
