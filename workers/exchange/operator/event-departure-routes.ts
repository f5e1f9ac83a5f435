import { createRoute, z } from '@hono/zod-openapi';
import { listEventDepartures, stopEventDeparture } from '../../../application/operator/event-departures.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE, Reason, VENUE_READ } from './operator-route.ts';

const EventDeparture = z
  .object({
    tenant: z.string(),
    requestedBy: z.string(),
    requestedAt: z.iso.datetime(),
    leaveAt: z.iso.datetime(),
    leavingAt: z.iso.datetime().nullable(),
  })
  .openapi('OperatorEventDeparture');

const StopRequest = z
  .strictObject({ tenant: z.string().min(1).max(512), reason: Reason })
  .openapi('OperatorEventDepartureStopRequest');

/** GET /v1/operator/event-departures: tenants of the events service that leave. */
export function listEventDeparturesRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/event-departures',
      tags: ['operator'],
      summary: 'Tenants of the events service that leave, the earliest first',
      responses: { 200: envelopeOf('The departures.', z.array(EventDeparture)) },
    }),
    async (c) => {
      const departures = await listEventDepartures(c.env);
      const shown = departures.map(({ tenant, requestedBy, requestedAt, leaveAt, leavingAt }) => ({
        tenant,
        requestedBy,
        requestedAt: isoTime(requestedAt),
        leaveAt: isoTime(leaveAt),
        leavingAt: isoTimeOrNull(leavingAt),
      }));
      return c.json(enveloped(shown), 200);
    },
  );
}

/** POST /v1/operator/event-departures/stop. */
export function stopEventDepartureRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/event-departures/stop',
      tags: ['operator'],
      summary: 'Stop a tenant of the events service from leaving, while that waits',
      request: { body: { required: true, content: { 'application/json': { schema: StopRequest } } } },
      responses: { 200: envelopeOf('Who stays.', z.object({ tenant: z.string() })) },
    }),
    async (c) => {
      const body = c.req.valid('json');
      const stopped = await stopEventDeparture(c.env, body, actionOf(c));
      return stopped.ok ? c.json(enveloped({ tenant: body.tenant }), 200) : failure(c, stopped.error);
    },
  );
}
