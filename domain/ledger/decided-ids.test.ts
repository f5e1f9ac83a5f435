import { describe, expect, it } from 'vitest';
import { DecidedIds } from './decided-ids.ts';

function withIds(count: number): DecidedIds {
  const ids = new DecidedIds('test', 10);
  for (let n = 0; n < count; n++) ids.add(`${n}`, n);
  return ids;
}

describe('M-06: what is decided once', () => {
  it('is known for the latest so many at least, and for no more than twice as many', () => {
    for (let count = 0; count < 100; count++) {
      const ids = withIds(count);
      const known = Array.from({ length: count }, (_, n) => ids.has(`${n}`));
      expect(known.slice(-10)).not.toContain(false);
      expect([...ids.all()].length).toBeLessThanOrEqual(20);
      expect(known.filter(Boolean)).toHaveLength([...ids.all()].length);
    }
  });

  it('is not decided by who read before something that is forgotten was decided', () => {
    for (let count = 0; count < 100; count++) {
      const ids = withIds(count);
      for (let readAt = 0; readAt < count; readAt++) {
        const after = Array.from({ length: count - readAt - 1 }, (_, n) => n + readAt + 1);
        const isSafe = after.every((n) => ids.has(`${n}`));
        if (!isSafe) expect(ids.isReadTooLongAgo(readAt), `read at ${readAt} of ${count}`).toBe(true);
      }
      expect(ids.isReadTooLongAgo(count)).toBe(false);
    }
  });

  it('is the same after a restart', () => {
    for (let count = 0; count < 45; count++) {
      const ids = withIds(count);
      const restored = new DecidedIds('test', 10);
      for (const { name, data } of [...ids.pieces()]) restored.load({ name, data: data.slice() });
      restored.finish(structuredClone(ids.rest()));
      for (const each of [ids, restored]) for (let n = count; n < count + 12; n++) each.add(`${n}`, n);
      expect([...restored.all()].sort()).toEqual([...ids.all()].sort());
      for (let readAt = 0; readAt < count + 12; readAt++)
        expect(restored.isReadTooLongAgo(readAt)).toBe(ids.isReadTooLongAgo(readAt));
    }
  });
});
