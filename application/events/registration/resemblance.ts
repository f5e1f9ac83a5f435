import { eventsDatabase } from '../../../data/events/database.ts';
import { facesOfPhotos, photosOfAttendee } from '../../../data/events/images/faces.ts';
import { cosine } from '../../../domain/faces/cosine.ts';
import { defaultMatchRule } from '../../../domain/faces/match-rule.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { StoredVector } from '../../../durable-objects/gallery/api.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { storedVectors } from '../collections/gallery-shards.ts';
import type { OpenCollection } from '../collections/open-collection.ts';
import { embeddingValues } from '../inference/decode-embedding.ts';
import { type ExaminedPhotos, unlikeFailure } from './examine-photos.ts';

/**
 * Whether photos that are added show whom the stored ones show: each new face resembles every stored one as much as a review wants. An
 * attendee without faces takes whatever comes. Fails while what is stored waits to be embedded by the model of the photos, since nothing
 * could be compared.
 */
export async function resemblesStored(
  env: Env,
  open: OpenCollection,
  attendeeId: string,
  { model, faces }: ExaminedPhotos,
): Promise<Result<null, ApiError>> {
  const { faceIds, vectors } = await vectorsOf(env, open, attendeeId);
  if (faceIds === 0) return ok(null);
  const comparable = vectors.filter(
    (vector) => vector.model.name === model.name && vector.model.version === model.version,
  );
  if (comparable.length === 0)
    return err(
      apiError('SERVICE_UNAVAILABLE', 'the faces are being embedded by another model: add photos later', {
        reason: 'other_model',
      }),
    );
  const similarity_min = defaultMatchRule(model).reviewFrom;
  const unlike = faces.flatMap(({ embedding }, photo) => {
    const sent = embeddingValues(embedding ?? '');
    return comparable.some((stored) => !(cosine(sent, stored.embedding) >= similarity_min)) ? [photo] : [];
  });
  return unlike.length === 0 ? ok(null) : err(unlikeFailure(unlike));
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
): Promise<{ readonly faceIds: number; readonly vectors: readonly StoredVector[] }> {
  const db = eventsDatabase(env.EVENTS_DB);
  const photos = await photosOfAttendee(db, open.collection.id, await open.key.tag('attendee', attendeeId));
  const faces = await facesOfPhotos(
    db,
    photos.map(({ id }) => id),
  );
  return { faceIds: faces.length, vectors: await storedVectors(env, open, faces) };
}
