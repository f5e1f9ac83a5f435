import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doorMovements, leadingCount } from './door-movements.fixtures.ts';
import { capacityAlertsOf, judgeMovements, type Movement, occupancyOf } from './occupancy.fixtures.ts';
import { presencesOf } from './presence.ts';

const ALWAYS = { during: { date: 0, endDate: 1e9 }, now: 100 };

const movements = fc.array(
  fc.record({
    person: fc.constantFrom('ada', 'grace', 'edith', 'mary', 'emmy'),
    type: fc.constantFrom('entered' as const, 'exited' as const),
    at: fc.integer({ min: 0, max: 15 }),
  }),
  { maxLength: 30 },
);

/** Whether somebody is inside after all that happened up to an instant: their last movement, an entry where the instant has both. */
function isInside(all: readonly Movement[], person: string, upTo: number): boolean {
  const own = all.filter((movement) => movement.person === person && movement.at <= upTo);
  const last = Math.max(...own.map(({ at }) => at));
  return own.some(({ at, type }) => at === last && type === 'entered');
}

function countAt(all: readonly Movement[], instant: number): number {
  const people = [...new Set(all.map(({ person }) => person))];
  return people.filter((person) => isInside(all, person, instant)).length;
}

/** Instants at which anything happens, with how many are inside after each. */
function naive(all: readonly Movement[]): { at: number; count: number }[] {
  return [...new Set(all.map(({ at }) => at))].sort((a, b) => a - b).map((at) => ({ at, count: countAt(all, at) }));
}

describe('occupancy', () => {
  it('current is entries minus exits, and whoever is inside after the last movement', () => {
    fc.assert(
      fc.property(movements, (all) => {
        const { current, entries, exits } = occupancyOf(judgeMovements(all), ALWAYS);
        expect(current).toBe(entries - exits);
        expect(current).toBe(naive(all).at(-1)?.count ?? 0);
      }),
    );
  });

  it('peak is the highest concurrent count over event time, with the first time it was reached', () => {
    fc.assert(
      fc.property(movements, (all) => {
        const counts = naive(all);
        const peak = Math.max(0, ...counts.map(({ count }) => count));
        const { peak: found, peakAt } = occupancyOf(judgeMovements(all), ALWAYS);
        expect(found).toBe(peak);
        expect(peakAt).toBe(peak === 0 ? null : counts.find(({ count }) => count === peak)!.at);
      }),
    );
  });

  it('is the same whatever order entries come in', () => {
    fc.assert(
      fc.property(
        movements.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, late]) => {
          expect(occupancyOf(judgeMovements(late), ALWAYS)).toEqual(occupancyOf(judgeMovements(all), ALWAYS));
          expect(capacityAlertsOf(judgeMovements(late), 2, ALWAYS)).toEqual(
            capacityAlertsOf(judgeMovements(all), 2, ALWAYS),
          );
        },
      ),
    );
  });

  it('is never negative, and repeated movements are counted apart', () => {
    const judged = judgeMovements([
      { person: 'ada', type: 'exited', at: 1 },
      { person: 'ada', type: 'entered', at: 2 },
      { person: 'ada', type: 'entered', at: 3 },
    ]);
    expect(occupancyOf(judged, ALWAYS)).toEqual({
      current: 1,
      peak: 1,
      peakAt: 2,
      entries: 1,
      exits: 0,
      repeatedEntries: 1,
      repeatedExits: 1,
    });
  });

  it('one out and one in at the same instant are no peak', () => {
    const judged = judgeMovements([
      { person: 'ada', type: 'entered', at: 1 },
      { person: 'grace', type: 'entered', at: 2 },
      { person: 'ada', type: 'exited', at: 2 },
    ]);
    expect(occupancyOf(judged, ALWAYS)).toMatchObject({ current: 1, peak: 1, peakAt: 1 });
  });
});

describe('capacity alerts', () => {
  it('cover exactly the time in which occupancy exceeds the capacity', () => {
    fc.assert(
      fc.property(movements, fc.integer({ min: 0, max: 4 }), (all, capacity) => {
        const alerts = capacityAlertsOf(judgeMovements(all), capacity, ALWAYS);
        for (const { at, count } of naive(all)) {
          const during = alerts.filter(
            ({ startedAt, endedAt }) => startedAt <= at && (endedAt === null || at < endedAt),
          );
          expect(during.length).toBe(count > capacity ? 1 : 0);
        }
      }),
    );
  });

  it('carry the most people in their time', () => {
    fc.assert(
      fc.property(movements, fc.integer({ min: 0, max: 4 }), (all, capacity) => {
        for (const { startedAt, endedAt, occupancy } of capacityAlertsOf(judgeMovements(all), capacity, ALWAYS)) {
          const during = naive(all).filter(({ at }) => at >= startedAt && (endedAt === null || at < endedAt));
          expect(occupancy).toBe(Math.max(...during.map(({ count }) => count)));
        }
      }),
    );
  });

  it('are none at the capacity, and none in a room without one', () => {
    const judged = judgeMovements([{ person: 'ada', type: 'entered', at: 1 }]);
    expect(capacityAlertsOf(judged, 1, ALWAYS)).toEqual([]);
    expect(capacityAlertsOf(judged, null, ALWAYS)).toEqual([]);
    expect(capacityAlertsOf(judged, 0, ALWAYS)).toEqual([{ occupancy: 1, startedAt: 1, endedAt: null }]);
  });
});

describe('E-05: peak and alerts are of the event, from its first instant to its last', () => {
  const time = { during: { date: 10, endDate: 20 }, now: 30 };
  const inside = (person: string, from: number, to: number | null = null): Movement[] => [
    { person, type: 'entered', at: from },
    ...(to === null ? [] : [{ person, type: 'exited' as const, at: to }]),
  ];

  it.each([
    ['before it alone', inside('ada', 5, 9), 0, null, []],
    ['to its very beginning', inside('ada', 5, 10), 0, null, []],
    ['across its beginning', inside('ada', 5, 15), 1, 10, [[10, 15]]],
    ['within it', inside('ada', 12, 15), 1, 12, [[12, 15]]],
    ['across its end', inside('ada', 15, 25), 1, 15, [[15, 20]]],
    ['and never left', inside('ada', 5), 1, 10, [[10, 20]]],
    ['after it alone', inside('ada', 21, 25), 0, null, []],
  ] as const)('somebody inside %s', (_, movements, peak, peakAt, alerts) => {
    const judged = judgeMovements(movements);
    expect(occupancyOf(judged, time)).toMatchObject({ peak, peakAt });
    const found = capacityAlertsOf(judged, 0, time);
    expect(found.map(({ startedAt, endedAt }) => [startedAt, endedAt])).toEqual(alerts);
  });

  it('who is inside before it begins is no peak yet, and what is above the capacity during it lasts', () => {
    const judged = judgeMovements(inside('ada', 5));
    const rehearsal = { ...time, now: 8 };
    expect(occupancyOf(judged, rehearsal)).toMatchObject({ current: 1, peak: 0, peakAt: null });
    expect(capacityAlertsOf(judged, 0, rehearsal)).toEqual([]);
    expect(capacityAlertsOf(judged, 0, { ...time, now: 12 })).toMatchObject([{ startedAt: 10, endedAt: null }]);
  });

  it('counts everybody in what is current and in the sums', () => {
    const judged = judgeMovements([...inside('ada', 5, 9), ...inside('grace', 21)]);
    expect(occupancyOf(judged, time)).toMatchObject({ current: 1, entries: 2, exits: 1 });
  });
});

describe('E-03: a re-entry is a re-entry, however soon', () => {
  const sight = fc.record({
    person: fc.constantFrom('ada', 'grace'),
    type: fc.constantFrom('entered' as const, 'exited' as const),
    camera: fc.constantFrom('a', 'b'),
    at: fc.integer({ min: 0, max: 20 }).map((tens) => tens * 10_000),
  });

  /** As each camera writes them down, in whatever order they came. */
  function movementsOf(sights: readonly { person: string; type: Movement['type']; camera: string; at: number }[]) {
    const cameras = Map.groupBy(sights, ({ type, camera }) => `${type} ${camera}`);
    return doorMovements(
      [...cameras.values()].flatMap((seen) =>
        presencesOf(
          seen.map(({ person, at }, frame) => ({
            attendeeId: person,
            faceId: 'face',
            similarity: 1,
            capturedAt: at,
            frameId: `${frame}`,
          })),
        ).map(({ attendeeId, firstSeenAt, lastSeenAt }) => ({
          person: attendeeId,
          type: seen[0]!.type,
          firstSeenAt,
          lastSeenAt,
        })),
      ),
    );
  }
  const passing = (...seconds: readonly (readonly [Movement['type'], number])[]) =>
    occupancyOf(
      judgeMovements(movementsOf(seconds.map(([type, at]) => ({ person: 'ada', type, camera: 'a', at: at * 1_000 })))),
      ALWAYS,
    );

  it('out for a moment and back within the window counts as inside', () => {
    for (const back of [25, 31, 60])
      expect(passing(['entered', 0], ['exited', 10], ['entered', back])).toMatchObject({
        current: 1,
        entries: 2,
        exits: 1,
      });
  });

  it('a return is counted once, and as no repeated entry', () => {
    const sights = [0, 25, 50].map((at) => ['entered', at] as const);
    expect(passing(...sights, ['exited', 10], ['exited', 20])).toMatchObject({
      current: 1,
      entries: 2,
      exits: 1,
      repeatedEntries: 0,
      repeatedExits: 0,
    });
  });

  it('in for a moment and out within the window counts as outside', () => {
    for (const out of [15, 25, 60])
      expect(passing(['entered', 0], ['exited', 5], ['entered', 10], ['exited', out])).toMatchObject({
        current: 0,
        entries: 2,
        exits: 2,
      });
  });

  it('who stands before an entry without an exit has come once', () => {
    expect(passing(['entered', 0], ['entered', 20], ['entered', 40])).toMatchObject({ entries: 1, repeatedEntries: 0 });
  });

  it('whoever was seen last at an entry is inside, and whoever was at an exit is not, for every order of arrival', () => {
    fc.assert(
      fc.property(
        fc
          .array(sight, { minLength: 1, maxLength: 16 })
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([sights, late]) => {
          const occupancy = occupancyOf(judgeMovements(movementsOf(late)), ALWAYS);
          expect(occupancy.current).toBe(countAt(sights, 1e9));
          expect(occupancy).toEqual(occupancyOf(judgeMovements(movementsOf(sights)), ALWAYS));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('E-03: many presences of one person', () => {
  it('are looked through by halves', () => {
    const times = Array.from({ length: 20_000 }, (_, at) => at * 2);
    for (const [by, count] of [
      [-1, 0],
      [0, 0],
      [1, 1],
      [19_999, 10_000],
      [40_000, 20_000],
    ] as const) {
      let asked = 0;
      const isBefore = (time: number) => {
        asked += 1;
        return time < by;
      };
      expect(leadingCount(times, isBefore)).toBe(count);
      expect(asked).toBeLessThanOrEqual(15);
    }
  });

  it('at both doors are as many movements, each implied one once', () => {
    const presences = (['entered', 'exited'] as const).flatMap((type, door) =>
      Array.from({ length: 20_000 }, (_, at) => ({
        person: 'ada',
        type,
        firstSeenAt: at * 40_000 + door * 10_000,
        lastSeenAt: at * 40_000 + door * 10_000 + 5_000,
      })),
    );
    expect(doorMovements(presences)).toHaveLength(40_000);
  });
});
