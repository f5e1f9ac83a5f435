import { uuidv7 } from 'uuidv7';
import { describeBug } from '../../application/log/describe-bug.ts';
import { recordToolCall } from '../../data/audit/trail/tool-calls.ts';
import { database } from '../../data/database.ts';
import { findActiveKeyId } from '../../data/identity/api-keys.ts';
import { log } from '../../durable-objects/log/log.ts';
import { callTool } from '../../protocol/agent/call-tool.ts';
import { loggableParameters } from '../../protocol/agent/loggable-parameters.ts';
import type { AgentTool } from '../../protocol/agent/tool.ts';
import { resultCodeOf, type ToolOutcome } from '../../protocol/agent/tool-outcome.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import type { Profile } from '../middleware/profile.ts';
import { bookRest } from './book-rest.ts';

/**
 * Carries a tool out under the caller's own API key, the one that X-API-Key names or else their oldest active one, and logs it. The
 * order-book profile checks key, scope and limits again, as for any REST call.
 */
export async function callAsKey(
  c: AppContext,
  book: Profile,
  tool: AgentTool,
  parameters: unknown,
): Promise<ToolOutcome> {
  const db = database(c.env.DB);
  const keyId = await findActiveKeyId(db, principalOf(c).userId, c.req.header('x-api-key') ?? null);
  if (keyId === null) return NO_KEY;
  const outcome = await callTool(tool, parameters, bookRest(c, book, keyId));
  const call = {
    id: uuidv7(),
    keyId,
    transport: 'http',
    tool: tool.name,
    parameters: loggableParameters(tool, parameters),
    resultCode: resultCodeOf(outcome),
    calledAt: Date.now(),
  } as const;
  try {
    await recordToolCall(db, call);
  } catch (error) {
    // What was done is done and must be answered; the call stands in the Worker's log instead.
    log('error', 'tool call not logged', { call, ...describeBug(error) });
  }
  return outcome;
}

const NO_KEY: ToolOutcome = {
  ok: false,
  error: {
    code: 'FORBIDDEN',
    message: 'tools act under an API key of your own: make one, or name an active one in X-API-Key',
    details: { reason: 'no_api_key' },
  },
};
