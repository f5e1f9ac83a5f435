import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { agentToolCallDays, agentToolCalls } from '../../schema/audit.ts';

/** A call of an agent tool, as the key's owner reads it. */
export type ToolCall = Readonly<typeof agentToolCalls.$inferSelect>;

/** Counts a call of a user's agents on a day (since 1970, UTC) before it is made; false, and nothing counted, where there were so many. */
export async function takeToolCall(
  db: Database,
  { userId, day, callsMax }: { readonly userId: string; readonly day: number; readonly callsMax: number },
): Promise<boolean> {
  const taken = await db
    .insert(agentToolCallDays)
    .values({ userId, day, calls: 1 })
    .onConflictDoUpdate({
      target: [agentToolCallDays.userId, agentToolCallDays.day],
      set: { calls: sql`${agentToolCallDays.calls} + 1` },
      setWhere: lt(agentToolCallDays.calls, callsMax),
    })
    .returning({ calls: agentToolCallDays.calls });
  return taken.length > 0;
}

/** Deletes calls whose ids are below one, the oldest first; how many. A trigger refuses those of the last 29 days. */
export async function deleteToolCallsBefore(db: Database, id: string, limit: number): Promise<number> {
  const deleted = await db.all(sql`
    DELETE FROM agent_tool_calls WHERE id IN (SELECT id FROM agent_tool_calls WHERE id < ${id} ORDER BY id LIMIT ${limit})
    RETURNING 1`);
  return deleted.length;
}

/** Deletes numbers of days before one; how many. */
export async function deleteToolCallDaysBefore(db: Database, day: number, limit: number): Promise<number> {
  const deleted = await db.all(sql`
    DELETE FROM agent_tool_call_days WHERE (user_id, day) IN (SELECT user_id, day FROM agent_tool_call_days WHERE day < ${day} LIMIT ${limit})
    RETURNING 1`);
  return deleted.length;
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
