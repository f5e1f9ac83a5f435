import type { CapacityAlert, CountedTime, MovementCounts, Occupancy } from './occupancy.ts';

/*
 * What movements come to, by going through all of them: the measure of spans and sums (room-span.ts, data/events/timeline/judge-movements.ts).
 */

/** Somebody going through a door of a room. */
export interface Movement {
  /** Who, under whatever name: only sameness counts. */
  readonly person: string;
  readonly type: 'entered' | 'exited';
  /** In Unix milliseconds, of the event and not of the arrival. */
  readonly at: number;
  /** That it follows from others alone (`doorMovements`): where it changes nothing, it is none. */
  readonly isImplied?: boolean;
}

/** A movement that counts has `effective`: entering while inside, or leaving while outside, changes nothing. */
export type JudgedMovement<M extends Movement> = M & { readonly effective: boolean };

/**
 * Judges the movements of one room, in order of time, whatever order they come in. At one instant exits come before entries, so that
 * one out and one in are no peak, and somebody who does both at once is inside.
 */
export function judgeMovements<M extends Movement>(movements: readonly M[]): readonly JudgedMovement<M>[] {
  const inside = new Set<string>();
  return movements.toSorted(inOrderOfTime).flatMap((movement) => {
    const { person, type, isImplied = false } = movement;
    const effective = inside.has(person) === (type === 'exited');
    if (isImplied && !effective) return [];
    if (effective && type === 'entered') inside.add(person);
    if (effective && type === 'exited') inside.delete(person);
    return [{ ...movement, effective }];
  });
}

export function movementCounts(judged: readonly JudgedMovement<Movement>[]): MovementCounts {
  const counts = { entries: 0, exits: 0, repeatedEntries: 0, repeatedExits: 0 };
  for (const { type, effective } of judged) {
    if (effective) counts[type === 'entered' ? 'entries' : 'exits'] += 1;
    else counts[type === 'entered' ? 'repeatedEntries' : 'repeatedExits'] += 1;
  }
  return counts;
}

/**
 * All movements count in what is current and in the sums; the peak is of the event alone. Who was inside when it began counts from then on.
 *
 * @param judged in order of time
 */
export function occupancyOf(judged: readonly JudgedMovement<Movement>[], time: CountedTime): Occupancy {
  const counts = movementCounts(judged);
  let peak = 0;
  let peakAt: number | null = null;
  for (const { count, from } of countsDuring(judged, time))
    if (count > peak) {
      peak = count;
      peakAt = from;
    }
  return { current: counts.entries - counts.exits, peak, peakAt, ...counts };
}

interface Count {
  readonly count: number;
  readonly from: number;
  /** Null while it lasts. */
  readonly until: number | null;
}

/**
 * How many people there were from when to when, between the first and the last instant of the event. A count that was there when the event begins or
 * ends is cut there.
 */
function countsDuring(judged: readonly JudgedMovement<Movement>[], { during, now }: CountedTime): Count[] {
  const { date, endDate } = during;
  if (now < date) return [];
  const changes = judged.filter(({ effective }) => effective);
  let count = 0;
  const counts: Count[] = [];
  for (const [index, { type, at }] of changes.entries()) {
    count += type === 'entered' ? 1 : -1;
    const next = changes[index + 1]?.at ?? null;
    const isOver = at < date && next !== null && next <= date;
    if (!isOver && at <= endDate) counts.push({ count, from: Math.max(at, date), until: next });
  }
  return counts;
}

/**
 * Where occupancy exceeds the capacity during the event, in order of time; what falls and exceeds it again at one instant goes on. What goes on when
 * the event ends, ends with it.
 */
export function capacityAlertsOf(
  judged: readonly JudgedMovement<Movement>[],
  capacity: number | null,
  time: CountedTime,
): readonly CapacityAlert[] {
  if (capacity === null) return [];
  const { during, now } = time;
  const ends = (until: number | null) => {
    if (until !== null && until <= during.endDate) return until;
    return now > during.endDate ? during.endDate : null;
  };
  const alerts: CapacityAlert[] = [];
  for (const { count, from, until } of countsDuring(judged, time)) {
    if (count <= capacity) continue;
    const last = alerts.at(-1);
    const goesOn = last !== undefined && last.endedAt === from;
    if (goesOn) alerts.pop();
    const occupancy = goesOn ? Math.max(count, last.occupancy) : count;
    alerts.push({ occupancy, startedAt: goesOn ? last.startedAt : from, endedAt: ends(until) });
  }
  return alerts;
}

function inOrderOfTime(a: Movement, b: Movement): number {
  return a.at - b.at || rank(a) - rank(b) || Number(a.isImplied ?? false) - Number(b.isImplied ?? false);
}

function rank({ type }: Movement): number {
  return type === 'exited' ? 0 : 1;
}
