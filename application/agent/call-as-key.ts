import { uuidv7 } from 'uuidv7';
import { recordToolCall } from '../../data/audit/trail/tool-calls.ts';
import { database } from '../../data/database.ts';
import { findActiveKeyId } from '../../data/identity/api-keys.ts';
import { log } from '../../durable-objects/log/log.ts';
import { callTool, type Rest } from '../../protocol/agent/call-tool.ts';
import { loggableParameters } from '../../protocol/agent/loggable-parameters.ts';
import type { AgentTool } from '../../protocol/agent/tool.ts';
import { resultCodeOf, type ToolOutcome } from '../../protocol/agent/tool-outcome.ts';
import { describeBug } from '../log/describe-bug.ts';
import { countToolCall } from './count-tool-call.ts';

/** Who calls a tool, and how calls under a key of theirs reach the order-book profile. */
export interface AgentCaller {
  readonly userId: string;
  /** The API key that the caller names; null for their oldest active one. */
  readonly wantedKeyId: string | null;
  readonly restOf: (keyId: string) => Rest;
}

/**
 * Carries a tool out under an API key of the caller's own, and logs it. The order-book profile checks key, scope and limits again, as
 * for any REST call.
 */
export async function callAsKey(
  env: Env,
  { userId, wantedKeyId, restOf }: AgentCaller,
  tool: AgentTool,
  parameters: unknown,
): Promise<ToolOutcome> {
  const db = database(env.DB);
  const keyId = await findActiveKeyId(db, userId, wantedKeyId);
  if (keyId === null) return NO_KEY;
  const refusal = await countToolCall(db, { userId, tool: tool.name });
  if (refusal !== null) return { ok: false, error: refusal };
  const outcome = await callTool(tool, parameters, restOf(keyId));
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
