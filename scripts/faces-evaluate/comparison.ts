/** A face that was embedded. */
export interface Sample {
  readonly person: string;
  readonly group: string;
  readonly set: string;
  /** Of unit length. */
  readonly embedding: Float32Array;
  /** Index of the sample that it is a varied copy of; null for a photograph. */
  readonly copyOf: number | null;
}

/** Two faces that somebody knows to be, or not to be, of one person. */
export interface Comparison {
  readonly isSame: boolean;
  /** Of both; null where they are of two. */
  readonly group: string | null;
  /** Cosine. */
  readonly score: number;
}

/** All pairs of photographs within a set, and each photograph with its copies. */
export function comparisonsOf(samples: readonly Sample[]): Comparison[] {
  const comparisons: Comparison[] = [];
  for (const [at, one] of samples.entries()) {
    if (one.copyOf !== null) {
      const original = samples[one.copyOf]!;
      comparisons.push({ isSame: true, group: one.group, score: cosine(one.embedding, original.embedding) });
      continue;
    }
    for (const other of samples.slice(0, at)) {
      if (other.copyOf !== null || other.set !== one.set) continue;
      const group = one.group === other.group ? one.group : null;
      comparisons.push({
        isSame: one.person === other.person,
        group,
        score: cosine(one.embedding, other.embedding),
      });
    }
  }
  return comparisons;
}

function cosine(first: Float32Array, second: Float32Array): number {
  return first.reduce((sum, value, i) => sum + value * second[i]!, 0);
}
