import { eventsDatabase } from '../../../data/events/database.ts';
import { type Collection, growCollection } from '../../../data/events/images/collections.ts';
import { placeFaces } from '../../../data/events/images/photos.ts';
import { mergeMatches } from '../../../domain/faces/merge-matches.ts';
import {
  type GalleryApi,
  type GalleryStatus,
  galleryName,
  galleryOf,
  type NewVector,
  type SearchAnswer,
  type StoredVector,
  type VectorQuery,
} from '../../../durable-objects/gallery/api.ts';
import type { EmbeddingModel } from '../../../protocol/inference/wire.ts';
import { askAgain } from '../../objects/ask-again.ts';
import { galleryScopeOf, type OpenCollection } from './open-collection.ts';

/** A vector with the shard that its face's row names. */
export interface PlacedVector extends NewVector {
  readonly shard: number;
}

/**
 * Adds vectors to the shards that their rows name. A full shard passes them on to the next, at last to a new one; the row is changed
 * before. False when the key was destroyed.
 */
export async function addVectors(
  env: Env,
  open: OpenCollection,
  model: EmbeddingModel,
  vectors: readonly PlacedVector[],
): Promise<boolean> {
  const db = eventsDatabase(env.EVENTS_DB);
  const added = await Promise.all(
    [...byShard(vectors)].map(async ([first, placed]) => {
      for (let shard = first; ; shard++) {
        const answer = await ask(env, open.collection, shard, (gallery) =>
          gallery.add(galleryScopeOf(open), model, placed),
        );
        if (answer.type !== 'full') return answer.type === 'added';
        await growCollection(db, open.collection.id, shard + 2);
        await placeFaces(
          db,
          placed.map(({ faceId }) => faceId),
          shard + 1,
        );
      }
    }),
  );
  return added.every((done) => done);
}

/** Best matches over all shards, for each query, among the vectors of the query's model. */
export async function searchVectors(
  env: Env,
  open: OpenCollection,
  model: EmbeddingModel,
  queries: readonly VectorQuery[],
): Promise<SearchAnswer> {
  const answers = await Promise.all(
    shardNumbers(open.collection).map((shard) =>
      ask(env, open.collection, shard, (gallery) => gallery.search(galleryScopeOf(open), model, queries)),
    ),
  );
  const destroyed = answers.find(({ type }) => type === 'key_destroyed');
  if (destroyed !== undefined) return destroyed;
  const found = answers.filter((answer) => answer.type === 'found');
  const matches = queries.map(({ topK }, at) =>
    mergeMatches(
      found.map((answer) => answer.matches[at] ?? []),
      topK,
    ),
  );
  return { type: 'found', matches };
}

/** Deletes vectors. Those that are not there, or can no more be read, need no deletion. */
export async function removeVectors(
  env: Env,
  open: OpenCollection,
  faces: readonly { readonly id: string; readonly shard: number }[],
): Promise<void> {
  await Promise.all(
    [...byShard(faces)].map(([shard, placed]) =>
      ask(env, open.collection, shard, (gallery) =>
        gallery.remove(
          galleryScopeOf(open),
          placed.map(({ id }) => id),
        ),
      ),
    ),
  );
}

/** The vectors of faces, under whatever model. Those that are not there, or can no more be read, are left out. */
export async function storedVectors(
  env: Env,
  open: OpenCollection,
  faces: readonly { readonly id: string; readonly shard: number }[],
): Promise<readonly StoredVector[]> {
  const answers = await Promise.all(
    [...byShard(faces)].map(([shard, placed]) =>
      ask(env, open.collection, shard, (gallery) =>
        gallery.vectors(
          galleryScopeOf(open),
          placed.map(({ id }) => id),
        ),
      ),
    ),
  );
  return answers.flatMap((answer) => (answer.type === 'read' ? answer.vectors : []));
}

export async function galleryStatus(env: Env, open: OpenCollection): Promise<readonly GalleryStatus[]> {
  return Promise.all(
    shardNumbers(open.collection).map((shard) =>
      ask(env, open.collection, shard, (gallery) => gallery.status(galleryScopeOf(open))),
    ),
  );
}

/** Deletes everything that the collection's galleries hold, in memory and in storage. */
export async function eraseGalleries(
  env: Env,
  collection: Pick<Collection, 'tenant' | 'id' | 'shards'>,
): Promise<void> {
  await Promise.all(shardNumbers(collection).map((shard) => ask(env, collection, shard, (gallery) => gallery.erase())));
}

/** The models of which vectors are held, each once. */
export function heldModels(statuses: readonly GalleryStatus[]): EmbeddingModel[] {
  const held = statuses.flatMap(({ models }) => models.filter(({ size }) => size > 0).map(({ model }) => model));
  return [...new Map(held.map((model) => [modelName(model), model])).values()];
}

function modelName({ name, version, dimensions }: EmbeddingModel): string {
  return JSON.stringify([name, version, dimensions]);
}

/** A call to a shard, a second time where the object was lost: each has its effect once. */
function ask<T>(
  env: Env,
  { tenant, id }: Pick<Collection, 'tenant' | 'id'>,
  shard: number,
  call: (gallery: GalleryApi) => Promise<T>,
): Promise<T> {
  return askAgain(() => call(galleryOf(env, galleryName(tenant, id, shard))));
}

export function shardNumbers({ shards }: Pick<Collection, 'shards'>): number[] {
  return Array.from({ length: shards }, (_, shard) => shard);
}

function byShard<T extends { readonly shard: number }>(placed: readonly T[]): Map<number, T[]> {
  return Map.groupBy(placed, ({ shard }) => shard);
}
