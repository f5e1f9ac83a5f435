import { createRoute } from '@hono/zod-openapi';
import { askGate } from '../../application/identity/ask-gate.ts';
import { agentStreamOf } from '../../durable-objects/agent-session/api.ts';
import { connectionsMaxOf, userGateName } from '../../protocol/object-names/gate-name.ts';
import { principalOf } from '../middleware/app-env.ts';
import { clientAddressOf } from '../middleware/client-address.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { feedRefused } from '../responses/feed-refused.ts';
import { agentAddressOf, challengeOf } from './agent-address.ts';
import { methodNotAllowed } from './method-not-allowed.ts';
import { originFailure } from './origin-failure.ts';
import { TRUSTED_ORIGINS } from './trusted-origins.ts';

/**
 * GET /mcp: the stream of a client of the older HTTP+SSE transport, whose first event names the address to post to. Clients of
 * Streamable HTTP, which tell their protocol version by now, are told that this server pushes nothing by itself.
 */
export function openSessionRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'agent' }, bucket: 'private', challenge: challengeOf, crossOrigin: TRUSTED_ORIGINS },
    createRoute({
      method: 'get',
      path: '/mcp',
      summary: 'The stream of the older HTTP+SSE transport',
      responses: {
        200: { description: 'Server-sent events.' },
        405: { description: 'Streamable HTTP has no stream.' },
      },
    }),
    async (c) => {
      const refusal = originFailure(c);
      if (refusal !== null) return failure(c, refusal);
      const wanted = c.req.header('accept')?.includes('text/event-stream') === true;
      if (!wanted || c.req.header('mcp-protocol-version') !== undefined) return methodNotAllowed();
      const sessionId = crypto.randomUUID();
      const { pathname } = new URL(agentAddressOf(c));
      const endpoint = `${pathname === '/' ? '' : pathname}/mcp?sessionId=${sessionId}`;
      const { owner, userId } = principalOf(c);
      const lease = { connectionId: sessionId, gate: userGateName(owner, userId), clientAddress: clientAddressOf(c) };
      const acquired = await askGate(c.env, lease.gate, (gate) =>
        gate.acquireConnection(sessionId, lease.clientAddress),
      );
      if (acquired === null) return failure(c, feedRefused({ reason: 'gate_unavailable' }));
      if (!acquired) {
        const connectionsMax = connectionsMaxOf(lease.gate);
        return failure(c, feedRefused({ reason: 'too_many_connections', connectionsMax }));
      }
      const stream = await agentStreamOf(c.env, sessionId).open(userId, endpoint, lease);
      return new Response(stream, {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' },
      });
    },
  );
}
