import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { users } from '../schema/accounts.ts';

export type UserRow = typeof users.$inferSelect;

export async function findUser(db: Database, id: string): Promise<UserRow | null> {
  return (await db.select().from(users).where(eq(users.id, id)).get()) ?? null;
}

/** The active user who signs in by this number. @param phone E.164 */
export async function findUserByPhone(db: Database, phone: string): Promise<UserRow | null> {
  return (
    (await db
      .select()
      .from(users)
      .where(and(eq(users.phone, phone), isNull(users.deactivatedAt)))
      .get()) ?? null
  );
}
