import { and, eq, gt, sql } from 'drizzle-orm';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { Database } from '../database.ts';
import { registeredClients } from '../schema/identity.ts';
import { sqlBatch } from '../sql-batch.ts';

/** A client that has registered itself. */
export type RegisteredClient = Readonly<typeof registeredClients.$inferSelect>;

/** Of all strangers together, and of one address in a day: each is a row. */
const REGISTERED_MAX = 10_000;
const REGISTERED_PER_DAY_MAX = 10;
/** How long one is kept that nobody signs in through, and that somebody does. */
export const UNUSED_MS_MAX = DAY_MS;
const USED_MS_MAX = 90 * DAY_MS;

/** Stores a client; false where its address, or everybody together, has registered as many as may be. */
export async function registerClient(db: Database, client: RegisteredClient, now: number): Promise<boolean> {
  const { id, name, redirectUris, postLogoutRedirectUris, address, createdAt, expiresAt } = client;
  const [made] = await sqlBatch(db, [
    sql`INSERT INTO registered_clients (id, name, redirect_uris, post_logout_redirect_uris, address, created_at, expires_at)
        SELECT ${id}, ${name}, ${JSON.stringify(redirectUris)}, ${JSON.stringify(postLogoutRedirectUris)}, ${address}, ${createdAt}, ${expiresAt}
        WHERE (SELECT count(*) FROM registered_clients) < CAST(${REGISTERED_MAX} AS INTEGER)
          AND (SELECT count(*) FROM registered_clients WHERE address = ${address} AND created_at > CAST(${now - DAY_MS} AS INTEGER)) < CAST(${REGISTERED_PER_DAY_MAX} AS INTEGER)
        RETURNING id`,
  ]);
  return made?.length === 1;
}

export async function findRegisteredClient(db: Database, id: string, now: number): Promise<RegisteredClient | null> {
  const isGood = and(eq(registeredClients.id, id), gt(registeredClients.expiresAt, now));
  return (await db.select().from(registeredClients).where(isGood).get()) ?? null;
}

/** Somebody has signed in through it. */
export async function keepRegisteredClient(db: Database, id: string, now: number): Promise<void> {
  await sqlBatch(db, [
    sql`UPDATE registered_clients SET expires_at = max(expires_at, ${now + USED_MS_MAX}) WHERE id = ${id}`,
  ]);
}
