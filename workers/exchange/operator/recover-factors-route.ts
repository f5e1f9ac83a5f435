import { createRoute, z } from '@hono/zod-openapi';
import { beginRecovery, endRecovery } from '../../../application/identity/factors/recover-factors.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_STOP, OPERATOR_WRITE, Reason, ReasonBody } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const RecoveryView = z
  .object({
    id: z.string(),
    userId: z.string(),
    state: z.enum(['waiting', 'stopped', 'done']),
    askedAt: z.iso.datetime(),
    dueAt: z.iso.datetime().openapi({ description: 'When the factors go, unless the user signs in with one before.' }),
  })
  .openapi('FactorRecovery');

const RecoveryBody = z
  .strictObject({
    reason: Reason,
    compromised: z.boolean().default(false).openapi({
      description:
        'Somebody else has got into the account: no factor stops it. All that is good for the user without them ends as by a kill switch: sessions, tokens, API keys with open orders, what applications and agents were allowed, and secrets of machine clients (`ends` of `GET /v1/operator/users/{id}` counts them). Nobody is given any of it until it is done.',
    }),
  })
  .openapi('OperatorFactorRecovery');

/** POST /v1/operator/users/{id}/factor-recovery: for whoever has lost passkeys, app and recovery codes. */
export function recoverFactorsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...OPERATOR_WRITE, idempotent: 'unstored' },
    createRoute({
      method: 'post',
      path: '/v1/operator/users/{id}/factor-recovery',
      tags: ['operator'],
      summary: 'Begin to remove the factors of a user who has lost them',
      description:
        'It takes effect after 24 hours: then passkeys, authenticator app and recovery codes are removed, and all sessions end. It takes two operators, whatever the venue asks for. The user is told by mail and phone, and stops it by showing a factor.',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: RecoveryBody } } },
      },
      responses: { 200: envelopeOf('The recovery, which waits.', RecoveryView) },
    }),
    async (c) => {
      const { id: userId } = c.req.valid('param');
      const { reason, compromised } = c.req.valid('json');
      const action = actionOf(c, reason);
      const waits = await weigh(c, c.req.valid('json'), action, true);
      if (waits !== null) return failure(c, waits);
      const begun = await beginRecovery(c.env, { userId, reason, compromised }, action);
      if (!begun.ok) return failure(c, begun.error);
      const { id, state, askedAt, dueAt } = begun.value;
      const times = { askedAt: new Date(askedAt).toISOString(), dueAt: new Date(dueAt).toISOString() };
      return c.json(enveloped({ id, userId, state, ...times }), 200);
    },
  );
}

const StoppedView = z.object({ userId: z.string(), state: z.literal('stopped') }).openapi('StoppedFactorRecovery');

/** POST /v1/operator/users/{id}/factor-recovery/stop: for whoever has not asked for it. One operator is enough. */
export function stopRecoveryRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_STOP,
    createRoute({
      method: 'post',
      path: '/v1/operator/users/{id}/factor-recovery/stop',
      tags: ['operator'],
      summary: 'Stop a recovery that the user has not asked for',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: ReasonBody } } },
      },
      responses: { 200: envelopeOf('It is stopped, and the factors stay.', StoppedView) },
    }),
    async (c) => {
      const { id: userId } = c.req.valid('param');
      const { reason } = c.req.valid('json');
      const stopped = await endRecovery(c.env, { userId, reason }, actionOf(c, reason));
      return stopped.ok ? c.json(enveloped({ userId, state: 'stopped' as const }), 200) : failure(c, stopped.error);
    },
  );
}
