import { createRoute, z } from '@hono/zod-openapi';
import { readBook } from '../../../application/order-book/read-book.ts';
import { database } from '../../../data/database.ts';
import { findMarket } from '../../../data/markets/markets.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { VENUE_READ } from './operator-route.ts';

const StateHashView = z.object({ journaled: z.int(), stateHash: z.string() }).openapi('OperatorBookStateHash');

/** GET /v1/operator/books/{symbol}/state-hash: a hash over every open order, which walks them all. */
export function getBookStateHashRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/books/{symbol}/state-hash',
      tags: ['operator'],
      summary: 'Hash of the state of a book',
      description: 'Walks every open order of the book: to compare two states, not to be polled.',
      request: { params: z.object({ symbol: z.string() }) },
      responses: {
        200: envelopeOf('The hash, and the row of the book’s journal after which it was that.', StateHashView),
      },
    }),
    async (c) => {
      const { symbol } = c.req.valid('param');
      if ((await findMarket(database(c.env.DB), symbol)) === null)
        return failure(c, apiError('NOT_FOUND', 'market does not exist'));
      const data = await readBook(c.env, symbol, (book) => book.stateHash()).catch(() => null);
      return data === null
        ? failure(c, apiError('SERVICE_UNAVAILABLE', 'the book does not answer'))
        : c.json(enveloped(data), 200);
    },
  );
}
