import { and, desc, eq, lt } from 'drizzle-orm';
import type { ToolTransport } from '../../../domain/identity/tool-transport.ts';
import type { Database } from '../../database.ts';
import { agentToolCalls } from '../../schema.ts';

/** A call of an agent tool, as the key's owner reads it. */
export interface ToolCall {
  /** UUIDv7 of the moment at which the exchange learned of the call. */
  readonly id: string;
  readonly keyId: string;
  readonly transport: ToolTransport;
  readonly tool: string;
  /** Declared parameters with valid values alone (protocol/agent/loggable-parameters.ts). */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** `OK`, or the error code of the exchange. */
  readonly resultCode: string;
  /** Unix milliseconds. */
  readonly calledAt: number;
}

/** Appends to the log; nothing in it is ever changed (triggers). */
export async function recordToolCall(db: Database, call: ToolCall): Promise<void> {
  await db.insert(agentToolCalls).values(call);
}

/** The calls of a key, newest first. */
export async function listToolCalls(
  db: Database,
  query: { readonly keyId: string; readonly before: string | null; readonly limit: number },
): Promise<ToolCall[]> {
  const older = query.before === null ? undefined : lt(agentToolCalls.id, query.before);
  return db
    .select()
    .from(agentToolCalls)
    .where(and(eq(agentToolCalls.keyId, query.keyId), older))
    .orderBy(desc(agentToolCalls.id))
    .limit(query.limit);
}
