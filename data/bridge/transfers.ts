import { and, count, desc, eq, gte, lt, sql } from 'drizzle-orm';
import { firstIdOf } from '../../domain/ids/created-at-of.ts';
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

/** How many of an organization's transfers wait for funds, of those that were begun since: as far as D1 shows, and no more than `most`. */
export async function countAwaiting(
  db: Database,
  { organization, since, most }: { readonly organization: string; readonly since: number; readonly most: number },
): Promise<number> {
  const waits = and(
    eq(bridgeTransfers.organization, organization),
    gte(bridgeTransfers.id, firstIdOf(since)),
    eq(bridgeTransfers.state, 'awaiting_funds'),
  );
  const waiting = db.select({ id: bridgeTransfers.id }).from(bridgeTransfers).where(waits).limit(most).as('waiting');
  return (await db.select({ count: count() }).from(waiting).get())?.count ?? 0;
}

/** Whether an organization has begun a transfer, as far as D1 shows. */
export async function hasTransfers(db: Database, organization: string): Promise<boolean> {
  const isOwn = eq(bridgeTransfers.organization, organization);
  return (await db.select({ id: bridgeTransfers.id }).from(bridgeTransfers).where(isOwn).limit(1).get()) !== undefined;
}
