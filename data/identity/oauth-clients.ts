import { eq } from 'drizzle-orm';
import type { Grant } from '../../domain/identity/grant.ts';
import type { Database } from '../database.ts';
import { oauthClients } from '../schema.ts';

/** A machine client, or an application that people sign in through. */
export interface OAuthClient {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  /** SHA-256 of the secret, hexadecimal; null for a public client. */
  readonly secretHash: string | null;
  readonly grants: readonly Grant[];
  /** User that a client-credentials token speaks for; null speaks for the client itself. */
  readonly userId: string | null;
  readonly createdAt: number;
}

/** Stores a client; one that stands under this id is left as it is. */
export async function createOAuthClient(db: Database, client: OAuthClient): Promise<void> {
  await db.insert(oauthClients).values(client).onConflictDoNothing();
}

export async function findOAuthClient(db: Database, id: string): Promise<OAuthClient | null> {
  return (await db.select().from(oauthClients).where(eq(oauthClients.id, id)).get()) ?? null;
}
