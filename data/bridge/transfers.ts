import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { bridgeTransfers } from '../schema/bridge.ts';

export type ShownTransfer = Readonly<typeof bridgeTransfers.$inferSelect>;

/** Writes where a transfer stands, unless something newer stands there. */
export async function showTransfer(db: Database, shown: ShownTransfer): Promise<void> {
  const { state, changes, updatedAt } = shown;
  await db
    .insert(bridgeTransfers)
    .values(shown)
    .onConflictDoUpdate({
      target: bridgeTransfers.id,
      set: { state, changes, updatedAt },
      setWhere: sql`${bridgeTransfers.changes} <= ${changes}`,
    });
}

/** One of the organization's transfers; another's is not there. */
export async function findShownTransfer(db: Database, organization: string, id: string): Promise<ShownTransfer | null> {
  const isOwn = and(eq(bridgeTransfers.id, id), eq(bridgeTransfers.organization, organization));
  return (await db.select().from(bridgeTransfers).where(isOwn).get()) ?? null;
}

/** Transfers of an organization, newest first. */
export function listShownTransfers(
  db: Database,
  {
    organization,
    before,
    limit,
  }: { readonly organization: string; readonly before: string | null; readonly limit: number },
): Promise<ShownTransfer[]> {
  const isOlder = before === null ? undefined : lt(bridgeTransfers.id, before);
  return db
    .select()
    .from(bridgeTransfers)
    .where(and(eq(bridgeTransfers.organization, organization), isOlder))
    .orderBy(desc(bridgeTransfers.id))
    .limit(limit);
}
