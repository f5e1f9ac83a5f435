import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import type { EventsDatabase } from '../database.ts';
import { collections, faces, photos } from '../schema.ts';

export type Photo = typeof photos.$inferSelect;
export type Face = typeof faces.$inferSelect;

/** A photo with the faces that are to be stored of it. */
export interface NewPhoto {
  readonly photo: Omit<Photo, 'storedAt'>;
  readonly faces: readonly Omit<Face, 'createdAt' | 'passedOverBy'>[];
}

/** `storedAt` of a photo that is being taken back. */
export const TAKEN_BACK = -1;

/** Whether a photo is wholly stored, and its faces seen. */
export const IS_STORED = gt(photos.storedAt, 0);

export function isStored({ storedAt }: Pick<Photo, 'storedAt'>): boolean {
  return storedAt !== null && storedAt > 0;
}

/**
 * Writes down what is about to be stored, before it is: whoever finds the photo without `storedAt` long after knows what to take back.
 * What is written already stays as it is.
 *
 * @returns by face id the shard that its row names, or null where the collection has gone meanwhile
 */
export async function announcePhotos(
  db: EventsDatabase,
  announced: readonly NewPhoto[],
): Promise<ReadonlyMap<string, number> | null> {
  const ids = JSON.stringify(announced.map(({ photo }) => photo.id));
  const [first, ...rest] = announced.flatMap(({ photo, faces: found }) => [
    db.insert(photos).values(photo).onConflictDoNothing(),
    ...found.map((face) =>
      db
        .insert(faces)
        .values({ ...face, createdAt: photo.createdAt })
        .onConflictDoNothing(),
    ),
  ]);
  if (first === undefined) return new Map();
  const placed = db
    .select({ id: faces.id, shard: faces.shard })
    .from(faces)
    .where(sql`${faces.photoId} IN (SELECT value FROM json_each(${ids}))`);
  try {
    const results = await db.batch([first, ...rest, placed]);
    const rows = results.at(-1) as Awaited<typeof placed>;
    return new Map(rows.map(({ id, shard }) => [id, shard]));
  } catch (error) {
    if (failedOn(error, 'FOREIGN KEY')) return null;
    throw error;
  }
}

/** Which shard each of the faces is going to; written before the shard has them. */
export async function placeFaces(db: EventsDatabase, faceIds: readonly string[], shard: number): Promise<void> {
  await db
    .update(faces)
    .set({ shard })
    .where(sql`${faces.id} IN (SELECT value FROM json_each(${JSON.stringify(faceIds)}))`);
}

/** Shows the photo and its faces. False where somebody has taken it back meanwhile. */
export async function confirmPhoto(db: EventsDatabase, id: string, now: number): Promise<boolean> {
  const confirmed = await db
    .update(photos)
    .set({ storedAt: sql`coalesce(${photos.storedAt}, ${now})` })
    .where(and(eq(photos.id, id), or(isNull(photos.storedAt), IS_STORED)))
    .returning({ id: photos.id });
  return confirmed.length > 0;
}

/** Those of these photos that were never confirmed cannot be from now on: they may be taken back. */
export async function claimUnstored(db: EventsDatabase, ids: readonly string[]): Promise<void> {
  await db
    .update(photos)
    .set({ storedAt: TAKEN_BACK })
    .where(and(UNSTORED, sql`${photos.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`));
}

export async function findPhotos(db: EventsDatabase, ids: readonly string[]): Promise<Photo[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(photos)
    .where(sql`${photos.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

/** The last photo of a page, by when it was announced. */
export type PhotoCursor = Pick<Photo, 'id' | 'createdAt'>;

/** Photos that were announced before `before` and never confirmed, with the collections that they were for; `after` is the last of the page before. */
export async function findUnstored(
  db: EventsDatabase,
  { before, after, limit }: { readonly before: number; readonly after: PhotoCursor | null; readonly limit: number },
) {
  const isLater =
    after === null ? undefined : sql`(${photos.createdAt}, ${photos.id}) > (${after.createdAt}, ${after.id})`;
  return db
    .select({ photo: photos, collection: collections })
    .from(photos)
    .innerJoin(collections, eq(collections.id, photos.collectionId))
    .where(and(UNSTORED, lt(photos.createdAt, before), isLater))
    .orderBy(photos.createdAt, photos.id)
    .limit(limit);
}

/** As the index `photos_unstored` says it. */
const UNSTORED = sql`coalesce(${photos.storedAt}, -1) < 0`;

/** Forgets photos and their faces. Vectors and images are deleted first. */
export async function deletePhotos(db: EventsDatabase, ids: readonly string[]): Promise<void> {
  const listed = JSON.stringify(ids);
  await db.batch([
    db.delete(faces).where(sql`${faces.photoId} IN (SELECT value FROM json_each(${listed}))`),
    db.delete(photos).where(sql`${photos.id} IN (SELECT value FROM json_each(${listed}))`),
  ]);
}

/** Whether D1 refused a statement for a constraint of this kind, with its whole batch. */
export function failedOn(error: unknown, constraint: 'FOREIGN KEY' | 'NOT NULL' | 'UNIQUE'): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes(`${constraint} constraint failed`)) return true;
  }
  return false;
}
