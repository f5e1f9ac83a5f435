import type { EmbeddingModel } from '../../../protocol/inference/wire.ts';
import { GALLERY_TOP_K_MAX, type NewVector, type VectorQuery } from '../api.ts';

/** Vectors in one call: what a call may hold in memory beside the shard. */
const CALL_VECTORS_MAX = 10_000;

/** What is refused here is a defect of the caller, who has checked what users give. */
export function assertVectors(model: EmbeddingModel, vectors: readonly NewVector[]): void {
  if (vectors.length > CALL_VECTORS_MAX) throw new RangeError(`more than ${CALL_VECTORS_MAX} vectors in one call`);
  for (const { faceId, subject, embedding } of vectors) {
    if (faceId === '' || subject === '') throw new RangeError('an empty id');
    assertComparable(model, embedding);
  }
}

export function assertQuery(model: EmbeddingModel, { embedding, topK, threshold }: VectorQuery): void {
  assertComparable(model, embedding);
  if (!Number.isInteger(topK) || topK < 1 || topK > GALLERY_TOP_K_MAX)
    throw new RangeError(`topK is 1 to ${GALLERY_TOP_K_MAX}`);
  if (!(threshold >= -1 && threshold <= 1)) throw new RangeError('a threshold is −1 to 1');
}

/** A vector without direction has no cosine. */
function assertComparable({ dimensions }: EmbeddingModel, embedding: Float32Array): void {
  if (embedding.length !== dimensions)
    throw new RangeError(`a vector of ${embedding.length} components, not ${dimensions}`);
  const squares = embedding.reduce((total, x) => total + x * x, 0);
  if (!(squares > 0 && squares < Number.POSITIVE_INFINITY)) throw new RangeError('a vector without direction');
}
