import { createRoute, z } from '@hono/zod-openapi';
import { setVenueHalted } from '../../../application/ledger/halt-venue.ts';
import { reconfigureBook } from '../../../application/order-book/reconfigure-book.ts';
import { database } from '../../../data/database.ts';
import { listMarkets } from '../../../data/markets/markets.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { enveloped, OPERATOR_WRITE, venueOnly } from './operator-route.ts';

const VenueState = z.object({ halted: z.boolean(), markets: z.array(z.string()) }).openapi('OperatorVenue');

/** POST /v1/operator/venue/halt and /resume: the market-wide halt. A market halted by itself stays halted on resumption. */
export function haltVenueRoute(exchange: Profile): void {
  for (const verb of ['halt', 'resume'] as const) {
    registerRoute(
      exchange,
      OPERATOR_WRITE,
      createRoute({
        method: 'post',
        path: `/v1/operator/venue/${verb}`,
        tags: ['operator'],
        summary: verb === 'halt' ? 'Halt every market and cancel all open orders' : 'Lift the market-wide halt',
        responses: enveloped('The market-wide halt, and the markets whose books know of it.', VenueState),
      }),
      async (c) => {
        const refusal = venueOnly(c);
        if (refusal !== null) return failure(c, refusal);
        const db = database(c.env.DB);
        const halted = verb === 'halt';
        if (!(await setVenueHalted(c.env, { halted, action: actionOf(c), now: Date.now() }))) {
          const message = 'no answer from the ledger; repeat with the same Idempotency-Key to learn the outcome';
          return failure(c, apiError('SERVICE_UNAVAILABLE', message));
        }
        const markets = (await listMarkets(db)).map(({ symbol }) => symbol);
        const reached = await Promise.all(markets.map((symbol) => reconfigureBook(c.env, symbol)));
        const missing = markets.filter((_, index) => !reached[index]);
        if (missing.length > 0) {
          const message =
            'the halt stands in the ledger, but some books did not answer; repeat with the same Idempotency-Key';
          return failure(c, apiError('SERVICE_UNAVAILABLE', message, { markets: missing }));
        }
        return c.json({ data: { halted, markets }, message: 'ok' as const }, 200);
      },
    );
  }
}
