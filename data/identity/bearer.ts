import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';

/** By whose token something is made. */
export interface Bearer {
  readonly userId: string;
  /** Of the token, Unix seconds; null where nobody came by a token. */
  readonly issuedAt: number | null;
}

/** Of what nobody asks for by a token, such as a job or the seed. */
export const NO_TOKEN: Bearer = { userId: '', issuedAt: null };

/** What a token asked for was not done: it has ended since it was verified. */
export class TokenEnded extends Error {
  constructor() {
    super('the token has ended');
    this.name = 'TokenEnded';
  }
}

/**
 * The condition that no kill switch of the bearer has been pulled since the token was issued, and that they are active. Whatever makes a
 * credential or gives a lasting right asks it in its own statement: the Gate has asked before, and the switch may be pulled meanwhile.
 */
export function tokenStands({ userId, issuedAt }: Bearer): SQL {
  if (issuedAt === null) return sql`true`;
  return sql`NOT EXISTS (SELECT 1 FROM users WHERE id = ${userId}
               AND (tokens_valid_after > CAST(${issuedAt * 1_000} AS INTEGER) OR deactivated_at IS NOT NULL))`;
}

/** The same by itself, for what is written in another database: asked once that is done, it is taken back where the switch was pulled before. */
export async function tokenStandsNow(db: Database, bearer: Bearer): Promise<boolean> {
  if (bearer.issuedAt === null) return true;
  return (await db.all(sql`SELECT 1 WHERE ${tokenStands(bearer)}`)).length === 1;
}

/** Once something was not done. @throws TokenEnded where that is why */
export async function refuseEndedToken(db: Database, bearer: Bearer): Promise<void> {
  if (!(await tokenStandsNow(db, bearer))) throw new TokenEnded();
}
