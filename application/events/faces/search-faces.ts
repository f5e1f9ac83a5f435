import { attendeesKnownAs, type KnownAs } from '../../../data/events/attendees/attendees.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import { awaitsEmbedding, storedFaceIds } from '../../../data/events/images/faces.ts';
import type { VectorMatch } from '../../../domain/faces/vector-match.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { GALLERY_TOP_K_MAX, type VectorQuery } from '../../../durable-objects/gallery/api.ts';
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

/** Each round asks the galleries for so many times as many as the one before. */
const WIDENING = 4;

/**
 * Searches a collection, and answers of each query the `topK` nearest people, where a face of nobody in particular counts as one. What is being
 * stored or deleted is not found: a face counts once its photo is confirmed, an attendee's once the attendee is. Nor do those who were merged count
 * twice. Where that leaves fewer people than were asked for, the galleries are asked for more.
 */
export async function searchFaces(
  env: Env,
  open: OpenCollection,
  model: EmbeddingModel,
  queries: readonly VectorQuery[],
): Promise<Result<readonly (readonly FaceMatch[])[], SearchFailure>> {
  const db = eventsDatabase(env.EVENTS_DB);
  // Before the galleries: a row names the model once the vector is there. A search that misses somebody takes others for them.
  if (await awaitsEmbedding(db, open.collection.id, model)) {
    const statuses = await galleryStatus(env, open);
    return err({ reason: 'other_model', models: heldModels(statuses) });
  }
  for (let factor = 1; ; factor *= WIDENING) {
    const wider = queries.map((query) => ({ ...query, topK: Math.min(query.topK * factor, GALLERY_TOP_K_MAX) }));
    const answer = await searchVectors(env, open, model, wider);
    if (answer.type === 'key_destroyed') return err({ reason: 'gone' });
    const people = await peopleAmong(env, open, answer.matches);
    const wantsMore = queries.some(
      ({ topK }, at) =>
        people[at]!.length < topK &&
        answer.matches[at]!.length === wider[at]!.topK &&
        wider[at]!.topK < GALLERY_TOP_K_MAX,
    );
    if (!wantsMore) return ok(people.map((matches, at) => matches.slice(0, queries[at]!.topK)));
  }
}

/** Who the faces are now, each once. */
async function peopleAmong(
  env: Env,
  open: OpenCollection,
  found: readonly (readonly VectorMatch[])[],
): Promise<readonly (readonly FaceMatch[])[]> {
  const db = eventsDatabase(env.EVENTS_DB);
  const { id: collectionId, eventId } = open.collection;
  const all = found.flat();
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
  return found.map((matches) => bestOfEach(matches.flatMap(seen)));
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
