import { and, count, eq, gt, ne, notExists, or, sql } from 'drizzle-orm';
import type { EventsDatabase } from '../database.ts';
import { collections, faces, photos } from '../schema.ts';
import { type Face, IS_STORED, type Photo, TAKEN_BACK } from './photos.ts';

/** The faces that are there to be seen, of these ids: their photo is wholly stored, and they have not been deleted. */
export async function storedFaceIds(
  db: EventsDatabase,
  collectionId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: faces.id })
    .from(faces)
    .innerJoin(photos, eq(photos.id, faces.photoId))
    .where(
      and(
        eq(faces.collectionId, collectionId),
        IS_STORED,
        sql`${faces.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );
  return new Set(rows.map(({ id }) => id));
}

/** A face of the tenant's with the collection that it is in. */
export async function findFace(db: EventsDatabase, tenant: string, id: string) {
  const [row] = await db
    .select({ face: faces, collection: collections })
    .from(faces)
    .innerJoin(collections, eq(collections.id, faces.collectionId))
    .where(and(eq(faces.tenant, tenant), eq(faces.id, id)));
  return row ?? null;
}

export async function facesOfPhotos(db: EventsDatabase, photoIds: readonly string[]): Promise<Face[]> {
  if (photoIds.length === 0) return [];
  return db
    .select()
    .from(faces)
    .where(sql`${faces.photoId} IN (SELECT value FROM json_each(${JSON.stringify(photoIds)}))`)
    .orderBy(faces.id);
}

/** What is stored of an attendee. */
export async function photosOfAttendee(
  db: EventsDatabase,
  collectionId: string,
  attendeeTag: string,
): Promise<Photo[]> {
  return db
    .select()
    .from(photos)
    .where(and(eq(photos.collectionId, collectionId), eq(photos.attendeeTag, attendeeTag), IS_STORED));
}

/** A page of a collection's stored faces, by id. */
export async function listFaces(
  db: EventsDatabase,
  { collectionId, after, limit }: { readonly collectionId: string; readonly after: string; readonly limit: number },
): Promise<Face[]> {
  const rows = await db
    .select({ face: faces })
    .from(faces)
    .innerJoin(photos, eq(photos.id, faces.photoId))
    .where(and(eq(faces.collectionId, collectionId), IS_STORED, gt(faces.id, after)))
    .orderBy(faces.id)
    .limit(limit);
  return rows.map(({ face }) => face);
}

/**
 * Forgets a face, whose vector is deleted first. A photo without another is from then on one that is taken back: true for it.
 */
export async function deleteFace(db: EventsDatabase, face: Pick<Face, 'id' | 'photoId'>): Promise<boolean> {
  const [, takenBack] = await db.batch([
    db.delete(faces).where(eq(faces.id, face.id)),
    db
      .update(photos)
      .set({ storedAt: TAKEN_BACK })
      .where(
        and(eq(photos.id, face.photoId), notExists(db.select().from(faces).where(eq(faces.photoId, face.photoId)))),
      )
      .returning({ id: photos.id }),
  ]);
  return takenBack.length > 0;
}

/** How many stored faces of the collection each model has embedded. */
export async function facesByModel(db: EventsDatabase, collectionId: string) {
  return db
    .select({ name: faces.modelName, version: faces.modelVersion, faces: count() })
    .from(faces)
    .innerJoin(photos, eq(photos.id, faces.photoId))
    .where(and(eq(faces.collectionId, collectionId), IS_STORED))
    .groupBy(faces.modelName, faces.modelVersion)
    .orderBy(faces.modelName, faces.modelVersion);
}

/** Stored faces that the model was to embed again and could not. */
export async function countPassedOver(db: EventsDatabase, collectionId: string, model: ModelVersion): Promise<number> {
  const [row] = await db
    .select({ faces: count() })
    .from(faces)
    .innerJoin(photos, eq(photos.id, faces.photoId))
    .where(and(eq(faces.collectionId, collectionId), eq(faces.passedOverBy, modelTag(model)), IS_STORED));
  return row?.faces ?? 0;
}

/** Photos with a face that another model embedded, by id from behind `after`. */
export async function photosOfOtherModels(
  db: EventsDatabase,
  collectionId: string,
  {
    name,
    version,
    after,
    limit,
  }: { readonly name: string; readonly version: string; readonly after: string; readonly limit: number },
): Promise<Photo[]> {
  const other = or(ne(faces.modelName, name), ne(faces.modelVersion, version));
  return db
    .select()
    .from(photos)
    .where(
      and(
        eq(photos.collectionId, collectionId),
        IS_STORED,
        gt(photos.id, after),
        sql`EXISTS ${db
          .select({ one: sql`1` })
          .from(faces)
          .where(and(eq(faces.photoId, photos.id), other))}`,
      ),
    )
    .orderBy(photos.id)
    .limit(limit);
}

/** Name and version of a model that embeds faces. */
interface ModelVersion {
  readonly name: string;
  readonly version: string;
}

/**
 * Whether a stored face of the collection waits to be embedded by this model: another has embedded it, and this one has not passed it over.
 * Each half is a range of the index `faces_model`.
 */
export async function awaitsEmbedding(db: EventsDatabase, collectionId: string, model: ModelVersion): Promise<boolean> {
  const beside = (side: '<' | '>') => sql`EXISTS (
    SELECT 1 FROM ${faces} INNER JOIN ${photos} ON ${photos.id} = ${faces.photoId}
    WHERE ${faces.collectionId} = ${collectionId}
      AND (${faces.modelName}, ${faces.modelVersion}) ${sql.raw(side)} (${model.name}, ${model.version})
      AND ${faces.passedOverBy} IS NOT ${modelTag(model)} AND ${IS_STORED})`;
  const row = await db.get<{ waits: number }>(sql`SELECT ${beside('<')} OR ${beside('>')} AS waits`);
  return row.waits === 1;
}

/** Says which model has embedded the faces now. */
export async function recordModel(db: EventsDatabase, faceIds: readonly string[], model: ModelVersion): Promise<void> {
  await db
    .update(faces)
    .set({ modelName: model.name, modelVersion: model.version, passedOverBy: null })
    .where(sql`${faces.id} IN (SELECT value FROM json_each(${JSON.stringify(faceIds)}))`);
}

/** Says that the model looked for the faces and did not find them. */
export async function recordPassedOver(
  db: EventsDatabase,
  faceIds: readonly string[],
  model: ModelVersion,
): Promise<void> {
  await db
    .update(faces)
    .set({ passedOverBy: modelTag(model) })
    .where(sql`${faces.id} IN (SELECT value FROM json_each(${JSON.stringify(faceIds)}))`);
}

/** Whether the model has looked for a face that another had embedded, and did not find it. */
export function isPassedOver({ passedOverBy }: Pick<Face, 'passedOverBy'>, model: ModelVersion): boolean {
  return passedOverBy === modelTag(model);
}

function modelTag({ name, version }: ModelVersion): string {
  return JSON.stringify([name, version]);
}
