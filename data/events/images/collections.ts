import { and, count, eq, gt, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { sqlBatch } from '../../sql-batch.ts';
import type { EventsDatabase } from '../database.ts';
import type { KeyScope } from '../keys/scope-key.ts';
import { collections, faces, photos } from '../schema.ts';
import { IS_STORED } from './photos.ts';

export type Collection = typeof collections.$inferSelect;

/** Whose key seals what the collection holds. */
export function scopeOfCollection({ id, tenant, eventId }: Pick<Collection, 'id' | 'tenant' | 'eventId'>): KeyScope {
  return { tenant, scope: eventId === null ? `collection:${id}` : `event:${eventId}` };
}

export async function findCollection(db: EventsDatabase, tenant: string, name: string): Promise<Collection | null> {
  const [row] = await db
    .select()
    .from(collections)
    .where(and(eq(collections.tenant, tenant), eq(collections.name, name)));
  return row ?? null;
}

/** Collections of the tenant's own, those that are being deleted too. */
export async function countOwnCollections(db: EventsDatabase, tenant: string): Promise<number> {
  return db.$count(collections, and(eq(collections.tenant, tenant), isNull(collections.eventId)));
}

export async function collectionsOfEvent(db: EventsDatabase, eventId: string): Promise<Collection[]> {
  return db.select().from(collections).where(eq(collections.eventId, eventId));
}

/** The collection of that name, made with the given id when there is none. */
export async function createCollection(
  db: EventsDatabase,
  row: Pick<Collection, 'id' | 'tenant' | 'name' | 'eventId' | 'createdAt'>,
): Promise<Collection> {
  await db.insert(collections).values(row).onConflictDoNothing();
  const created = await findCollection(db, row.tenant, row.name);
  if (created === null) throw new Error('a collection was deleted while it was being made');
  return created;
}

/** With how many faces each holds, by name; `after` is the last name of the page before. */
export async function listCollections(
  db: EventsDatabase,
  { tenant, after, limit }: { readonly tenant: string; readonly after: string; readonly limit: number },
): Promise<(Collection & { readonly faces: number })[]> {
  const rows = await db
    .select({ collection: collections, faces: count(photos.id) })
    .from(collections)
    .leftJoin(faces, eq(faces.collectionId, collections.id))
    .leftJoin(photos, and(eq(photos.id, faces.photoId), IS_STORED))
    .where(
      and(
        eq(collections.tenant, tenant),
        gt(collections.name, after),
        sql`substr(${collections.name}, 1, 1) <> ${RETIRED}`,
      ),
    )
    .groupBy(collections.id)
    .orderBy(collections.name)
    .limit(limit);
  return rows.map(({ collection, faces: stored }) => ({ ...collection, faces: stored }));
}

/** Spreads the collection over at least this many gallery objects; it never shrinks. */
export async function growCollection(db: EventsDatabase, id: string, shards: number): Promise<void> {
  await db
    .update(collections)
    .set({ shards })
    .where(and(eq(collections.id, id), lt(collections.shards, shards)));
}

/** Takes its name away, so that nothing finds it any more; the rest of it is deleted from then on. */
export async function retireCollection(db: EventsDatabase, id: string): Promise<void> {
  await db
    .update(collections)
    .set({ name: `${RETIRED}${id}`, shredAt: null })
    .where(eq(collections.id, id));
}

/** Takes its name away until `shredAt`, when it is deleted unless it was given back. */
export async function softDeleteCollection(
  db: EventsDatabase,
  { id, name }: Pick<Collection, 'id' | 'name'>,
  { deletedBy, shredAt }: { readonly deletedBy: string; readonly shredAt: number },
): Promise<void> {
  await db
    .update(collections)
    .set({ name: `${RETIRED}${id}`, deletedName: name, deletedBy, shredAt })
    .where(and(eq(collections.id, id), eq(collections.name, name)));
}

/** Collections of the tenant that were deleted and can be given back, by id; `after` is the last id of the page before. */
export async function listDeletedCollections(
  db: EventsDatabase,
  { tenant, after, limit }: { readonly tenant: string; readonly after: string; readonly limit: number },
): Promise<Collection[]> {
  return db
    .select()
    .from(collections)
    .where(and(eq(collections.tenant, tenant), isNotNull(collections.shredAt), gt(collections.id, after)))
    .orderBy(collections.id)
    .limit(limit);
}

export async function findDeletedCollection(
  db: EventsDatabase,
  tenant: string,
  id: string,
): Promise<Collection | null> {
  const [row] = await db
    .select()
    .from(collections)
    .where(and(eq(collections.id, id), eq(collections.tenant, tenant), isNotNull(collections.shredAt)));
  return row ?? null;
}

/** Gives a deleted collection its name back. False where it is not retained any more, or another has the name. */
export async function restoreCollection(
  db: EventsDatabase,
  { tenant, id, now }: { readonly tenant: string; readonly id: string; readonly now: number },
): Promise<boolean> {
  const given = await db
    .update(collections)
    .set({ name: sql`${collections.deletedName}`, deletedName: null, deletedBy: null, shredAt: null })
    .where(
      and(
        eq(collections.id, id),
        eq(collections.tenant, tenant),
        gt(collections.shredAt, now),
        sql`NOT EXISTS (SELECT 1 FROM collections AS other WHERE other.tenant = ${tenant} AND other.name = ${collections.deletedName})`,
      ),
    )
    .returning({ id: collections.id });
  return given.length > 0;
}

/** Those that are being deleted, and those whose retention is over. */
export async function findRetiredCollections(db: EventsDatabase, now: number, limit: number): Promise<Collection[]> {
  return db
    .select()
    .from(collections)
    .where(
      and(
        sql`substr(${collections.name}, 1, 1) = ${RETIRED}`,
        or(isNull(collections.shredAt), lte(collections.shredAt, now)),
      ),
    )
    .limit(limit);
}

/** Stands before the id in the name of a collection that is being deleted; no name that a caller gives begins with it. */
const RETIRED = '~';

/** Forgets a collection with all its faces and photos. Their vectors and images are deleted first. */
export async function deleteCollection(db: EventsDatabase, id: string): Promise<void> {
  await db.batch([
    db.delete(faces).where(eq(faces.collectionId, id)),
    db.delete(photos).where(eq(photos.collectionId, id)),
    db.delete(collections).where(eq(collections.id, id)),
  ]);
}

/** Times by which a re-embedding is under way. */
interface ReembeddingTerms {
  readonly now: number;
  /** One that did no step since is taken for lost. */
  readonly stalledBefore: number;
}

/** Has the collection wait to be embedded again, unless it waits or is under way. */
export async function awaitReembedding(
  db: EventsDatabase,
  id: string,
  { now, stalledBefore }: ReembeddingTerms,
): Promise<void> {
  await db
    .update(collections)
    .set({ reembedAskedAt: now })
    .where(
      and(
        eq(collections.id, id),
        isNull(collections.reembedAskedAt),
        or(isNull(collections.reembeddingAt), lt(collections.reembeddingAt, stalledBefore)),
      ),
    );
}

/**
 * Begins the re-embedding of the tenant's collections that has waited longest. Null where none waits, or `max` of them are under way: each has a turn of
 * every round, so those of another tenant wait for so many at most.
 */
export async function beginNextReembedding(
  db: EventsDatabase,
  tenant: string,
  { now, stalledBefore, max }: ReembeddingTerms & { readonly max: number },
): Promise<string | null> {
  const [begun] = await sqlBatch<[{ name: string }[]]>(db, [
    sql`
      UPDATE collections SET reembedding_at = ${now}, reembed_asked_at = NULL
      WHERE id = (
          SELECT id FROM collections
          WHERE tenant = ${tenant} AND reembed_asked_at IS NOT NULL AND deleted_name IS NULL
          ORDER BY reembed_asked_at, id LIMIT 1
        )
        AND (SELECT count(*) FROM collections WHERE tenant = ${tenant} AND reembedding_at >= ${stalledBefore}) < ${max}
      RETURNING name`,
  ]);
  return begun[0]?.name ?? null;
}

/** Says that the job did a step, or with null that it has ended. */
export async function markReembedding(db: EventsDatabase, id: string, at: number | null): Promise<void> {
  await db.update(collections).set({ reembeddingAt: at }).where(eq(collections.id, id));
}
