import { and, count, desc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Database } from '../database.ts';
import { accounts, familyRelations } from '../schema/accounts.ts';

export type FamilyRelation = Readonly<typeof familyRelations.$inferSelect>;

/** A relation with whose accounts it is between, and of which organizations. */
export interface RelatedUsers extends FamilyRelation {
  readonly userId: string | null;
  readonly owner: string;
  readonly relativeUserId: string | null;
  readonly relativeOwner: string;
}

/** Relations of one account that a list shows. */
const RELATIONS_MAX = 1_000;

export async function findFamilyRelation(db: Database, id: string): Promise<RelatedUsers | null> {
  return (await relatedUsers(db, eq(familyRelations.id, id)).get()) ?? null;
}

/** Newest first, those that have ended included. */
export function listFamilyRelations(db: Database, account: string): Promise<RelatedUsers[]> {
  return relatedUsers(db, ofAccount(account)).orderBy(desc(familyRelations.id)).limit(RELATIONS_MAX).all();
}

/** The relation of two accounts that has not ended, or null. */
export async function findFamilyBetween(db: Database, one: string, other: string): Promise<FamilyRelation | null> {
  const between = and(ofAccount(one), ofAccount(other), isNull(familyRelations.endedAt));
  return (await db.select().from(familyRelations).where(between).get()) ?? null;
}

/** Accounts that an account is family of now. */
export async function countFamily(db: Database, account: string): Promise<number> {
  const open = and(ofAccount(account), isNull(familyRelations.endedAt));
  const [row] = await db.select({ relatives: count() }).from(familyRelations).where(open);
  return row?.relatives ?? 0;
}

/** JSON array of the accounts that the account of a query's row is family of now. */
export const FAMILY_OF_ACCOUNT: SQL<string> = sql<string>`
  (SELECT json_group_array(CASE f.account WHEN ${accounts.id} THEN f.relative ELSE f.account END)
   FROM family_relations f WHERE (f.account = ${accounts.id} OR f.relative = ${accounts.id}) AND f.ended_at IS NULL)`;

const relatives = alias(accounts, 'relatives');

function relatedUsers(db: Database, condition: SQL | undefined) {
  const { id, account, relative, relationship, evidence, recordedBy, createdAt, endedAt, endedBy, endedReason } =
    familyRelations;
  const relation = {
    id,
    account,
    relative,
    relationship,
    evidence,
    recordedBy,
    createdAt,
    endedAt,
    endedBy,
    endedReason,
  };
  const people = {
    userId: accounts.userId,
    owner: accounts.owner,
    relativeUserId: relatives.userId,
    relativeOwner: relatives.owner,
  };
  return db
    .select({ ...relation, ...people })
    .from(familyRelations)
    .innerJoin(accounts, eq(accounts.id, account))
    .innerJoin(relatives, eq(relatives.id, relative))
    .where(condition);
}

function ofAccount(account: string): SQL | undefined {
  return or(eq(familyRelations.account, account), eq(familyRelations.relative, account));
}
