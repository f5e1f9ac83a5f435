import { createRoute, z } from '@hono/zod-openapi';
import { setUserActive } from '../../../application/operator/change-user.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE, ReasonBody } from './operator-route.ts';
import { UserChangeView, userChangeView } from './user-schema.ts';
import { weigh } from './weighty-call.ts';

const SUMMARY = {
  deactivate: 'End a user’s tokens, keys and open orders, and let nobody sign in as them',
  reactivate: 'Let a deactivated user sign in again',
} as const;

/** POST /v1/operator/users/{id}/deactivate and /reactivate. */
export function activateUserRoute(exchange: Profile): void {
  for (const verb of ['deactivate', 'reactivate'] as const) {
    registerRoute(
      exchange,
      // The answer names a person.
      { ...OPERATOR_WRITE, idempotent: 'unstored' },
      createRoute({
        method: 'post',
        path: `/v1/operator/users/{id}/${verb}`,
        tags: ['operator'],
        summary: SUMMARY[verb],
        request: {
          params: z.object({ id: z.string() }),
          body: { required: true, content: { 'application/json': { schema: ReasonBody } } },
        },
        responses: { 200: envelopeOf('The user, and what has ended.', UserChangeView) },
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const activation = { id, active: verb === 'reactivate', ...c.req.valid('json') };
        const action = actionOf(c);
        const waits = activation.active ? await weigh(c, c.req.valid('json'), action) : null;
        if (waits !== null) return failure(c, waits);
        const changed = await setUserActive(c.env, activation, action);
        return changed.ok ? c.json(enveloped(userChangeView(changed.value)), 200) : failure(c, changed.error);
      },
    );
  }
}
