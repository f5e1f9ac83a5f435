import { createRoute, z } from '@hono/zod-openapi';
import { readBooks } from '../../../application/operator/read-books.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { orNull } from '../../responses/or-null.ts';
import { BookStatusView } from './book-schema.ts';
import { VENUE_READ } from './operator-route.ts';

const BookView = z
  .object({ symbol: z.string(), reachable: z.boolean(), status: orNull(BookStatusView) })
  .openapi('OperatorBook');

/** GET /v1/operator/books: what each order book object says of itself. */
export function listBooksRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/books',
      tags: ['operator'],
      summary: 'Order books: halt with its reason, fence, backlog',
      responses: { 200: envelopeOf('Books by symbol.', z.array(BookView)) },
    }),
    async (c) => {
      const books = await readBooks(c.env);
      return c.json(
        enveloped(books.map(({ symbol, status }) => ({ symbol, reachable: status !== null, status }))),
        200,
      );
    },
  );
}
