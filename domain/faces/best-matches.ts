import type { VectorMatch } from './vector-match.ts';

/**
 * The most similar `topK` of the matches it is offered, in any order: of a subject only the best face, a face of no subject for
 * itself. Of equally similar ones the smaller face id is better, so that the same faces always give the same answer.
 */
export class BestMatches {
  readonly #topK: number;
  readonly #best = new Map<string, VectorMatch>();
  #worst: VectorMatch | undefined;

  constructor(topK: number) {
    this.#topK = topK;
  }

  offer(match: VectorMatch): void {
    const key = keyOf(match);
    const own = this.#best.get(key);
    if (own !== undefined && compare(own, match) <= 0) return;
    if (own === undefined && this.#best.size >= this.#topK) {
      if (this.#worst === undefined || compare(this.#worst, match) <= 0) return;
      this.#best.delete(keyOf(this.#worst));
    }
    this.#best.set(key, match);
    this.#worst = this.#best.size < this.#topK ? undefined : [...this.#best.values()].reduce(worse);
  }

  /** What a match needs at least to come in; −Infinity while there is room. */
  get floor(): number {
    return this.#worst?.similarity ?? Number.NEGATIVE_INFINITY;
  }

  /** Best first. */
  sorted(): VectorMatch[] {
    return [...this.#best.values()].sort(compare);
  }
}

function keyOf({ faceId, subject }: VectorMatch): string {
  return subject === null ? `face ${faceId}` : `subject ${subject}`;
}

function worse(a: VectorMatch, b: VectorMatch): VectorMatch {
  return compare(a, b) > 0 ? a : b;
}

/** Negative when `a` is better. */
function compare(a: VectorMatch, b: VectorMatch): number {
  if (a.similarity !== b.similarity) return b.similarity - a.similarity;
  return a.faceId < b.faceId ? -1 : a.faceId > b.faceId ? 1 : 0;
}
