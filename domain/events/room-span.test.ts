import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  capacityAlertsOf,
  type JudgedMovement,
  judgeMovements,
  type Movement,
  occupancyOf,
} from './occupancy.fixtures.ts';
import { alertsOfSpans, countsOfSpans, occupancyOfSpans, type RoomSpan } from './room-span.ts';

const DURING = { date: 5, endDate: 30 };

const judged = fc
  .array(
    fc.record({
      person: fc.constantFrom('ada', 'grace', 'edith', 'mary', 'emmy'),
      type: fc.constantFrom('entered' as const, 'exited' as const),
      at: fc.integer({ min: 0, max: 40 }),
    }),
    { maxLength: 40 },
  )
  .map(judgeMovements);

interface Grouped {
  readonly span: RoomSpan;
  readonly movements: readonly JudgedMovement<Movement>[];
}

const phaseOf = (at: number): RoomSpan['phase'] => (at < DURING.date ? 0 : at <= DURING.endDate ? 1 : 2);

/** What movements come to. */
function spanOf(movements: readonly JudgedMovement<Movement>[], span: number): RoomSpan {
  let count = 0;
  const steps = movements
    .filter(({ effective }) => effective)
    .map(({ type, at }) => {
      count += type === 'entered' ? 1 : -1;
      return { count, at };
    });
  const counts = steps.map((step) => step.count);
  const high = steps.length === 0 ? null : Math.max(...counts);
  const of = (type: Movement['type'], effective: boolean) =>
    movements.filter((one) => one.type === type && one.effective === effective).length;
  return {
    phase: phaseOf(movements[0]!.at),
    level: movements.length === 1 ? -1 : 0,
    span,
    entries: of('entered', true),
    exits: of('exited', true),
    repeatedEntries: of('entered', false),
    repeatedExits: of('exited', false),
    high,
    highAt: steps.find((step) => step.count === high)?.at ?? null,
    low: steps.length === 0 ? null : Math.min(...counts),
    changesAt: steps[0]?.at ?? null,
    endsAt: movements.at(-1)!.at,
  };
}

/** In spans of so many instants, none in two phases. */
function grouped(all: readonly JudgedMovement<Movement>[], width: number): Grouped[] {
  const groups = Map.groupBy(all, ({ at }) => `${phaseOf(at)} ${Math.floor(at / width)}`);
  return [...groups.values()].map((movements, index) => ({ span: spanOf(movements, index), movements }));
}

const now = fc.integer({ min: 0, max: 60 });
const width = fc.integer({ min: 1, max: 50 });

test('spans of any width give the occupancy that their movements give', () => {
  fc.assert(
    fc.property(judged, width, now, (all, size, at) => {
      const time = { during: DURING, now: at };
      const happened = all.filter((movement) => movement.at <= at);
      const spans = grouped(happened, size).map(({ span }) => span);
      expect(occupancyOfSpans(spans, time)).toEqual(occupancyOf(happened, time));
    }),
  );
});

test('alerts are those of the movements, once every span that may hide some was looked into, and no other was', () => {
  fc.assert(
    fc.property(judged, width, now, fc.integer({ min: 0, max: 4 }), (all, size, at, capacity) => {
      const time = { during: DURING, now: at };
      const happened = all.filter((movement) => movement.at <= at);
      let groups = grouped(happened, size);
      for (;;) {
        const found = alertsOfSpans(
          groups.map(({ span }) => span),
          capacity,
          time,
        );
        const unsure = new Set(found.flatMap((alert) => alert.unsure));
        if (unsure.size === 0) {
          const alerts = found.map(({ occupancy, startedAt, endedAt }) => ({ occupancy, startedAt, endedAt }));
          expect(alerts).toEqual(capacityAlertsOf(happened, capacity, time));
          return;
        }
        for (const span of unsure) {
          expect(span.level).toBe(0);
          // It holds counts on either side of the capacity.
          const before = countsOfSpans(
            groups
              .map((one) => one.span)
              .slice(
                0,
                groups.findIndex((one) => one.span === span),
              ),
          );
          const from = before.entries - before.exits;
          expect(from + span.high! > capacity && from + span.low! <= capacity).toBe(true);
        }
        groups = groups.flatMap((one) =>
          unsure.has(one.span)
            ? one.movements.map((movement) => ({ span: spanOf([movement], 0), movements: [movement] }))
            : [one],
        );
      }
    }),
  );
});

test('an alert that is not certain starts no later than what it hides', () => {
  const movements = judgeMovements([
    { person: 'ada', type: 'entered', at: 6 },
    { person: 'grace', type: 'entered', at: 8 },
    { person: 'grace', type: 'exited', at: 9 },
  ]);
  const [alert] = alertsOfSpans([spanOf(movements, 0)], 1, { during: DURING, now: 20 });
  expect(alert).toMatchObject({ startedAt: 6, startsBy: 9, occupancy: 2 });
  expect(alert?.unsure).toHaveLength(1);
});

test('an alert that goes on into a span in which it may end is not certain, whatever follows it', () => {
  const entered = judgeMovements([
    { person: 'ada', type: 'entered', at: 6 },
    { person: 'grace', type: 'entered', at: 7 },
    { person: 'grace', type: 'exited', at: 9 },
    { person: 'grace', type: 'entered', at: 11 },
  ]);
  const spans = [entered.slice(0, 1), entered.slice(1, 2), entered.slice(2)].map(spanOf);
  const [alert] = alertsOfSpans(spans, 1, { during: DURING, now: 20 });
  expect(alert).toMatchObject({ startedAt: 7, startsBy: 7, unsure: [spans[2]] });
});

test('a room without a capacity, and an event that has not begun, have no alerts', () => {
  const spans = [spanOf(judgeMovements([{ person: 'ada', type: 'entered', at: 1 }]), 0)];
  expect(alertsOfSpans(spans, null, { during: DURING, now: 20 })).toEqual([]);
  expect(alertsOfSpans(spans, 0, { during: DURING, now: 4 })).toEqual([]);
  expect(alertsOfSpans(spans, 0, { during: DURING, now: 20 })).toMatchObject([{ startedAt: 5, endedAt: null }]);
});
