import { eq } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { registerConsents } from '../../schema/register.ts';

/** When the owner of an account let transfer agents register shares to it, Unix ms; null where they have not, or have taken it back. */
export async function findConsent(db: Database, account: string): Promise<number | null> {
  const row = await db.select().from(registerConsents).where(eq(registerConsents.account, account)).get();
  return row?.createdAt ?? null;
}

/** The first consent stands until it is taken back. */
export async function setConsent(db: Database, account: string, isGiven: boolean, now: number): Promise<void> {
  if (isGiven) await db.insert(registerConsents).values({ account, createdAt: now }).onConflictDoNothing();
  else await db.delete(registerConsents).where(eq(registerConsents.account, account));
}
