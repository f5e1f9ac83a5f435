import { eventsDatabase } from '../../../data/events/database.ts';
import { announcePhotos, confirmPhoto } from '../../../data/events/images/photos.ts';
import { imagePath, putImage } from '../../../data/events/images/sealed-images.ts';
import { shardOf } from '../../../domain/faces/shard-of.ts';
import type { AnalyzedFace, EmbeddingModel } from '../../../protocol/inference/wire.ts';
import { addVectors, shardNumbers } from '../collections/gallery-shards.ts';
import type { OpenCollection } from '../collections/open-collection.ts';
import { decodeEmbedding } from '../inference/decode-embedding.ts';
import { takeBackPhotos } from './take-back-photos.ts';

/** A photo of which faces are stored. Ids follow from the request, so that a repeated one stores the same again. */
export interface PhotoToStore {
  readonly id: string;
  readonly image: Uint8Array;
  /** Those that pass the quality rules, with their embeddings. */
  readonly faces: readonly { readonly id: string; readonly face: AnalyzedFace }[];
}

/** Whom the faces are of; null for an upload that says nothing of it. */
export interface Subject {
  readonly attendeeId: string;
  readonly attendeeTag: string;
}

/**
 * Stores photos with their faces: whole or not at all, once however often it is repeated.
 *
 * 1. The rows say what is coming (`storedAt` null): nobody sees them.
 * 2. The images, sealed, go to R2; the vectors to the galleries.
 * 3. The rows are confirmed, in one D1 batch with whatever `confirm` adds: now they are seen.
 *
 * A request that dies on the way has answered nothing: repeated, it finds what is there and goes on; not repeated, a sweep takes back
 * what was never confirmed (takeBackPhotos). So a face that is seen has its vector, and a vector without such a face is never shown.
 *
 * @param confirm false where something stands in the way: then all is taken back
 * @returns false when it did, or the collection went meanwhile
 */
export async function storePhotos(
  env: Env,
  open: OpenCollection,
  model: EmbeddingModel,
  photos: readonly PhotoToStore[],
  subject: Subject | null = null,
  confirm: (now: number) => Promise<boolean> = (now) => confirmAll(env, photos, now),
): Promise<boolean> {
  const { collection, scope, key } = open;
  const now = Date.now();
  const placed = photos.map((photo) => ({
    ...photo,
    path: imagePath(scope, 'photo', photo.id),
    faces: photo.faces.map((one) => ({ ...one, shard: shardOf(one.id, shardNumbers(collection)) })),
  }));
  // A repeated request finds its rows written, and the shards that they name.
  const shards = await announcePhotos(
    eventsDatabase(env.EVENTS_DB),
    placed.map(({ id, path, image, faces }) => ({
      photo: {
        id,
        tenant: collection.tenant,
        collectionId: collection.id,
        attendeeTag: subject?.attendeeTag ?? null,
        objectKey: path,
        byteLength: image.length,
        createdAt: now,
      },
      faces: faces.map(({ id: faceId, shard, face }) => ({
        id: faceId,
        tenant: collection.tenant,
        collectionId: collection.id,
        photoId: id,
        shard,
        attendeeTag: subject?.attendeeTag ?? null,
        bbox: face.bbox,
        quality: face.quality,
        confidence: face.confidence,
        modelName: model.name,
        modelVersion: model.version,
      })),
    })),
  );
  if (shards === null) return false;
  const vectors = placed
    .flatMap(({ faces }) => faces)
    .map(({ id, shard, face }) => ({
      faceId: id,
      shard: shards.get(id) ?? shard,
      subject: subject?.attendeeId ?? null,
      embedding: decodeEmbedding(face.embedding ?? '', model),
    }));
  const [added] = await Promise.all([
    addVectors(env, open, model, vectors),
    ...placed.map(({ id, path, image }) => putImage(env.EVENT_IMAGES, key, { path, kind: 'photo', id }, image)),
  ]);
  const stored = added && (await confirm(now));
  if (!stored) {
    await takeBackPhotos(
      env,
      open,
      placed.map(({ id, path, faces }) => ({
        id,
        objectKey: path,
        faces: faces.map((one) => ({ ...one, shard: shards.get(one.id) ?? one.shard })),
      })),
    );
  }
  return stored;
}

async function confirmAll(env: Env, photos: readonly PhotoToStore[], now: number): Promise<boolean> {
  const db = eventsDatabase(env.EVENTS_DB);
  const confirmed = await Promise.all(photos.map(({ id }) => confirmPhoto(db, id, now)));
  return confirmed.every((done) => done);
}
