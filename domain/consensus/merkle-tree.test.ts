import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { inclusionPath, leafHash, merkleRoot, rootByPath } from './merkle-tree.ts';

const data = Array.from({ length: 40 }, (_, number) => sha256(Buffer.from(`leaf ${number}`)));

function sha256(...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

function node(left: string, right: string): string {
  return sha256(Buffer.from('01', 'hex'), Buffer.from(left, 'hex'), Buffer.from(right, 'hex'));
}

function leaf(at: number): string {
  return sha256(Buffer.from('00', 'hex'), Buffer.from(data[at] ?? '', 'hex'));
}

test('the tree of RFC 9162 section 2.1.5, with seven leaves', () => {
  const [g, h, i, j] = [node(leaf(0), leaf(1)), node(leaf(2), leaf(3)), node(leaf(4), leaf(5)), leaf(6)];
  const [k, l] = [node(g, h), node(i, j)];
  const seven = data.slice(0, 7);
  expect(merkleRoot(seven)).toBe(node(k, l));
  expect(inclusionPath(seven, 0)).toEqual([leaf(1), h, l]);
  expect(inclusionPath(seven, 3)).toEqual([leaf(2), g, l]);
  expect(inclusionPath(seven, 4)).toEqual([leaf(5), j, k]);
  expect(inclusionPath(seven, 6)).toEqual([i, k]);
});

test('the root of one leaf is its hash, that of none the hash of nothing', () => {
  expect(merkleRoot(data.slice(0, 1))).toBe(leafHash(data[0] ?? ''));
  expect(merkleRoot([])).toBe(sha256());
});

test('each leaf of each size leads to the root by its path, and by no other place, size, path or leaf', () => {
  for (let size = 1; size <= data.length; size++) {
    const leaves = data.slice(0, size);
    const root = merkleRoot(leaves);
    for (const [index, own] of leaves.entries()) {
      const path = inclusionPath(leaves, index);
      expect(rootByPath(own, index, size, path)).toBe(root);
      expect(rootByPath(sha256(Buffer.from('another')), index, size, path)).not.toBe(root);
      expect(rootByPath(own, index, size, [...path, own])).not.toBe(root);
      expect(rootByPath(own, index, size, path.slice(0, -1))).not.toBe(size === 1 ? null : root);
      for (let other = 0; other < size; other++)
        if (other !== index) expect(rootByPath(own, other, size, path)).not.toBe(root);
    }
  }
});

test('a place outside the tree has no root', () => {
  expect(rootByPath(data[0] ?? '', 1, 1, [])).toBeNull();
  expect(rootByPath(data[0] ?? '', -1, 1, [])).toBeNull();
  expect(rootByPath(data[0] ?? '', 0.5, 1, [])).toBeNull();
  expect(() => inclusionPath(data, 40)).toThrow(RangeError);
});
