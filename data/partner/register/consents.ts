import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { type Bearer, NO_TOKEN, refuseEndedToken, tokenStands } from '../../identity/bearer.ts';
import { registerConsents } from '../../schema/register.ts';

/** When the owner of an account let transfer agents register shares to it, Unix ms; null where they have not, or have taken it back. */
export async function findConsent(db: Database, account: string): Promise<number | null> {
  const row = await db.select().from(registerConsents).where(eq(registerConsents.account, account)).get();
  return row?.createdAt ?? null;
}

/**
 * The first consent stands until it is taken back.
 *
 * @param bearer by whose token it is given
 * @throws TokenEnded where a kill switch has ended that token
 */
export async function setConsent(
  db: Database,
  account: string,
  isGiven: boolean,
  now: number,
  bearer: Bearer = NO_TOKEN,
): Promise<void> {
  if (isGiven) {
    await db.run(sql`INSERT INTO register_consents (account, created_at) SELECT ${account}, ${now} WHERE ${tokenStands(bearer)}
                     ON CONFLICT DO NOTHING`);
    if ((await findConsent(db, account)) === null) await refuseEndedToken(db, bearer);
  } else await db.delete(registerConsents).where(eq(registerConsents.account, account));
}
