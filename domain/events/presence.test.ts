import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PRESENCE_WINDOW_MS, presencesOf, type Sighting } from './presence.ts';

const sightings: fc.Arbitrary<Sighting[]> = fc.array(
  fc.record({
    attendeeId: fc.constantFrom('ada', 'grace'),
    faceId: fc.constantFrom('left', 'right'),
    similarity: fc.constantFrom(0.5, 0.6, 0.7),
    capturedAt: fc.integer({ min: 0, max: 20 }).map((step) => step * 11_000),
    frameId: fc.constantFrom('a', 'b'),
  }),
  { maxLength: 25 },
);

describe('presences', () => {
  it('hold every sighting once, and lie further apart than the window', () => {
    fc.assert(
      fc.property(sightings, (all) => {
        const presences = presencesOf(all);
        for (const { attendeeId, capturedAt } of all) {
          const around = presences.filter(
            (one) =>
              one.attendeeId === attendeeId &&
              one.firstSeenAt - PRESENCE_WINDOW_MS <= capturedAt &&
              capturedAt <= one.lastSeenAt + PRESENCE_WINDOW_MS,
          );
          expect(around).toHaveLength(1);
          expect(around[0]!.firstSeenAt <= capturedAt && capturedAt <= around[0]!.lastSeenAt).toBe(true);
        }
      }),
    );
  });

  it('have no gap longer than the window, and begin and end with a sighting', () => {
    fc.assert(
      fc.property(sightings, (all) => {
        for (const { attendeeId, firstSeenAt, lastSeenAt } of presencesOf(all)) {
          const times = all
            .filter((one) => one.attendeeId === attendeeId)
            .map(({ capturedAt }) => capturedAt)
            .filter((at) => firstSeenAt <= at && at <= lastSeenAt)
            .sort((a, b) => a - b);
          expect([times[0], times.at(-1)]).toEqual([firstSeenAt, lastSeenAt]);
          for (const [index, at] of times.entries())
            if (index > 0) expect(at - times[index - 1]!).toBeLessThanOrEqual(PRESENCE_WINDOW_MS);
        }
      }),
    );
  });

  it('carry the best similarity and the frame of the first sighting', () => {
    fc.assert(
      fc.property(sightings, (all) => {
        for (const { attendeeId, firstSeenAt, lastSeenAt, similarity, frameId } of presencesOf(all)) {
          const own = all.filter(
            (one) => one.attendeeId === attendeeId && firstSeenAt <= one.capturedAt && one.capturedAt <= lastSeenAt,
          );
          expect(similarity).toBe(Math.max(...own.map((one) => one.similarity)));
          const first = own.filter((one) => one.capturedAt === firstSeenAt).map((one) => one.frameId);
          expect(frameId).toBe(first.sort()[0]);
        }
      }),
    );
  });

  it('are the same for any order and repetition', () => {
    fc.assert(
      fc.property(
        sightings.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })),
        ),
        ([all, again]) => {
          const shown = (of: readonly Sighting[]) => presencesOf(of).map(({ faceId: _, ...presence }) => presence);
          expect(shown(again)).toEqual(shown(all));
        },
      ),
    );
  });
});
