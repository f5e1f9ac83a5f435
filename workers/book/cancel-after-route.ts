import { createRoute, z } from '@hono/zod-openapi';
import { armCancelAfter } from '../../application/order-entry/cancel-after.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { accountOf } from './account-of.ts';
import { cancelAfterMs } from './cancel-after-ms.ts';

const CancelAfter = z
  .strictObject({
    timeout_ms: cancelAfterMs,
  })
  .openapi('CancelAfter');

const Armed = z
  .object({
    cancel_at: z.int().nullable().openapi({ description: 'Unix milliseconds; null once disarmed.' }),
  })
  .openapi('CancelSwitch');

/** POST /v1/orders/cancel-after: the dead-man's switch of the key, or of the account for a token without one. */
export function cancelAfterRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'trade' }, bucket: 'cancels' },
    createRoute({
      method: 'post',
      path: '/v1/orders/cancel-after',
      summary: 'Cancel all open orders unless called again in time',
      description:
        'Each call sets the time anew. When it comes, the open orders of the API key are cancelled, or those of the account where the credential is a token without a key.',
      request: { body: { required: true, content: { 'application/json': { schema: CancelAfter } } } },
      responses: { 200: { description: 'When.', content: { 'application/json': { schema: Armed } } } },
    }),
    async (c) => {
      const account = accountOf(c);
      if (!account.ok) return failure(c, account.error);
      const holder = { account: account.value, keyId: principalOf(c).keyId };
      const armed = await armCancelAfter(c.env, holder, c.req.valid('json').timeout_ms);
      return armed.ok ? c.json({ cancel_at: armed.value }, 200) : failure(c, armed.error);
    },
  );
}
