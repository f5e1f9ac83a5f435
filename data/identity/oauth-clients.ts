import { eq } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { oauthClients } from '../schema.ts';

/** A machine client, or an application that people sign in through. */
export type OAuthClient = Readonly<typeof oauthClients.$inferSelect>;

/** Stores a client; one that stands under this id is left as it is. */
export async function createOAuthClient(db: Database, client: OAuthClient): Promise<void> {
  await db.insert(oauthClients).values(client).onConflictDoNothing();
}

export async function findOAuthClient(db: Database, id: string): Promise<OAuthClient | null> {
  return (await db.select().from(oauthClients).where(eq(oauthClients.id, id)).get()) ?? null;
}
