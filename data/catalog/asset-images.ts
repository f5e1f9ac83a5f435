import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { ImageType } from '../../domain/events/image-type.ts';
import type { Database } from '../database.ts';

/** The image of an asset, as its bucket keeps it. */
export interface StoredImage {
  readonly type: string;
  readonly hash: string;
  readonly body: ReadableStream;
}

/**
 * Stores an image for an asset. Its name is announced first, so that an upload that comes no further leaves no object that nobody knows of; the
 * change of the asset takes it off (assets.ts). No other upload has the name, so that whoever deletes an object deletes no later one.
 *
 * @returns the object's name, which ends with the hash of its content
 */
export async function putAssetImage(
  { db, bucket }: { readonly db: Database; readonly bucket: R2Bucket },
  upload: { assetId: string; actionId: string; hash: string; type: ImageType; image: ArrayBuffer; now: number },
): Promise<string> {
  const { assetId, actionId, hash, type, image, now } = upload;
  const object = `${assetId}/${actionId}/${hash}`;
  await db.run(unreferenced(object, now, sql`NOT EXISTS (SELECT 1 FROM assets WHERE image_object = ${object})`));
  await bucket.put(object, image, { httpMetadata: { contentType: type } });
  return object;
}

/** Says that no asset names an object. */
export function unreferenced(object: string, now: number, when: SQL): SQL {
  return sql`INSERT INTO unreferenced_images (object, since) SELECT ${object}, CAST(${now} AS INTEGER) WHERE ${when}
    ON CONFLICT DO UPDATE SET since = excluded.since`;
}

/** As long as D1 can be restored to an earlier time (Time Travel), and longer than any upload takes. */
const KEPT_MS = 31 * DAY_MS;
const OBJECTS_MAX = 500;

/** Deletes images that no asset has named for a month. The row goes first: a crash in between leaves an object to which nothing refers. */
export async function deleteUnreferencedImages(db: Database, bucket: R2Bucket, now: number): Promise<void> {
  const gone = await db.all<{ object: string }>(sql`
    DELETE FROM unreferenced_images WHERE object IN (
      SELECT object FROM unreferenced_images WHERE since < CAST(${now - KEPT_MS} AS INTEGER)
        AND NOT EXISTS (SELECT 1 FROM assets WHERE image_object = object) LIMIT CAST(${OBJECTS_MAX} AS INTEGER))
    RETURNING object`);
  if (gone.length > 0) await bucket.delete(gone.map(({ object }) => object));
}

/** Null for one that is not there. */
export async function getAssetImage(bucket: R2Bucket, object: string): Promise<StoredImage | null> {
  const stored = await bucket.get(object);
  if (stored === null) return null;
  const type = stored.httpMetadata?.contentType ?? 'application/octet-stream';
  return { type, hash: object.slice(object.lastIndexOf('/') + 1), body: stored.body };
}
