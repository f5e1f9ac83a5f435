import { expect, test } from 'vitest';
import { blockHash } from '../block.ts';
import { blockOf, settlement } from '../chain.fixtures.ts';
import {
  CHECKPOINT_BLOCKS_MAX,
  type Checkpoint,
  checkpointBlocksFault,
  checkpointFault,
  checkpointHash,
  checkpointOf,
  checkpointPath,
  isInCheckpoint,
} from './checkpoint.ts';
import { checkpointSigningFault } from './checkpoint-vote.ts';

const [COMMITTEE, KEYS, OTHER] = ['c', 'b', 'e'].map((digit) => digit.repeat(64)) as [string, string, string];

const headers = [(await blockOf(COMMITTEE, null, [settlement(1)])).header];
for (let number = 2; number <= 8; number++)
  headers.push((await blockOf(COMMITTEE, headers.at(-1) ?? null, [settlement(number)])).header);
const [early, late] = [headers.slice(0, 3), headers.slice(3)];
const first = checkpointOf(KEYS, null, early);
const second = checkpointOf(KEYS, first, late);

test('checkpoints follow each other, and have the blocks that they speak of', () => {
  expect(checkpointFault(first, null)).toBeNull();
  expect(checkpointFault(second, first)).toBeNull();
  expect(checkpointBlocksFault(first, null, early)).toBeNull();
  expect(checkpointBlocksFault(second, first, late)).toBeNull();
  expect(second).toMatchObject({ number: 2, firstHeight: 4, lastHeight: 8, parent: checkpointHash(first) });
});

test.each(Object.keys(first) as (keyof Checkpoint)[])('another %s is another checkpoint', (field) => {
  const value = first[field];
  const other = { ...first, [field]: typeof value === 'number' ? value + 1 : OTHER };
  expect(checkpointHash(other)).not.toBe(checkpointHash(first));
});

test.each([
  ['its number', { number: 3 }],
  ['its parent', { parent: OTHER }],
  ['its first block', { firstHeight: 5 }],
  ['its first block', { firstHeight: 3 }],
  ['no block', { lastHeight: 3 }],
  ['more than 1000 blocks', { lastHeight: 4 + CHECKPOINT_BLOCKS_MAX }],
  ['a number', { lastHeight: 8.5 }],
  ['a hash', { blocksRoot: 'E'.repeat(64) }],
] as const)('a checkpoint does not follow for %s', (reason, change) => {
  expect(checkpointFault({ ...second, ...change }, first)).toContain(reason);
});

test('the first checkpoint follows nothing', () => {
  expect(checkpointFault({ ...first, parent: OTHER }, null)).toContain('parent');
  expect(checkpointFault({ ...first, firstHeight: 2 }, null)).toContain('first block');
  expect(() => checkpointOf(KEYS, null, [])).toThrow(RangeError);
});

test('its blocks are those of its committee that follow its parent, whole and in order', () => {
  const fault = (checkpoint: Checkpoint, blocks: typeof late) => checkpointBlocksFault(checkpoint, first, blocks);
  const [block] = late;
  if (block === undefined) throw new Error('no block');
  expect(fault(second, late.slice(1))).toContain('another number');
  expect(fault(second, late.with(0, { ...block, committee: OTHER }))).toContain('of another committee');
  expect(fault(second, late.with(0, { ...block, slot: block.slot + 1 }))).toContain('block 5 does not follow');
  expect(fault(second, [block, ...late.slice(0, -1)])).toContain('block 4 does not follow');
  expect(fault({ ...second, lastBlock: OTHER }, late)).toContain('last block');
  expect(fault({ ...second, blocksRoot: OTHER }, late)).toContain('another root');
  expect(checkpointBlocksFault(second, { ...first, lastBlock: OTHER }, late)).toContain('block 4 does not follow');
});

test('each block of a checkpoint leads to its root by its way, and no other block does', () => {
  for (const block of late) {
    const path = checkpointPath(late, block.height);
    expect(isInCheckpoint(second, block, path)).toBe(true);
    expect(isInCheckpoint(second, { ...block, slot: block.slot + 1 }, path)).toBe(false);
    expect(isInCheckpoint(second, block, path.slice(1))).toBe(false);
    for (const other of headers) if (other !== block) expect(isInCheckpoint(second, other, path)).toBe(false);
  }
});

test('a member signs one checkpoint of each number, which follows what it has signed', () => {
  const fault = (checkpoint: Checkpoint, blocks: typeof late, signed: { number: number; hash: string } | null) =>
    checkpointSigningFault(checkpoint, first, blocks, signed);
  const [one, two] = [first, second].map((each) => ({ number: each.number, hash: checkpointHash(each) }));
  const shorter = checkpointOf(KEYS, first, late.slice(0, 2));
  expect(fault(second, late, null)).toBeNull();
  expect(fault(second, late, one ?? null)).toBeNull();
  expect(fault(second, late, two ?? null)).toBeNull();
  expect(fault(shorter, late.slice(0, 2), two ?? null)).toContain('another one of number 2');
  expect(fault(second, late, { number: 1, hash: OTHER })).toContain('another one of number 1');
  expect(fault(second, late, { number: 3, hash: OTHER })).toContain('a later one');
  expect(fault(second, late.slice(1), one ?? null)).toContain('another number of blocks');
  expect(fault({ ...second, number: 4 }, late, one ?? null)).toContain('number');
  expect(blockHash(late.at(-1) ?? early[0]!)).toBe(second.lastBlock);
});
