import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shardOf } from './shard-of.ts';

const faces = Array.from({ length: 20_000 }, (_, at) => `0199c0de-0000-7000-8000-${at.toString(16).padStart(12, '0')}`);

describe('the shard of a face', () => {
  it('is one of the open shards, the same each time and in whatever order they are named', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uniqueArray(fc.nat(20), { minLength: 1 }), (faceId, open) => {
        const shard = shardOf(faceId, open);
        expect(open).toContain(shard);
        expect(shardOf(faceId, open.toReversed())).toBe(shard);
      }),
    );
  });

  it('stays when another shard is full', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uniqueArray(fc.nat(20), { minLength: 2 }), (faceId, open) => {
        const shard = shardOf(faceId, open);
        const full = open.find((other) => other !== shard);
        expect(
          shardOf(
            faceId,
            open.filter((other) => other !== full),
          ),
        ).toBe(shard);
      }),
    );
  });

  it('is each of them about as often', () => {
    const counts = [0, 0, 0, 0];
    for (const faceId of faces) counts[shardOf(faceId, [0, 1, 2, 3])]!++;
    for (const count of counts) expect(Math.abs(count / (faces.length / 4) - 1)).toBeLessThan(0.05);
  });

  it('is nowhere without an open shard', () => {
    expect(() => shardOf('face', [])).toThrow(RangeError);
  });
});
