import { DIMENSIONS, type Distribution, faceIdOf, PHOTOS_OF_PERSON, subjectOf } from './face-vectors.ts';

/** Face ids of the best `topK`, a subject's best face alone, by cosines in float64. */
export function exactMatches(
  distribution: Distribution,
  vectors: Float32Array,
  query: Float32Array,
  topK: number,
): string[] {
  const size = vectors.length / DIMENSIONS;
  const similarities = new Float64Array(size);
  for (let at = 0; at < size; at++) {
    let dot = 0;
    let squares = 0;
    for (let i = 0; i < DIMENSIONS; i++) {
      const x = vectors[at * DIMENSIONS + i]!;
      dot += x * query[i]!;
      squares += x * x;
    }
    similarities[at] = dot / Math.sqrt(squares);
  }
  // So many faces belong to at least topK subjects.
  const enough = similarities.toSorted().at(-Math.min(size, topK * PHOTOS_OF_PERSON))!;
  const order = [...similarities.keys()]
    .filter((at) => similarities[at]! >= enough)
    .sort((a, b) => similarities[b]! - similarities[a]!);
  const subjects = new Set<string>();
  const matches: string[] = [];
  for (const at of order) {
    const subject = subjectOf(distribution, at) ?? faceIdOf(at);
    if (subjects.has(subject)) continue;
    subjects.add(subject);
    matches.push(faceIdOf(at));
    if (matches.length === topK) break;
  }
  return matches;
}
