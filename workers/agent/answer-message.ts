import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type AgentCaller, callAsKey } from '../../application/agent/call-as-key.ts';
import { ownId } from '../../domain/identity/own-id.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { createToolServer } from '../../protocol/agent/create-tool-server.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import type { Profile } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { bookRest } from './book-rest.ts';

/**
 * Answers one POST of MCP messages. The tools keep nothing between messages, so each gets a server of its own: any isolate answers any
 * message, and a session is no more than a name.
 */
export async function answerMessage(c: AppContext, book: Profile, message: string): Promise<Response> {
  const key = keyOf(c);
  if (!key.ok) return failure(c, key.error);
  const caller: AgentCaller = {
    userId: principalOf(c).userId,
    wantedKeyId: key.value,
    restOf: (keyId) => bookRest(c, book, keyId),
  };
  const server = createToolServer((tool, parameters) => callAsKey(c.env, caller, tool, parameters));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  // The SDK's class declares optional properties in a way that exactOptionalPropertyTypes tells apart from its own interface.
  await server.connect(transport as Transport);
  const headers = new Headers(c.req.raw.headers);
  // Clients of the older transport do not say what they take.
  headers.set('accept', 'application/json, text/event-stream');
  return transport.handleRequest(new Request(c.req.url, { method: 'POST', headers, body: message }));
}

/**
 * The key that the caller names, or null for their oldest. A token that was given for this server acts under the key that was made for it: its
 * bearer is an agent, and chooses none.
 */
function keyOf(c: AppContext): Result<string | null, ApiError> {
  const named = c.req.header('x-api-key');
  const wanted = named === undefined ? null : ownId(named);
  const token = c.get('accessToken');
  if (token === undefined || token.audiences.includes(c.env.IAM_AUDIENCE)) return ok(wanted);
  if (token.keyId === null || (wanted !== null && wanted !== token.keyId))
    return err(apiError('FORBIDDEN', 'the token acts under a key of its own', { reason: 'key_of_token' }));
  return ok(token.keyId);
}
