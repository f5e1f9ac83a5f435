import { createRoute, z } from '@hono/zod-openapi';
import { askGate } from '../../application/identity/ask-gate.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { userGateName } from '../../protocol/object-names/gate-name.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';

const KeySession = z
  .object({
    token: z.string().openapi({ description: 'For the header X-API-Session, beside X-API-Key.' }),
    expires_at: z.number().int().openapi({ description: 'Unix milliseconds.' }),
  })
  .openapi('KeySession');

/**
 * POST /v1/key-sessions. Whoever has proved an API key once, by a signature say, may go on under it without its secret: for a gateway
 * whose clients sign their logon (docs/fix.md).
 */
export function watchKeySessionRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'private' },
    createRoute({
      method: 'post',
      path: '/v1/key-sessions',
      summary: 'A token that stands for the API key for a day',
      responses: { 200: { description: 'The session.', content: { 'application/json': { schema: KeySession } } } },
    }),
    async (c) => {
      const { keyId, owner, userId } = principalOf(c);
      if (keyId === null) return failure(c, apiError('FORBIDDEN', 'only an API key has sessions'));
      if (c.req.header('x-api-session') !== undefined)
        return failure(
          c,
          apiError('FORBIDDEN', 'a session opens no other: prove the key by its secret or a signature'),
        );
      const session = await askGate(c.env, userGateName(owner, userId), (gate) => gate.openSession(keyId));
      if (session === null)
        return failure(c, apiError('SERVICE_UNAVAILABLE', 'no session can be opened now: try again'));
      return c.json({ token: session.token, expires_at: session.expiresAt }, 200);
    },
  );
}
