import { BLOCK_VECTORS, type BlockEntry } from './block.ts';

/** What is to be written: blocks that are there already by their id, those to be made with null, and the ids left over. */
export interface Packed {
  readonly blocks: readonly { readonly id: number | null; readonly entries: readonly BlockEntry[] }[];
  readonly emptied: readonly number[];
}

/** Spreads entries over blocks, all full but the last, the given ones first. */
export function packBlocks(ids: readonly number[], entries: readonly BlockEntry[]): Packed {
  const blocks = Array.from({ length: Math.ceil(entries.length / BLOCK_VECTORS) }, (_, at) => ({
    id: ids[at] ?? null,
    entries: entries.slice(at * BLOCK_VECTORS, (at + 1) * BLOCK_VECTORS),
  }));
  return { blocks, emptied: ids.slice(blocks.length) };
}
