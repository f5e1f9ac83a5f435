import { eventsDatabase } from '../../../data/events/database.ts';
import { findEvent } from '../../../data/events/sites/events.ts';
import { matchSetting } from '../../../data/events/sites/match-setting.ts';
import { isAmbiguous } from '../../../domain/faces/is-ambiguous.ts';
import { type MatchRule, matchRuleOf } from '../../../domain/faces/match-rule.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import type { AnalyzedFace, EmbeddingModel } from '../../../protocol/inference/wire.ts';
import { type OpenCollection, openCollection } from '../collections/open-collection.ts';
import { requestReembedding } from '../collections/request-reembedding.ts';
import type { EventsCaller } from '../events-caller.ts';
import { imageBytesOf } from '../images/image-bytes.ts';
import { decodeEmbedding } from '../inference/decode-embedding.ts';
import { inferenceClient } from '../inference/inference-client.ts';
import { notFound } from '../not-found.ts';
import { takeQuota } from '../quotas/take-quota.ts';
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
  /** The best first. Faces of nobody in particular take the places that attendees leave. */
  readonly matches: readonly FaceMatch[];
  /** Whether the best attendee is ahead of the next by less than the margin: then it is not sure which of them it is. */
  readonly isAmbiguous: boolean;
}

/** Searches a collection of the caller's tenant for who resembles a face. */
export async function searchCollection(
  env: Env,
  caller: EventsCaller,
  { collection, subject, topK, threshold }: CollectionSearch,
): Promise<Result<FoundFaces, Refusal>> {
  const open = await openCollection(env, caller.tenant, collection);
  if (open === null) return err(refusal(notFound('the collection')));
  const counted = await takeQuota(env, caller.tenant, { searches: 1 });
  if (!counted.ok) return counted;
  const query = await queryOf(env, caller, open, subject);
  if (!query.ok) return query;
  const { face: queryFace, model, embedding } = query.value;
  if (model === null) return ok({ queryFace, matches: [], isAmbiguous: false });
  const { matchFrom, margin } = await ruleOf(env, open, model);
  const least = threshold ?? matchFrom;
  // With the next person, whether or not they match: who is hardly ahead of them is not told from them.
  const people = { embedding, topK: Math.max(topK, 2), threshold: Math.max(least - margin, -1), subjectsOnly: true };
  const found = await searchFaces(env, open, model, [people, { embedding, topK, threshold: least }]);
  if (found.ok) {
    const [near = [], all = []] = found.value;
    const attendees = near.filter(({ similarity }) => similarity >= least).slice(0, topK);
    const others = all.filter(({ attendee }) => attendee === null).slice(0, topK - attendees.length);
    const matches = [...attendees, ...others].toSorted((a, b) => b.similarity - a.similarity);
    return ok({ queryFace, matches, isAmbiguous: attendees.length > 0 && isAmbiguous(near, margin) });
  }
  switch (found.error.reason) {
    case 'gone':
      return err(refusal(notFound('the collection')));
    case 'other_model':
      // An image is embedded by the model of now; a vector of the caller's may be of any.
      if (subject.type === 'image') await requestReembedding(env, open.collection, caller);
      return err(refusal(otherModelError(found.error.models)));
  }
}

/** As the event whose collection it is has it, else the model. */
async function ruleOf(env: Env, { collection }: OpenCollection, model: EmbeddingModel): Promise<MatchRule> {
  const { tenant, eventId } = collection;
  const event = eventId === null ? null : await findEvent(eventsDatabase(env.EVENTS_DB), tenant, eventId);
  return matchRuleOf(model, event === null ? [] : [matchSetting(event)]);
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
  if (face?.embedding == null) {
    const reason = faces[0]?.quality.misaligned ?? 'no_face';
    return err(refusal(apiError('VALIDATION_ERROR', 'the image shows no face to search for', { reason })));
  }
  return ok({ face, model, embedding: decodeEmbedding(face.embedding, model) });
}
