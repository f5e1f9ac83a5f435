import { DAY_MS } from '../../domain/calendar/durations.ts';

/** The sessions of one user over Streamable HTTP, one object for all of them. */
export interface AgentSessionsApi {
  /**
   * Begins a session and answers its id. It ends by itself after SESSION_MS_MAX, and beyond SESSIONS_MAX where its agent has more than any other, or as many, and used it longest ago.
   *
   * @param agent id of the key that it acts under
   */
  begin(agent: string): Promise<string>;
  /** Whether it lives; it has been used then. */
  use(sessionId: string): Promise<boolean>;
  /** Ends it for good; false where it has ended or is another user's. */
  end(sessionId: string): Promise<boolean>;
}

/** A session of the older HTTP+SSE, one object each: the stream that answers go to, alive as long as its client reads it. */
export interface AgentStreamApi {
  /**
   * Opens the stream of a session of HTTP+SSE.
   * @param endpoint address that the client posts to, its first event
   * @param lease the user's connection that it takes, which it keeps while it lives and then gives back
   */
  open(userId: string, endpoint: string, lease: StreamLease): Promise<ReadableStream>;
  belongsTo(userId: string): Promise<boolean>;
  /** Ends it for good; false where it has ended or is another user's. */
  close(userId: string): Promise<boolean>;
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
/** Sessions of a user that live at once, under whichever keys: more than one has of programs, and some kilobytes. */
export const SESSIONS_MAX = 16;

interface AgentSessionEnv {
  readonly AGENT_SESSION: { getByName(name: string): unknown };
}

/**
 * A fresh stub of what knows a user's sessions. After an exception a stub stays broken, so one is made for every call. The binding's type
 * wraps every value in disposables, which plain data never is; the object implements this interface.
 */
export function agentSessionsOf(env: AgentSessionEnv, userId: string): AgentSessionsApi {
  return env.AGENT_SESSION.getByName(`user ${userId}`) as AgentSessionsApi;
}

/** The same of a stream. @param sessionId a UUID, which no user's object is named by */
export function agentStreamOf(env: AgentSessionEnv, sessionId: string): AgentStreamApi {
  return env.AGENT_SESSION.getByName(sessionId) as AgentStreamApi;
}
