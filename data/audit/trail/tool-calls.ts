import { and, desc, eq, lt } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { agentToolCalls } from '../../schema/audit.ts';

/** A call of an agent tool, as the key's owner reads it. */
export type ToolCall = Readonly<typeof agentToolCalls.$inferSelect>;

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
