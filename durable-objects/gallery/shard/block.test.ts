import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_VECTORS, encodeBlock, OpenedBlock } from './block.ts';
import { packBlocks } from './pack-blocks.ts';

const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const float = fc.float({ noNaN: true });
const entry = fc.record({
  faceId: name,
  subject: fc.option(name),
  embedding: fc.array(float, { minLength: 5, maxLength: 5 }).map((components) => Float32Array.from(components)),
});

describe('a block', () => {
  it('gives back what was put into it', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: BLOCK_VECTORS }), (entries) => {
        const block = new OpenedBlock(encodeBlock(entries, 5));
        expect(block.size).toBe(entries.length);
        expect(block.entries()).toEqual(entries);
      }),
    );
  });
});

describe('packing', () => {
  it('keeps every entry in its order, in full blocks but the last, and uses the given ids first', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { maxLength: 5 }), fc.nat(300), (ids, count) => {
        const entries = Array.from({ length: count }, (_, at) => ({
          faceId: `face-${at}`,
          subject: null,
          embedding: new Float32Array(1),
        }));
        const { blocks, emptied } = packBlocks(ids, entries);
        expect(blocks.flatMap((block) => block.entries)).toEqual(entries);
        for (const block of blocks.slice(0, -1)) expect(block.entries).toHaveLength(BLOCK_VECTORS);
        for (const block of blocks) expect(block.entries.length).toBeGreaterThan(0);
        const used = blocks.map(({ id }) => id).filter((id) => id !== null);
        expect([...used, ...emptied]).toEqual(ids);
      }),
    );
  });
});
