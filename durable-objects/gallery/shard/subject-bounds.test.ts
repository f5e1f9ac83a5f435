import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SubjectBounds } from './subject-bounds.ts';

const offers = fc.array(
  fc.tuple(
    fc.nat(12),
    fc.integer({ min: -8, max: 8 }).map((n) => n / 8),
  ),
);

describe('the floor of what can still come in', () => {
  it('is the least of the best subjects’ bounds, and never below the threshold', () => {
    fc.assert(
      fc.property(offers, fc.integer({ min: 1, max: 6 }), fc.constantFrom(-1, 0, 0.5), (offered, topK, threshold) => {
        const bounds = new SubjectBounds(topK, threshold);
        const best = new Map<number, number>();
        for (const [subject, lower] of offered) {
          bounds.offer(subject, lower);
          best.set(subject, Math.max(best.get(subject) ?? -1, lower));
        }
        const kth = [...best.values()].sort((a, b) => b - a)[topK - 1] ?? -1;
        expect(bounds.floor).toBe(Math.max(threshold, kth));
      }),
    );
  });
});
