import { DIMENSIONS, type Distribution, writeVector } from './face-vectors.ts';

/** What the gallery is measured against: all vectors as float32 in one array, and a loop over them. */
export function plainVectors(distribution: Distribution, size: number): Float32Array {
  const vectors = new Float32Array(size * DIMENSIONS);
  for (let at = 0; at < size; at++) {
    writeVector(distribution, at, vectors.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS));
  }
  return vectors;
}

/** Numbers of the `topK` nearest vectors, best first. */
export function plainSearch(vectors: Float32Array, query: Float32Array, topK: number): number[] {
  const nearest: { at: number; similarity: number }[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  const size = vectors.length / DIMENSIONS;
  for (let at = 0; at < size; at++) {
    const offset = at * DIMENSIONS;
    let similarity = 0;
    for (let i = 0; i < DIMENSIONS; i++) similarity += vectors[offset + i]! * query[i]!;
    if (similarity <= floor) continue;
    nearest.push({ at, similarity });
    nearest.sort((a, b) => b.similarity - a.similarity);
    if (nearest.length > topK) nearest.pop();
    if (nearest.length === topK) floor = nearest.at(-1)!.similarity;
  }
  return nearest.map(({ at }) => at);
}
