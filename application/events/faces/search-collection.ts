import { eventsDatabase } from '../../../data/events/database.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { matchSetting } from '../../../data/events/sites/match-setting.ts';
import { matchRuleOf } from '../../../domain/faces/match-rule.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import type { AnalyzedFace, EmbeddingModel } from '../../../protocol/inference/wire.ts';
import { type OpenCollection, openCollection } from '../collections/open-collection.ts';
import type { EventsCaller } from '../events-caller.ts';
import { imageBytesOf } from '../images/image-bytes.ts';
import { decodeEmbedding } from '../inference/decode-embedding.ts';
import { inferenceClient } from '../inference/inference-client.ts';
import { notFound } from '../not-found.ts';
import { type Refusal, refusal, refusalOfInference } from '../refusal.ts';
import { otherModelError, type QueryVector, queryVector, type RawVector } from './query-vector.ts';
import { type FaceMatch, searchFaces } from './search-faces.ts';

/** What is searched for: the largest face of an image, or a vector of the caller's own. */
export type SearchSubject =
  | { readonly type: 'image'; readonly image: Blob }
  | { readonly type: 'vector'; readonly vector: RawVector };

export interface CollectionSearch {
  readonly collection: string;
  readonly subject: SearchSubject;
  readonly topK: number;
  /** Null: as the collection's event or the model has it. */
  readonly threshold: number | null;
}

export interface FoundFaces {
  /** The face of the image that was searched for; null for a search by vector. */
  readonly queryFace: Pick<AnalyzedFace, 'bbox' | 'confidence'> | null;
  /** The best first. */
  readonly matches: readonly FaceMatch[];
}

/** Searches a collection of the caller's tenant for who resembles a face. */
export async function searchCollection(
  env: Env,
  caller: EventsCaller,
  { collection, subject, topK, threshold }: CollectionSearch,
): Promise<Result<FoundFaces, Refusal>> {
  const open = await openCollection(env, caller.tenant, collection);
  if (open === null) return err(refusal(notFound('the collection')));
  const query = await queryOf(env, caller, open, subject);
  if (!query.ok) return query;
  const { face: queryFace, model, embedding } = query.value;
  if (model === null) return ok({ queryFace, matches: [] });
  const least = threshold ?? (await thresholdOf(env, open, model));
  const found = await searchFaces(env, open, model, [{ embedding, topK, threshold: least }]);
  if (found.ok) return ok({ queryFace, matches: found.value[0] ?? [] });
  switch (found.error.reason) {
    case 'gone':
      return err(refusal(notFound('the collection')));
    case 'other_model':
      return err(refusal(otherModelError(found.error.models)));
  }
}

/** As the event whose collection it is has it, else the model. */
async function thresholdOf(env: Env, { collection }: OpenCollection, model: EmbeddingModel): Promise<number> {
  const { tenant, eventId } = collection;
  const event = eventId === null ? null : await findEvent(eventsDatabase(env.EVENTS_DB), tenant, eventId);
  return matchRuleOf(model, event === null ? [] : [matchSetting(event)]).matchFrom;
}

interface Query extends QueryVector {
  readonly face: FoundFaces['queryFace'];
}

async function queryOf(
  env: Env,
  caller: EventsCaller,
  open: OpenCollection,
  subject: SearchSubject,
): Promise<Result<Query, Refusal>> {
  if (subject.type === 'vector') {
    const vector = await queryVector(env, open, subject.vector);
    return vector.ok ? ok({ face: null, ...vector.value }) : err(refusal(vector.error));
  }
  const image = await imageBytesOf(subject.image);
  if (!image.ok) return err(refusal(image.error));
  const analysis = await inferenceClient(env, caller).faces(image.value, 'largest');
  if (!analysis.ok) return err(refusalOfInference(analysis.error));
  const { model, faces } = analysis.value;
  const face = faces.find(({ embedding }) => embedding !== null);
  if (face?.embedding == null)
    return err(refusal(apiError('VALIDATION_ERROR', 'the image shows no face', { reason: 'no_face' })));
  return ok({ face, model, embedding: decodeEmbedding(face.embedding, model) });
}
