import type { Movement } from './occupancy.fixtures.ts';
import { PRESENCE_WINDOW_MS } from './presence.ts';

/** Somebody before a door of a room, from the first sight to the last, in Unix milliseconds. */
export interface DoorPresence {
  readonly person: string;
  readonly type: Movement['type'];
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
}

/**
 * The movements that presences at the doors of one room stand for. Somebody is inside from the first sight at an entry to the last at an exit: a room
 * is never fuller than it is said to be.
 *
 * Who is seen at the other kind of door meanwhile has gone through twice, though no gap of the window ends the presence. They were seen here again
 * within a window of that, and at the latest at the presence's end: whoever was seen last at an entry is inside, whoever was at an exit outside.
 */
export function doorMovements<P extends DoorPresence>(presences: readonly P[]): readonly (P & Movement)[] {
  const people = Map.groupBy(presences, ({ person }) => person);
  return [...people.values()].flatMap((own) => {
    const sights = { entered: sightsOf(own, 'entered'), exited: sightsOf(own, 'exited') };
    return own.flatMap((presence) => {
      const { type, firstSeenAt, lastSeenAt } = presence;
      // At one instant an exit comes before an entry.
      const isBefore = type === 'entered' ? (at: number, by: number) => at <= by : (at: number, by: number) => at < by;
      const others = sights[type === 'entered' ? 'exited' : 'entered'];
      const between = others.slice(
        leadingCount(others, (at) => isBefore(at, firstSeenAt)),
        leadingCount(others, (at) => isBefore(at, lastSeenAt)),
      );
      const again = between.map((at) =>
        type === 'entered'
          ? Math.min(lastSeenAt, at + PRESENCE_WINDOW_MS)
          : Math.max(firstSeenAt, at - PRESENCE_WINDOW_MS),
      );
      return [
        { ...presence, at: type === 'entered' ? firstSeenAt : lastSeenAt },
        ...[...new Set(again)].map((at) => ({ ...presence, at, isImplied: true })),
      ];
    });
  });
}

/** In order of time. */
function sightsOf(presences: readonly DoorPresence[], type: Movement['type']): number[] {
  const sights = presences.flatMap((one) => (one.type === type ? [one.firstSeenAt, one.lastSeenAt] : []));
  return [...new Set(sights)].sort((a, b) => a - b);
}

/**
 * How many items stand before the first that does not fulfil the condition; those that fulfil it come first. It asks by halves: one person may have
 * tens of thousands of presences.
 *
 * @internal
 */
export function leadingCount(items: readonly number[], fulfils: (item: number) => boolean): number {
  let from = 0;
  let to = items.length;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (fulfils(items[middle]!)) from = middle + 1;
    else to = middle;
  }
  return from;
}
