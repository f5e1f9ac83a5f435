import { createRoute, z } from '@hono/zod-openapi';
import { editUser } from '../../../application/operator/change-user.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE } from './operator-route.ts';
import { UserEditRequest, UserRecord, userRecord } from './user-schema.ts';
import { weigh } from './weighty-call.ts';

/** PATCH /v1/operator/users/{id}: name, address, phone number, roles. */
export function changeUserRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    // The answer names a person.
    { ...OPERATOR_WRITE, idempotent: 'unstored' },
    createRoute({
      method: 'patch',
      path: '/v1/operator/users/{id}',
      tags: ['operator'],
      summary: 'Edit a user',
      description: 'Roles are given whole and hold at once. Nobody changes their own.',
      request: {
        params: z.object({ id: z.string() }),
        body: { required: true, content: { 'application/json': { schema: UserEditRequest } } },
      },
      responses: { 200: envelopeOf('The user.', UserRecord) },
    }),
    async (c) => {
      const { reason, roles, rolesBefore, ...stated } = c.req.valid('json');
      const said = { ...stated, ...(roles === undefined ? {} : { roles: [...new Set(roles)] }) };
      const edit = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
      const action = actionOf(c);
      // Who has the phone of somebody signs in as them.
      const isWeighty = roles !== undefined || stated.phone !== undefined;
      const waits = isWeighty ? await weigh(c, c.req.valid('json'), action) : null;
      if (waits !== null) return failure(c, waits);
      const changed = await editUser(c.env, { id: c.req.valid('param').id, edit, rolesBefore, reason }, action);
      return changed.ok ? c.json(enveloped(userRecord(changed.value.user)), 200) : failure(c, changed.error);
    },
  );
}
