import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import type { EmbeddingModel } from '../../../protocol/inference/wire.ts';
import { galleryStatus, heldModels } from '../collections/gallery-shards.ts';
import type { OpenCollection } from '../collections/open-collection.ts';

export interface RawVector {
  readonly values: readonly number[];
  /** Name and version of the model that made it, where the caller knows. */
  readonly model: string | null;
  readonly modelVersion: string | null;
}

export interface QueryVector {
  /** Null: the collection holds no vectors to compare with. */
  readonly model: EmbeddingModel | null;
  readonly embedding: Float32Array;
}

/**
 * A caller's own vector as a query: of unit length, as wide as the vectors of the collection, and of the model that the caller names,
 * if any.
 */
export async function queryVector(
  env: Env,
  open: OpenCollection,
  raw: RawVector,
): Promise<Result<QueryVector, ApiError>> {
  const embedding = unitVector(raw.values);
  if (embedding === null)
    return err(invalid('the embedding has no direction', { reason: 'embedding_without_direction' }));
  const held = heldModels(await galleryStatus(env, open));
  if (held.length === 0) return ok({ model: null, embedding });
  const named = held.filter(
    ({ name, version }) =>
      (raw.model === null || raw.model === name) && (raw.modelVersion === null || raw.modelVersion === version),
  );
  if (named.length === 0) return err(otherModelError(held));
  const fitting = named.filter(({ dimensions }) => dimensions === embedding.length);
  const [model, another] = fitting;
  if (model === undefined) {
    return err(
      invalid('the embedding is not as wide as those of the collection', {
        reason: 'embedding_width',
        width: embedding.length,
        models: held,
      }),
    );
  }
  if (another !== undefined)
    return err(
      invalid('the collection holds embeddings of several models: name yours', {
        reason: 'model_ambiguous',
        models: held,
      }),
    );
  return ok({ model, embedding });
}

/** Vectors of different models cannot be compared. */
export function otherModelError(held: readonly EmbeddingModel[]): ApiError {
  return apiError('CONFLICT', 'another model has embedded faces of the collection', {
    reason: 'other_model',
    models: held,
  });
}

function invalid(message: string, details: Readonly<Record<string, unknown>>): ApiError {
  return apiError('VALIDATION_ERROR', message, details);
}

/** Null for a vector without a direction: all zeros, or too long for float32. */
function unitVector(values: readonly number[]): Float32Array | null {
  const length = Math.hypot(...values);
  if (length === 0 || !Number.isFinite(length)) return null;
  return Float32Array.from(values, (value) => value / length);
}
