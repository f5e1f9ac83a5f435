import { attendeesKnownAs, type KnownAs } from '../../../data/events/attendees/attendees.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { awaitsEmbedding, storedFaceIds } from '../../../data/events/images/faces.ts';
import type { VectorMatch } from '../../../domain/faces/vector-match.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { VectorQuery } from '../../../durable-objects/gallery/api.ts';
import type { EmbeddingModel } from '../../../protocol/inference/wire.ts';
import { galleryStatus, heldModels, searchVectors } from '../collections/gallery-shards.ts';
import type { OpenCollection } from '../collections/open-collection.ts';

/** A stored face that resembles a query's, of an attendee or of nobody in particular. */
export interface FaceMatch {
  readonly faceId: string;
  readonly similarity: number;
  readonly attendee: { readonly id: string; readonly name: string } | null;
}

/** Why nothing could be searched. */
export type SearchFailure =
  /** Another model has embedded faces of the collection. */
  | { readonly reason: 'other_model'; readonly models: readonly EmbeddingModel[] }
  /** The collection was deleted. */
  | { readonly reason: 'gone' };

/**
 * Searches a collection, and answers the matches of each query. What is being stored or deleted is not found: a face counts once its photo is
 * confirmed, an attendee's once the attendee is.
 */
export async function searchFaces(
  env: Env,
  open: OpenCollection,
  model: EmbeddingModel,
  queries: readonly VectorQuery[],
): Promise<Result<readonly (readonly FaceMatch[])[], SearchFailure>> {
  const db = eventsDatabase(env.EVENTS_DB);
  const { id: collectionId, eventId } = open.collection;
  // Before the galleries: a row names the model once the vector is there. A search that misses somebody takes others for them.
  if (await awaitsEmbedding(db, collectionId, model)) {
    const statuses = await galleryStatus(env, open);
    return err({ reason: 'other_model', models: heldModels(statuses) });
  }
  const answer = await searchVectors(env, open, model, queries);
  if (answer.type === 'key_destroyed') return err({ reason: 'gone' });
  const all = answer.matches.flat();
  const attendeeIds = [...new Set(all.map(({ subject }) => subject).filter((id) => id !== null))];
  const [stored, known] = await Promise.all([
    storedFaceIds(
      db,
      collectionId,
      all.filter(({ subject }) => subject === null).map(({ faceId }) => faceId),
    ),
    eventId === null ? new Map<string, KnownAs>() : attendeesKnownAs(db, open.key, eventId, attendeeIds),
  ]);
  const seen = ({ faceId, subject, similarity }: VectorMatch): FaceMatch[] => {
    if (subject === null) return stored.has(faceId) ? [{ faceId, similarity, attendee: null }] : [];
    const attendee = known.get(subject);
    if (attendee === undefined) return [];
    return [{ faceId, similarity, attendee: { id: attendee.attendeeId, name: attendee.name } }];
  };
  return ok(answer.matches.map((matches) => bestOfEach(matches.flatMap(seen))));
}

/** Two that were merged are one, with the better of their faces. */
function bestOfEach(matches: readonly FaceMatch[]): FaceMatch[] {
  const met = new Set<string>();
  return matches.filter(({ faceId, attendee }) => {
    const person = attendee?.id ?? faceId;
    const isFirst = !met.has(person);
    met.add(person);
    return isFirst;
  });
}
