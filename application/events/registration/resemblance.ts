import { eventsDatabase } from '../../../data/events/database.ts';
import { facesOfPhotos, isPassedOver, photosOfAttendee } from '../../../data/events/images/faces.ts';
import type { Face } from '../../../data/events/images/photos.ts';
import { cosine } from '../../../domain/faces/cosine.ts';
import { defaultMatchRule } from '../../../domain/faces/match-rule.ts';
import { unlikeStored } from '../../../domain/faces/unlike-stored.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { StoredVector } from '../../../durable-objects/gallery/api.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { storedVectors } from '../collections/gallery-shards.ts';
import type { OpenCollection } from '../collections/open-collection.ts';
import { embeddingValues } from '../inference/decode-embedding.ts';
import { type ExaminedPhotos, unlikeFailure } from './examine-photos.ts';

/**
 * Whether photos that are added show whom the stored ones show (`unlikeStored`), all of them the same. An attendee without faces takes whatever comes,
 * and so does one whose faces this model has all looked for in vain: nothing will ever be there to compare. Fails while what is stored waits to be
 * embedded by the model of the photos.
 *
 * @returns the stored photos that they were compared beside
 */
export async function resemblesStored(
  env: Env,
  open: OpenCollection,
  attendeeId: string,
  { model, good }: ExaminedPhotos,
): Promise<Result<ComparedPhotos, ApiError>> {
  const { photoIds, faces: rows, vectors } = await vectorsOf(env, open, attendeeId);
  const comparable = vectors
    .filter((vector) => vector.model.name === model.name && vector.model.version === model.version)
    .map(({ embedding }) => embedding);
  if (comparable.length === 0) {
    if (rows.every((row) => isPassedOver(row, model))) return ok({ photoIds });
    return err(
      apiError('SERVICE_UNAVAILABLE', 'the faces are being embedded by another model: add photos later', {
        reason: 'other_model',
      }),
    );
  }
  const sent = good.map(({ face }) => embeddingValues(face.embedding ?? ''));
  const unlike = unlikeStored(sent, comparable, defaultMatchRule(model).reviewFrom);
  return unlike.length === 0 ? ok({ photoIds }) : err(unlikeFailure(unlike.map((at) => good[at]!.photo)));
}

/** Stored photos of an attendee that others were compared beside. */
export interface ComparedPhotos {
  readonly photoIds: readonly string[];
}

/** The greatest cosine of a face of one and a face of the other; null where nothing can be compared. */
export async function similarityOfAttendees(
  env: Env,
  open: OpenCollection,
  one: string,
  other: string,
): Promise<number | null> {
  const [a, b] = await Promise.all([one, other].map((id) => vectorsOf(env, open, id)));
  const similarities = a!.vectors.flatMap((mine) =>
    b!.vectors
      .filter(({ model }) => model.name === mine.model.name && model.version === mine.model.version)
      .map(({ embedding }) => cosine(mine.embedding, embedding)),
  );
  return similarities.length === 0 ? null : Math.max(...similarities);
}

async function vectorsOf(
  env: Env,
  open: OpenCollection,
  attendeeId: string,
): Promise<ComparedPhotos & { readonly faces: readonly Face[]; readonly vectors: readonly StoredVector[] }> {
  const db = eventsDatabase(env.EVENTS_DB);
  const photos = await photosOfAttendee(db, open.collection.id, await open.key.tag('attendee', attendeeId));
  const photoIds = photos.map(({ id }) => id);
  const faces = await facesOfPhotos(db, photoIds);
  return { photoIds, faces, vectors: await storedVectors(env, open, faces) };
}
