import type { AgentSessionApi } from '../../durable-objects/agent-session/api.ts';

/** A fresh stub of a session; the binding's type wraps every value in disposables, which plain data never is. */
export function agentSessionOf(env: Env, sessionId: string): AgentSessionApi {
  return env.AGENT_SESSION.getByName(sessionId) as unknown as AgentSessionApi;
}
