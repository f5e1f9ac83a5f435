import { createRoute } from '@hono/zod-openapi';
import { agentSessionsOf, agentStreamOf } from '../../durable-objects/agent-session/api.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { challengeOf } from './agent-address.ts';
import { isSessionId } from './is-session-id.ts';
import { originFailure } from './origin-failure.ts';
import { TRUSTED_ORIGINS } from './trusted-origins.ts';

/** DELETE /mcp: ends the session that Mcp-Session-Id names. */
export function endSessionRoute(profile: Profile): void {
  registerRoute(
    profile,
    {
      access: { credential: 'agent' },
      bucket: 'private',
      errors: ['NOT_FOUND'],
      challenge: challengeOf,
      crossOrigin: TRUSTED_ORIGINS,
    },
    createRoute({
      method: 'delete',
      path: '/mcp',
      summary: 'End a session',
      responses: { 204: { description: 'Ended.' } },
    }),
    async (c) => {
      const refusal = originFailure(c);
      if (refusal !== null) return failure(c, refusal);
      const sessionId = c.req.header('mcp-session-id') ?? '';
      const { userId } = principalOf(c);
      const ended =
        isSessionId(sessionId) &&
        ((await agentSessionsOf(c.env, userId).end(sessionId)) ||
          (await agentStreamOf(c.env, sessionId).close(userId)));
      return ended ? c.body(null, 204) : failure(c, apiError('NOT_FOUND', 'no such session'));
    },
  );
}
