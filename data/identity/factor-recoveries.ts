import { and, eq } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { factorRecoveries } from '../schema/identity.ts';

export type FactorRecovery = Readonly<typeof factorRecoveries.$inferSelect>;

/** The recovery of a user that waits; null for none. */
export async function findWaitingRecovery(db: Database, userId: string): Promise<FactorRecovery | null> {
  const of = and(eq(factorRecoveries.userId, userId), eq(factorRecoveries.state, 'waiting'));
  return (await db.select().from(factorRecoveries).where(of).get()) ?? null;
}
