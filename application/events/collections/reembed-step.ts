import { attendeeIdsByTag } from '../../../data/events/attendees/attendee-ids.ts';
import { type EventsDatabase, eventsDatabase } from '../../../data/events/database.ts';
import { markReembedding } from '../../../data/events/images/collections.ts';
import {
  facesOfPhotos,
  photosOfOtherModels,
  recordModel,
  recordPassedOver,
} from '../../../data/events/images/faces.ts';
import type { Photo } from '../../../data/events/images/photos.ts';
import { getImage } from '../../../data/events/images/sealed-images.ts';
import { sameFaces } from '../../../domain/faces/same-faces.ts';
import { log } from '../../../durable-objects/log/log.ts';
import type { EmbeddingModel } from '../../../protocol/inference/wire.ts';
import { DONE, type EventWork, type WorkOutcome } from '../event-work.ts';
import { decodeEmbedding } from '../inference/decode-embedding.ts';
import { currentModel, type InferenceClient, inferenceClient } from '../inference/inference-client.ts';
import { type InferenceFailure, isPassing, retryAfterOf } from '../inference/inference-failure.ts';
import { addVectors, removeVectors } from './gallery-shards.ts';
import { type OpenCollection, openCollection } from './open-collection.ts';
import { beginReembeddings } from './request-reembedding.ts';

const PHOTOS_PER_STEP = 8;
const NO_MODEL_RETRY_S = 30;
/** A photo that takes longer than a caller waits so often is passed over: the others of its collection wait behind it. */
const TIMEOUTS_MAX = 3;
/** The container is still at work on what nobody waits for. */
const TIMEOUT_RETRY_S = 30;

/**
 * Embeds the faces of some photos by the model of now, and has the queue go on behind them. A face's row names its old model until its
 * new vector is in the gallery, so a step that was interrupted does the same again. A face that the model does not find keeps what
 * it has, and is passed over.
 */
export async function reembedStep(env: Env, work: Extract<EventWork, { type: 'reembed' }>): Promise<WorkOutcome> {
  const open = await openCollection(env, work.tenant, work.collection);
  if (open === null) return ended(env, work);
  const inference = inferenceClient(env, work);
  const model = await currentModel(inference);
  if (model === null) return { type: 'retry', delaySeconds: NO_MODEL_RETRY_S };
  const db = eventsDatabase(env.EVENTS_DB);
  const { id, eventId } = open.collection;
  const photos = await photosOfOtherModels(db, id, { ...model, after: work.after, limit: PHOTOS_PER_STEP });
  const last = photos.at(-1);
  if (last === undefined) {
    await markReembedding(db, id, null);
    return ended(env, work);
  }
  const attendees = eventId === null ? new Map<string, string>() : await attendeeIdsByTag(db, open.key, eventId);
  const { timedOut, ...plain } = work;
  for (const [at, photo] of photos.entries()) {
    const subject = photo.attendeeTag === null ? null : (attendees.get(photo.attendeeTag) ?? null);
    const failed = await embedAgain(env, inference, open, { photo, subject, model });
    if (failed === null) continue;
    if (failed.reason !== 'timeout') return { type: 'retry', delaySeconds: retryAfterOf(failed) };
    const times = 1 + (timedOut?.photo === photo.id ? timedOut.times : 0);
    if (times >= TIMEOUTS_MAX) {
      log('error', 'a photo takes too long to embed: it is passed over', {
        photo: photo.id,
        request_id: work.requestId,
      });
      await passOver(db, photo, model);
      continue;
    }
    await markReembedding(db, id, Date.now());
    const again = { ...plain, after: photos[at - 1]?.id ?? work.after, timedOut: { photo: photo.id, times } };
    await env.EVENT_REEMBED.send(again satisfies EventWork, { delaySeconds: TIMEOUT_RETRY_S });
    return DONE;
  }
  await markReembedding(db, id, Date.now());
  await env.EVENT_REEMBED.send({ ...plain, after: last.id } satisfies EventWork);
  return DONE;
}

/** The next one of the tenant has its place. */
async function ended(env: Env, work: Extract<EventWork, { type: 'reembed' }>): Promise<WorkOutcome> {
  await beginReembeddings(env, work);
  return DONE;
}

interface Reembedded {
  readonly photo: Photo;
  /** Attendee whose photo it is. */
  readonly subject: string | null;
  /** The model of now, for a photo that it cannot look at. */
  readonly model: EmbeddingModel;
}

/** Its faces keep what they have. */
async function passOver(db: EventsDatabase, photo: Photo, model: EmbeddingModel): Promise<void> {
  const rows = await facesOfPhotos(db, [photo.id]);
  const others = rows.filter(
    ({ modelName, modelVersion }) => modelName !== model.name || modelVersion !== model.version,
  );
  await recordPassedOver(
    db,
    others.map(({ id }) => id),
    model,
  );
}

/** Null when it is done, or can never be; else what may pass. */
async function embedAgain(
  env: Env,
  inference: InferenceClient,
  open: OpenCollection,
  { photo, subject, model: expected }: Reembedded,
): Promise<InferenceFailure | null> {
  const db = eventsDatabase(env.EVENTS_DB);
  const place = { path: photo.objectKey, kind: 'photo', id: photo.id } as const;
  const image = await getImage(env.EVENT_IMAGES, open.key, place);
  const analysis = image === null ? null : await inference.faces(image, 'qualified');
  if (analysis?.ok === false && (isPassing(analysis.error) || analysis.error.reason === 'model_unavailable'))
    return analysis.error;
  const { model, faces: found } = analysis?.ok ? analysis.value : { model: expected, faces: [] };
  const rows = (await facesOfPhotos(db, [photo.id])).filter(
    ({ modelName, modelVersion }) => modelName !== model.name || modelVersion !== model.version,
  );
  const same = sameFaces(
    rows.map(({ bbox }) => bbox),
    found.map(({ bbox }) => bbox),
  );
  const vectors = rows.flatMap(({ id, shard }, at) => {
    const embedding = found[same[at] ?? -1]?.embedding ?? null;
    return embedding === null ? [] : [{ faceId: id, shard, subject, embedding: decodeEmbedding(embedding, model) }];
  });
  const placed = vectors.map(({ faceId, shard }) => ({ id: faceId, shard }));
  await removeVectors(env, open, placed);
  if (!(await addVectors(env, open, model, vectors))) return null;
  await recordModel(
    db,
    placed.map(({ id }) => id),
    model,
  );
  const embedded = new Set(placed.map(({ id }) => id));
  await recordPassedOver(
    db,
    rows.flatMap(({ id }) => (embedded.has(id) ? [] : [id])),
    model,
  );
  // Deleted while their vectors were on the way.
  const left = new Set((await facesOfPhotos(db, [photo.id])).map(({ id }) => id));
  await removeVectors(
    env,
    open,
    placed.filter(({ id }) => !left.has(id)),
  );
  return null;
}
