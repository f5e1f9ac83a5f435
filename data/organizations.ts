import type { Database } from './database.ts';
import { organizations } from './schema.ts';

export interface Organization {
  readonly id: string;
  readonly name: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** A person, or the user that a machine client speaks for. */
export interface User {
  readonly id: string;
  /** Organization id: the `owner` claim. */
  readonly owner: string;
  /** E.164, the username of the password grant; null for a machine client. */
  readonly phone: string | null;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly createdAt: number;
}

/** Stores an organization; one that stands under this id is left as it is. */
export async function createOrganization(db: Database, organization: Organization): Promise<void> {
  await db.insert(organizations).values(organization).onConflictDoNothing();
}
