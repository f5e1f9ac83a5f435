import { DAY_MS } from '../../domain/calendar/durations.ts';

/**
 * A session of MCP, one object each. Streamable HTTP: only who it belongs to, stored until it ends. The older HTTP+SSE: the stream
 * that answers go to, alive as long as its client reads it.
 */
export interface AgentSessionApi {
  /** Begins a session of Streamable HTTP; it ends by itself after SESSION_MS_MAX. */
  begin(userId: string): Promise<void>;
  /** Ends it for good; false where it has ended or is another user's. */
  end(userId: string): Promise<boolean>;
  /**
   * Opens the stream of a session of HTTP+SSE.
   * @param endpoint address that the client posts to, its first event
   * @param lease the user's connection that it takes, which it keeps while it lives and then gives back
   */
  open(userId: string, endpoint: string, lease: StreamLease): Promise<ReadableStream>;
  belongsTo(userId: string): Promise<boolean>;
  /** Sends a JSON-RPC message on the stream; false where it has ended or is another user's. */
  deliver(userId: string, message: string): Promise<boolean>;
}

export interface StreamLease {
  readonly connectionId: string;
  /** Name of the Gate that counts it. */
  readonly gate: string;
  readonly clientAddress: string;
}

export const SESSION_MS_MAX = DAY_MS;

/**
 * A fresh stub of a session. After an exception a stub stays broken, so one is made for every call. The binding's type wraps every value in
 * disposables, which plain data never is; the object implements this interface.
 */
export function agentSessionOf(
  env: { readonly AGENT_SESSION: { getByName(name: string): unknown } },
  sessionId: string,
): AgentSessionApi {
  return env.AGENT_SESSION.getByName(sessionId) as AgentSessionApi;
}
