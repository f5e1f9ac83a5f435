import { createRoute, z } from '@hono/zod-openapi';
import { endRegisterEvent, type RegisterEndError } from '../../../application/partner/register/end-register-event.ts';
import { database } from '../../../data/database.ts';
import { listOpenEvents, type RegisterEventRow } from '../../../data/partner/register/register-events.ts';
import { REGISTER_EVENT_STATES, REGISTER_EVENT_TYPES } from '../../../domain/register/register-event.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { bodyOf, isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE, ReasonBody, VENUE_READ } from './operator-route.ts';

const RegisterEventView = z
  .object({
    id: z.string(),
    securityId: z.string(),
    agent: z.string().nullable(),
    type: z.enum(REGISTER_EVENT_TYPES),
    state: z.enum(REGISTER_EVENT_STATES).openapi({
      description:
        '`staged`: its lines are being written. `announced`: the ledger is asked; no other event of the security begins.',
    }),
    refusal: z.string().nullable(),
    attempt: z.number().int(),
    createdAt: z.iso.datetime(),
    recordedAt: z.iso.datetime().nullable(),
  })
  .openapi('OperatorRegisterEvent');

function eventView(event: RegisterEventRow): z.infer<typeof RegisterEventView> {
  const { id, security: securityId, agent, type, state, refusal, attempt, createdAt, recordedAt } = event;
  const times = { createdAt: isoTime(createdAt), recordedAt: isoTimeOrNull(recordedAt) };
  return { id, securityId, agent, type, state, refusal, attempt, ...times };
}

/** What operators see of events of registers that have not come to their end, and do about them (docs/design/register.md#an-event-that-does-not-end). */
export function registerEventRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/register-events',
      tags: ['operator'],
      summary: 'Events of registers that are under way, oldest first',
      request: {
        query: z.object({
          security: z.uuid().optional(),
          limit: limitQuery,
          cursor: z.string().max(100).optional().openapi({ description: 'Id of the last event of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('Events.', z.array(RegisterEventView)) },
    }),
    async (c) => {
      const { security = null, limit, cursor } = c.req.valid('query');
      const query = { security, after: cursor ?? null, limit: rowsToRead(limit) };
      const found = await listOpenEvents(database(c.env.DB), query);
      return c.json(enveloped(pageOf(c, found, limit, (last) => last.id).map(eventView)), 200);
    },
  );
  registerRoute(
    exchange,
    { ...OPERATOR_WRITE, errors: [...OPERATOR_WRITE.errors, 'SERVICE_UNAVAILABLE'] },
    createRoute({
      method: 'post',
      path: '/v1/operator/register-events/{id}/end',
      tags: ['operator'],
      summary:
        'End an event of a register that does not come to its end: it is carried on once more, else refused for good',
      request: { params: z.object({ id: z.uuid() }), body: bodyOf(ReasonBody) },
      responses: { 200: envelopeOf('The event, refused.', RegisterEventView) },
    }),
    async (c) => {
      const ended = await endRegisterEvent(c.env, c.req.valid('param').id, actionOf(c, c.req.valid('json').reason));
      if (!ended.ok) return failure(c, endError(ended.error));
      return c.json(enveloped(eventView(ended.value)), 200);
    },
  );
}

function endError(error: RegisterEndError): ApiError {
  switch (error.reason) {
    case 'event_not_found':
      return apiError('NOT_FOUND', 'event of a register does not exist');
    case 'wrong_state':
      return apiError('CONFLICT', 'the event has come to its end', {
        reason: error.reason,
        state: error.event.state,
        refusal: error.event.refusal,
      });
    case 'of_corporate_action':
      return apiError('CONFLICT', 'the event belongs to a corporate action: hold or cancel that', {
        reason: error.reason,
        type: error.event.type,
      });
    case 'shares_moved':
      return apiError('CONFLICT', 'the ledger has moved its shares: it is to be recorded, and not ended', {
        reason: error.reason,
      });
    case 'outcome_unknown':
      return apiError('SERVICE_UNAVAILABLE', 'the ledger does not answer; nothing was ended', { reason: error.reason });
  }
}
