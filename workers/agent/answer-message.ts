import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type AgentCaller, callAsKey } from '../../application/agent/call-as-key.ts';
import { ownId } from '../../domain/identity/own-id.ts';
import { createToolServer } from '../../protocol/agent/create-tool-server.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import type { Profile } from '../middleware/profile.ts';
import { bookRest } from './book-rest.ts';

/**
 * Answers one POST of MCP messages. The tools keep nothing between messages, so each gets a server of its own: any isolate answers any
 * message, and a session is no more than a name.
 */
export async function answerMessage(c: AppContext, book: Profile, message: string): Promise<Response> {
  const wanted = c.req.header('x-api-key');
  const caller: AgentCaller = {
    userId: principalOf(c).userId,
    wantedKeyId: wanted === undefined ? null : ownId(wanted),
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
