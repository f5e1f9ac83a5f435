import { eq, sql } from 'drizzle-orm';
import type { Role } from '../../domain/identity/principal.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { createOnce } from '../create-once.ts';
import type { Database } from '../database.ts';
import { organizations } from '../schema/accounts.ts';

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
  readonly roles: readonly Role[];
  /** Made for machine clients, so that they speak for no person; false where it is left out. */
  readonly service?: boolean;
  readonly createdAt: number;
}

/** Stores an organization; one that stands under this id is left as it is. */
export async function createOrganization(db: Database, organization: Organization): Promise<void> {
  await db.insert(organizations).values(organization).onConflictDoNothing();
}

/** The same by an operator, written down; false where the id is taken. */
export function registerOrganization(
  db: Database,
  organization: Organization,
  action: OperatorAction,
): Promise<boolean> {
  const { id, name, createdAt } = organization;
  return createOnce(db, {
    action,
    type: 'operator.organization_created',
    subject: id,
    after: { id, name },
    now: createdAt,
    conflict: sql`SELECT 1 FROM organizations WHERE id = ${id}`,
    inserts: (takesPlace) => [
      sql`INSERT INTO organizations (id, name, created_at) SELECT ${id}, ${name}, ${createdAt} WHERE ${takesPlace}
          ON CONFLICT DO NOTHING`,
    ],
  });
}

/** What an organization is called; null for none. */
export async function findOrganizationName(db: Database, id: string): Promise<string | null> {
  const [row] = await db.select({ name: organizations.name }).from(organizations).where(eq(organizations.id, id));
  return row?.name ?? null;
}

/** Of a page of organizations each is counted. */
export const COUNTED_USERS_MAX = 1000;

/** An organization, with how many belong to it. */
export interface ListedOrganization extends Organization {
  /** What it is here as a partner; null where it is none. */
  readonly partnerRole: string | null;
  readonly partnerState: string | null;
  /** COUNTED_USERS_MAX where there are as many or more. */
  readonly users: number;
}

/** Organizations by id: one alone, or (null) all, after the last one of the page before. */
export function listOrganizations(
  db: Database,
  { only, after, limit }: { readonly only: string | null; readonly after: string | null; readonly limit: number },
): Promise<ListedOrganization[]> {
  return db.all<ListedOrganization>(sql`
    SELECT o.id, o.name, o.created_at AS createdAt, p.role AS partnerRole, p.state AS partnerState,
           (SELECT count(*) FROM (SELECT 1 FROM users u WHERE u.owner = o.id LIMIT ${COUNTED_USERS_MAX})) AS users
    FROM organizations o LEFT JOIN partner_organizations p ON p.organization = o.id
    WHERE ${only === null ? sql`true` : sql`o.id = ${only}`} AND ${after === null ? sql`true` : sql`o.id > ${after}`}
    ORDER BY o.id LIMIT ${limit}`);
}

export async function organizationExists(db: Database, id: string): Promise<boolean> {
  return (await db.select().from(organizations).where(eq(organizations.id, id)).get()) !== undefined;
}
