import { createRoute, z } from '@hono/zod-openapi';
import { haltVenue } from '../../../application/operator/halt-venue.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_STOP, OPERATOR_WRITE, OptionalReasonBody } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const VenueState = z.object({ halted: z.boolean(), markets: z.array(z.string()) }).openapi('OperatorVenue');

/** POST /v1/operator/venue/halt and /resume: the market-wide halt. A market halted by itself stays halted on resumption. */
export function haltVenueRoute(exchange: Profile): void {
  for (const verb of ['halt', 'resume'] as const) {
    registerRoute(
      exchange,
      verb === 'halt' ? OPERATOR_STOP : OPERATOR_WRITE,
      createRoute({
        method: 'post',
        path: `/v1/operator/venue/${verb}`,
        tags: ['operator'],
        summary: verb === 'halt' ? 'Halt every market and cancel all open orders' : 'Lift the market-wide halt',
        request: { body: { required: false, content: { 'application/json': { schema: OptionalReasonBody } } } },
        responses: { 200: envelopeOf('The market-wide halt, and the markets whose books know of it.', VenueState) },
      }),
      async (c) => {
        const halted = verb === 'halt';
        const body = c.req.valid('json');
        const action = actionOf(c, body.reason);
        const waits = halted ? null : await weigh(c, body, action);
        if (waits !== null) return failure(c, waits);
        const markets = await haltVenue(c.env, halted, action);
        return markets.ok ? c.json(enveloped({ halted, markets: [...markets.value] }), 200) : failure(c, markets.error);
      },
    );
  }
}
