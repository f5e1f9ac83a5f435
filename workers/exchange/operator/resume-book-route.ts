import { createRoute, z } from '@hono/zod-openapi';
import { resumeBook } from '../../../application/order-book/resume-book.ts';
import { database } from '../../../data/database.ts';
import { findMarket } from '../../../data/markets/markets.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { BookStatusView } from './book-schema.ts';
import { OPERATOR_WRITE, ReasonBody } from './operator-route.ts';

const ResumedBook = z.object({ symbol: z.string(), status: BookStatusView }).openapi('OperatorResumedBook');

/** POST /v1/operator/books/{symbol}/resume: a book that halted tries again. Its reason goes into the audit trail. */
export function resumeBookRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/books/{symbol}/resume',
      tags: ['operator'],
      summary: 'Let a halted book go on after a repair',
      description:
        'Clears the halt and recovers the book from its journal. Where the cause is still there the book halts again: then `status.halted` says why. A halt of the market is another thing: `/v1/operator/markets/{symbol}/resume`.',
      request: {
        params: z.object({ symbol: z.string() }),
        body: { required: true, content: { 'application/json': { schema: ReasonBody } } },
      },
      responses: { 200: envelopeOf('The book after the attempt.', ResumedBook) },
    }),
    async (c) => {
      const { symbol } = c.req.valid('param');
      if ((await findMarket(database(c.env.DB), symbol)) === null)
        return failure(c, apiError('NOT_FOUND', 'market does not exist'));
      const { reason } = c.req.valid('json');
      const outcome = await resumeBook(c.env, { symbol, action: actionOf(c), reason, now: Date.now() });
      switch (outcome.type) {
        case 'tried':
          return c.json(enveloped({ symbol, status: outcome.status }), 200);
        case 'not_halted':
          return failure(c, apiError('CONFLICT', 'the book is not halted'));
        case 'unreachable': {
          const message = 'no answer; repeat with the same Idempotency-Key to learn the outcome';
          return failure(c, apiError('SERVICE_UNAVAILABLE', message));
        }
      }
    },
  );
}
