import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
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

/** Which of the spellings of a number a user has, an active one before others; the first, where nobody has any. */
export async function findSpelling(db: Database, spellings: readonly [string, ...string[]]): Promise<string> {
  const found = await db
    .select({ phone: users.phone })
    .from(users)
    .where(inArray(users.phone, [...spellings]))
    .orderBy(sql`${users.deactivatedAt} IS NOT NULL`, sql`${users.phone} <> ${spellings[0]}`)
    .limit(1)
    .get();
  return found?.phone ?? spellings[0];
}

/** Whether a number is a user's, or was one's who is deactivated: nobody else signs up by it. */
export async function isPhoneOfAnybody(db: Database, phone: string): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).where(eq(users.phone, phone)).get()) !== undefined;
}
