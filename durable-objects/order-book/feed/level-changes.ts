import type { Level } from '../engine/engine.ts';

/**
 * What turns one view of a side into another: levels that are new or have another quantity, and, with quantity 0, those that are gone
 * or have left the depth. Both views best first; so is the result.
 */
export function levelChanges(before: readonly Level[], after: readonly Level[], side: 'buy' | 'sell'): Level[] {
  const changes: Level[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const old = before[i];
    const now = after[j];
    if (old !== undefined && now !== undefined && old[0] === now[0]) {
      if (old[1] !== now[1]) changes.push(now);
      i += 1;
      j += 1;
    } else if (now === undefined || (old !== undefined && isBetter(old[0], now[0], side))) {
      changes.push([old![0], 0]);
      i += 1;
    } else {
      changes.push(now);
      j += 1;
    }
  }
  return changes;
}

function isBetter(price: number, other: number, side: 'buy' | 'sell'): boolean {
  return side === 'buy' ? price > other : price < other;
}
