import { type BlockHeader, blockHash, GENESIS } from '../block.ts';
import { ByteWriter, type Hash, isHash, sha256, toHex } from '../bytes.ts';
import { inclusionPath, merkleRoot, rootByPath } from '../merkle-tree.ts';

/** Blocks of one checkpoint: those of a second at one a millisecond, so that who has fallen behind catches up. */
export const CHECKPOINT_BLOCKS_MAX = 1_000;

/** Consecutive blocks of one committee that are signed as one; its hash is over exactly this. */
export interface Checkpoint {
  /** Of the committee that made the blocks final. */
  readonly committee: Hash;
  /** Of the committee's keys for checkpoints. */
  readonly keys: Hash;
  /** Gapless from 1. */
  readonly number: number;
  /** Hash of the checkpoint before, zeros for the first. */
  readonly parent: Hash;
  /** Heights of its blocks, gapless from checkpoint to checkpoint. */
  readonly firstHeight: number;
  readonly lastHeight: number;
  /** Hash of the block at `lastHeight`. */
  readonly lastBlock: Hash;
  /** Over the hashes of its blocks, by height. */
  readonly blocksRoot: Hash;
}

export function checkpointHash(checkpoint: Checkpoint): Hash {
  const bytes = new ByteWriter()
    .tag('edge.checkpoint.v1')
    .hash(checkpoint.committee)
    .hash(checkpoint.keys)
    .u64(checkpoint.number)
    .hash(checkpoint.parent)
    .u64(checkpoint.firstHeight)
    .u64(checkpoint.lastHeight)
    .hash(checkpoint.lastBlock)
    .hash(checkpoint.blocksRoot)
    .end();
  return toHex(sha256(bytes));
}

/**
 * The checkpoint of these blocks.
 *
 * @param keys hash of the committee's keys for checkpoints
 * @param parent the checkpoint before; null for the first
 * @param blocks those that follow the parent's last, 1 to 1,000, in their order
 */
export function checkpointOf(keys: Hash, parent: Checkpoint | null, blocks: readonly BlockHeader[]): Checkpoint {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('a checkpoint has a block');
  return {
    committee: first.committee,
    keys,
    number: (parent?.number ?? 0) + 1,
    parent: parent === null ? GENESIS : checkpointHash(parent),
    firstHeight: first.height,
    lastHeight: last.height,
    lastBlock: blockHash(last),
    blocksRoot: merkleRoot(blocks.map(blockHash)),
  };
}

/** Null where the checkpoint is one that can follow its parent (null: where it is the first); else what is wrong. */
export function checkpointFault(checkpoint: Checkpoint, parent: Checkpoint | null): string | null {
  const fault = checkpointFormFault(checkpoint);
  if (fault !== null) return fault;
  if (checkpoint.number !== (parent?.number ?? 0) + 1) return 'its number does not follow';
  if (checkpoint.parent !== (parent === null ? GENESIS : checkpointHash(parent)))
    return 'its parent is another checkpoint';
  if (checkpoint.firstHeight !== (parent?.lastHeight ?? 0) + 1) return 'its first block does not follow';
  return null;
}

/** Null where the checkpoint is one by itself, whatever it follows; else what is wrong. */
export function checkpointFormFault(checkpoint: Checkpoint): string | null {
  const { committee, keys, number, parent, firstHeight, lastHeight, lastBlock, blocksRoot } = checkpoint;
  if (![number, firstHeight, lastHeight].every((value) => Number.isSafeInteger(value) && value >= 1))
    return 'a number of it is none';
  if (![committee, keys, parent, lastBlock, blocksRoot].every(isHash)) return 'a hash of it is none';
  if (lastHeight < firstHeight) return 'it has no block';
  if (lastHeight - firstHeight >= CHECKPOINT_BLOCKS_MAX) return `it has more than ${CHECKPOINT_BLOCKS_MAX} blocks`;
  return null;
}

/** Null where these are the blocks that the checkpoint speaks of, and follow those of its parent (null: where it is the first); else what is wrong. */
export function checkpointBlocksFault(
  checkpoint: Checkpoint,
  parent: Checkpoint | null,
  blocks: readonly BlockHeader[],
): string | null {
  if (blocks.length !== checkpoint.lastHeight - checkpoint.firstHeight + 1) return 'it has another number of blocks';
  let before = parent?.lastBlock ?? GENESIS;
  for (const [at, block] of blocks.entries()) {
    if (block.committee !== checkpoint.committee) return `block ${block.height} is of another committee`;
    if (block.height !== checkpoint.firstHeight + at || block.parent !== before)
      return `block ${block.height} does not follow`;
    before = blockHash(block);
  }
  if (before !== checkpoint.lastBlock) return 'its last block is another one';
  if (merkleRoot(blocks.map(blockHash)) !== checkpoint.blocksRoot) return 'its blocks have another root';
  return null;
}

/** The way from one of a checkpoint's blocks to its root. */
export function checkpointPath(blocks: readonly BlockHeader[], height: number): Hash[] {
  return inclusionPath(blocks.map(blockHash), height - (blocks[0]?.height ?? 0));
}

/** Whether this way leads from the block to the checkpoint's root. */
export function isInCheckpoint(checkpoint: Checkpoint, block: BlockHeader, path: readonly Hash[]): boolean {
  const { firstHeight, lastHeight, blocksRoot } = checkpoint;
  return rootByPath(blockHash(block), block.height - firstHeight, lastHeight - firstHeight + 1, path) === blocksRoot;
}
