import { createRoute, z } from '@hono/zod-openapi';
import { agentSessionsOf, agentStreamOf } from '../../durable-objects/agent-session/api.ts';
import { CANCEL_TOOL } from '../../protocol/agent/tools/cancel-order.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { type FailureResponse, failure } from '../responses/failure.ts';
import { challengeOf } from './agent-address.ts';
import { answerMessage } from './answer-message.ts';
import { isSessionId } from './is-session-id.ts';
import { originFailure } from './origin-failure.ts';
import { TRUSTED_ORIGINS } from './trusted-origins.ts';

const SESSION_HEADER = 'mcp-session-id';

/**
 * POST /mcp: MCP messages. Answered in the response (Streamable HTTP), or, where `sessionId` names a stream of the older transport, on
 * that stream. A session is its user's alone, and of use to nobody without their access token.
 */
export function postMessageRoute(profile: Profile, book: Profile): void {
  registerRoute(
    profile,
    {
      access: { credential: 'agent' },
      bucket: 'private',
      bucketOf: (message) => (callsCancel(message) ? 'cancels' : null),
      errors: ['NOT_FOUND'],
      takesBody: true,
      challenge: challengeOf,
      crossOrigin: TRUSTED_ORIGINS,
    },
    createRoute({
      method: 'post',
      path: '/mcp',
      summary: 'MCP messages',
      request: { query: z.object({ sessionId: z.uuid().optional() }) },
      responses: {
        200: { description: 'The answers.' },
        202: { description: 'Taken; nothing to answer here.' },
        400: { description: 'An error of JSON-RPC, or of the request.' },
      },
    }),
    async (c) => {
      const refusal = originFailure(c);
      if (refusal !== null) return failure(c, refusal);
      if (await isBatch(c)) return oneMessageAlone() as FailureResponse;
      const { sessionId } = c.req.valid('query');
      return (
        sessionId === undefined ? answerHere(c, book) : answerOnStream(c, book, sessionId)
      ) as Promise<FailureResponse>;
    },
  );
}

const CancelCall = z.object({ method: z.literal('tools/call'), params: z.object({ name: z.literal(CANCEL_TOOL) }) });

/** Reads hold up no cancel: that of an agent is counted as one here, and again as the call that the tool makes. */
function callsCancel(message: unknown): boolean {
  return CancelCall.safeParse(message).success;
}

async function answerHere(c: AppContext, book: Profile): Promise<Response> {
  const { userId, keyId } = principalOf(c);
  const named = c.req.header(SESSION_HEADER);
  if (named !== undefined && !(isSessionId(named) && (await agentSessionsOf(c.env, userId).use(named))))
    return noSession(c);
  const message = await c.req.text();
  const answer = await answerMessage(c, book, message);
  if (answer.status !== 200 || !isInitialize(message)) return answer;
  answer.headers.set(SESSION_HEADER, await agentSessionsOf(c.env, userId).begin(keyId ?? ''));
  return answer;
}

/** HTTP+SSE of protocol version 2024-11-05: its clients do not say that they take JSON, and read the answer on their stream. */
async function answerOnStream(c: AppContext, book: Profile, sessionId: string): Promise<Response> {
  const session = agentStreamOf(c.env, sessionId);
  const { userId } = principalOf(c);
  if (!(await session.belongsTo(userId))) return noSession(c);
  const answer = await answerMessage(c, book, await c.req.text());
  if (answer.status !== 200) return answer;
  const delivered = await session.deliver(userId, await answer.text());
  return delivered ? new Response(null, { status: 202 }) : noSession(c);
}

/** A message is what a request is counted for; MCP has no batches since 2025-06-18. */
async function isBatch(c: AppContext): Promise<boolean> {
  return (await c.req.text()).trimStart().startsWith('[');
}

function oneMessageAlone(): Response {
  const error = { code: -32600, message: 'send one message in a request: batches are not taken' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 400 });
}

function noSession(c: AppContext): Response {
  return failure(c, apiError('NOT_FOUND', 'no such session'));
}

function isInitialize(message: string): boolean {
  return (JSON.parse(message) as { readonly method?: unknown }).method === 'initialize';
}
