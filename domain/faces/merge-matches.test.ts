import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeMatches } from './merge-matches.ts';
import type { VectorMatch } from './vector-match.ts';

const match = fc.record({
  faceId: fc.integer({ min: 0, max: 60 }).map((n) => `face-${String(n).padStart(2, '0')}`),
  subject: fc.option(fc.integer({ min: 0, max: 8 }).map((n) => `subject-${n}`)),
  similarity: fc.integer({ min: -4, max: 4 }).map((n) => n / 4),
});
const gallery = fc.uniqueArray(match, { selector: ({ faceId }) => faceId, maxLength: 40 });

function plainBest(matches: readonly VectorMatch[], topK: number): VectorMatch[] {
  const sorted = matches.toSorted((a, b) => b.similarity - a.similarity || (a.faceId < b.faceId ? -1 : 1));
  return sorted
    .filter(({ subject }, at) => subject === null || sorted.findIndex((other) => other.subject === subject) === at)
    .slice(0, topK);
}

describe('the matches of several shards', () => {
  it('merge into what one shard with all their faces would answer', () => {
    fc.assert(
      fc.property(gallery, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 }), (matches, topK, shards) => {
        const answers = Array.from({ length: shards }, (_, shard) =>
          plainBest(
            matches.filter((_, at) => at % shards === shard),
            topK,
          ),
        );
        expect(mergeMatches(answers, topK)).toEqual(plainBest(matches, topK));
      }),
    );
  });

  it('hold a subject once, by its best face, though its faces lie in several shards', () => {
    const of = (faceId: string, subject: string | null, similarity: number) => ({ faceId, subject, similarity });
    const shards = [
      [of('a', 'ada', 0.7), of('b', 'bob', 0.6)],
      [of('c', 'ada', 0.9), of('d', 'cyd', 0.5)],
    ];
    expect(mergeMatches(shards, 3).map(({ faceId }) => faceId)).toEqual(['c', 'b', 'd']);
  });

  it('hold a face once that a repeated registration has left in two shards', () => {
    const face = { faceId: 'a', subject: null, similarity: 0.9 };
    expect(mergeMatches([[face], [face]], 5)).toEqual([face]);
  });

  it('are none when no shard has any', () => {
    expect(mergeMatches([[], []], 5)).toEqual([]);
  });
});
