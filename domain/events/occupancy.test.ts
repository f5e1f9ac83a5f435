import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capacityAlertsOf, judgeMovements, type Movement, occupancyOf } from './occupancy.ts';

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
        const { current, entries, exits } = occupancyOf(judgeMovements(all));
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
        const { peak: found, peakAt } = occupancyOf(judgeMovements(all));
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
          expect(occupancyOf(judgeMovements(late))).toEqual(occupancyOf(judgeMovements(all)));
          expect(capacityAlertsOf(judgeMovements(late), 2)).toEqual(capacityAlertsOf(judgeMovements(all), 2));
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
    expect(occupancyOf(judged)).toEqual({
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
    expect(occupancyOf(judged)).toMatchObject({ current: 1, peak: 1, peakAt: 1 });
  });
});

describe('capacity alerts', () => {
  it('cover exactly the time in which occupancy exceeds the capacity', () => {
    fc.assert(
      fc.property(movements, fc.integer({ min: 0, max: 4 }), (all, capacity) => {
        const alerts = capacityAlertsOf(judgeMovements(all), capacity);
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
        for (const { startedAt, endedAt, occupancy } of capacityAlertsOf(judgeMovements(all), capacity)) {
          const during = naive(all).filter(({ at }) => at >= startedAt && (endedAt === null || at < endedAt));
          expect(occupancy).toBe(Math.max(...during.map(({ count }) => count)));
        }
      }),
    );
  });

  it('are none at the capacity, and none in a room without one', () => {
    const judged = judgeMovements([{ person: 'ada', type: 'entered', at: 1 }]);
    expect(capacityAlertsOf(judged, 1)).toEqual([]);
    expect(capacityAlertsOf(judged, null)).toEqual([]);
    expect(capacityAlertsOf(judged, 0)).toEqual([{ occupancy: 1, startedAt: 1, endedAt: null }]);
  });
});
