/** Somebody going through a door of a room. */
export interface Movement {
  /** Who, under whatever name: only sameness counts. */
  readonly person: string;
  readonly type: 'entered' | 'exited';
  /** In Unix milliseconds, of the event and not of the arrival. */
  readonly at: number;
}

/** A movement that counts has `effective`: entering while inside, or leaving while outside, changes nothing. */
export type JudgedMovement<M extends Movement> = M & { readonly effective: boolean };

/**
 * Judges the movements of one room, in order of time, whatever order they come in. At one instant exits come before entries, so that
 * one out and one in are no peak, and somebody who does both at once is inside.
 */
export function judgeMovements<M extends Movement>(movements: readonly M[]): readonly JudgedMovement<M>[] {
  const inside = new Set<string>();
  return movements.toSorted(inOrderOfTime).map((movement) => {
    const { person, type } = movement;
    const effective = inside.has(person) === (type === 'exited');
    if (effective && type === 'entered') inside.add(person);
    if (effective && type === 'exited') inside.delete(person);
    return { ...movement, effective };
  });
}

export interface Occupancy {
  /** Entries minus exits (E-SVC-07). */
  readonly current: number;
  /** The highest count over the time of the event, and when it was first reached; null when nobody came. */
  readonly peak: number;
  readonly peakAt: number | null;
  /** Those that count. */
  readonly entries: number;
  readonly exits: number;
  /** Those of people who were inside, or outside, already. */
  readonly repeatedEntries: number;
  readonly repeatedExits: number;
}

export function occupancyOf(judged: readonly JudgedMovement<Movement>[]): Occupancy {
  const total = { entries: 0, exits: 0, repeatedEntries: 0, repeatedExits: 0 };
  let peak = 0;
  let peakAt: number | null = null;
  for (const { type, effective, at } of judged) {
    if (effective) total[type === 'entered' ? 'entries' : 'exits'] += 1;
    else total[type === 'entered' ? 'repeatedEntries' : 'repeatedExits'] += 1;
    const current = total.entries - total.exits;
    if (current > peak) {
      peak = current;
      peakAt = at;
    }
  }
  return { current: total.entries - total.exits, peak, peakAt, ...total };
}

/** A time in which more people were in a room than it holds. */
export interface CapacityAlert {
  /** The most people in this time. */
  readonly occupancy: number;
  readonly startedAt: number;
  /** Null while it lasts. */
  readonly endedAt: number | null;
}

/** Where occupancy exceeds the capacity, in order of time; what falls and exceeds it again at one instant goes on. */
export function capacityAlertsOf(
  judged: readonly JudgedMovement<Movement>[],
  capacity: number | null,
): readonly CapacityAlert[] {
  if (capacity === null) return [];
  const alerts: CapacityAlert[] = [];
  let current = 0;
  for (const { type, effective, at } of judged) {
    if (!effective) continue;
    current += type === 'entered' ? 1 : -1;
    const last = alerts.at(-1);
    const open = last?.endedAt === null || last?.endedAt === at ? last : undefined;
    if (current > capacity) {
      if (open !== undefined) alerts.pop();
      const occupancy = Math.max(current, open?.occupancy ?? 0);
      alerts.push({ occupancy, startedAt: open?.startedAt ?? at, endedAt: null });
    } else if (last?.endedAt === null) {
      alerts.pop();
      alerts.push({ ...last, endedAt: at });
    }
  }
  return alerts;
}

function inOrderOfTime(a: Movement, b: Movement): number {
  return a.at - b.at || rank(a) - rank(b);
}

function rank({ type }: Movement): number {
  return type === 'exited' ? 0 : 1;
}
