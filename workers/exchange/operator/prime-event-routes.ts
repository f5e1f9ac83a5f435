import { createRoute, z } from '@hono/zod-openapi';
import { closePrimeEvent, listPrimeEvents } from '../../../application/operator/prime-events.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE, ReasonBody, VENUE_READ } from './operator-route.ts';

const KeptEvent = z
  .object({
    id: z.string(),
    receivedAt: z.iso.datetime(),
    reason: z.string().openapi({ example: 'there is no market of SOL' }),
    body: z.string().nullable().openapi({ description: 'As it came.' }),
  })
  .openapi('OperatorPrimeEvent');

const Closed = z.object({ id: z.string() }).openapi('OperatorClosedPrimeEvent');

/** Events of the prime broker that no book took: GET /v1/operator/prime-events, and closing one that people have seen to. */
export function primeEventRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/prime-events',
      tags: ['operator'],
      summary: 'Events of the prime broker that no book took',
      description: 'The oldest 100 that wait.',
      responses: { 200: envelopeOf('The events.', z.array(KeptEvent)) },
    }),
    async (c) => {
      const kept = await listPrimeEvents(c.env);
      const events = kept.map(({ id, receivedAt, unclaimed, body }) => ({
        id,
        receivedAt: new Date(receivedAt).toISOString(),
        reason: unclaimed,
        body,
      }));
      return c.json(enveloped(events), 200);
    },
  );
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/prime-events/{id}/resolve',
      tags: ['operator'],
      summary: 'Close an event of the prime broker that no book took',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: ReasonBody } } },
      },
      responses: { 200: envelopeOf('Closed.', Closed) },
    }),
    async (c) => {
      const { id } = c.req.valid('param');
      const closed = await closePrimeEvent(c.env, id, c.req.valid('json').reason, actionOf(c));
      return closed.ok ? c.json(enveloped({ id }), 200) : failure(c, closed.error);
    },
  );
}
