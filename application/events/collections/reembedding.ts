import { eventsDatabase } from '../../../data/events/database.ts';
import { findCollection } from '../../../data/events/images/collections.ts';
import { countPassedOver, facesByModel } from '../../../data/events/images/faces.ts';
import type { EmbeddingModel } from '../../../protocol/inference/wire.ts';
import type { EventsCaller } from '../events-caller.ts';
import { currentModel, inferenceClient } from '../inference/inference-client.ts';
import { openCollection } from './open-collection.ts';
import { requestReembedding } from './request-reembedding.ts';

/** How far the embedding of a collection by the model of now is. */
export interface Reembedding {
  /** Or waits for its turn. */
  readonly isRunning: boolean;
  /** The model of now; null when it cannot be asked. */
  readonly model: EmbeddingModel | null;
  /** Stored faces by the model that embedded them. */
  readonly faces: readonly { readonly name: string; readonly version: string; readonly faces: number }[];
  /** Faces of other models than that of now; null when that is not known. */
  readonly remaining: number | null;
  /** Of these, the faces that the model of now was to embed and could not: they keep the vectors that they have. */
  readonly failed: number | null;
}

/** Begins, unless it is under way. Null for a collection that the tenant does not have. */
export async function startReembedding(env: Env, caller: EventsCaller, name: string): Promise<Reembedding | null> {
  const open = await openCollection(env, caller.tenant, name);
  if (open === null) return null;
  await requestReembedding(env, open.collection, caller);
  return stateOf(env, caller, open.collection.name);
}

/** Null for a collection that the tenant does not have. */
export async function readReembedding(env: Env, caller: EventsCaller, name: string): Promise<Reembedding | null> {
  const open = await openCollection(env, caller.tenant, name);
  return open === null ? null : stateOf(env, caller, open.collection.name);
}

async function stateOf(env: Env, caller: EventsCaller, name: string): Promise<Reembedding> {
  const db = eventsDatabase(env.EVENTS_DB);
  const collection = await findCollection(db, caller.tenant, name);
  const [faces, model] = await Promise.all([
    collection === null ? [] : facesByModel(db, collection.id),
    currentModel(inferenceClient(env, caller)),
  ]);
  const failed = collection === null || model === null ? null : await countPassedOver(db, collection.id, model);
  const others = faces.filter((of) => of.name !== model?.name || of.version !== model.version);
  return {
    isRunning: collection !== null && (collection.reembeddingAt ?? collection.reembedAskedAt) !== null,
    model,
    faces,
    remaining: model === null ? null : others.reduce((total, of) => total + of.faces, 0),
    failed,
  };
}
