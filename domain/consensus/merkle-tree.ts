import { fromHex, type Hash, sha256, toHex } from './bytes.ts';

/** RFC 9162 section 2.1.1: other first bytes for leaves and nodes, so that no node is taken for a leaf. */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The hash of a leaf whose data are these 32 bytes. */
export function leafHash(data: Hash): Hash {
  return toHex(sha256(LEAF, fromHex(data)));
}

function nodeHash(left: Hash, right: Hash): Hash {
  return toHex(sha256(NODE, fromHex(left), fromHex(right)));
}

/** The root of the tree over these data, each a hash (RFC 9162 section 2.1.1). The root of none is the hash of no bytes. */
export function merkleRoot(data: readonly Hash[]): Hash {
  if (data.length === 0) return toHex(sha256());
  return rootOf(data.map(leafHash));
}

function rootOf(leaves: readonly Hash[]): Hash {
  const [only] = leaves;
  if (only !== undefined && leaves.length === 1) return only;
  const split = splitOf(leaves.length);
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

/** The largest power of two below `size`, which is at least 2. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** The nodes beside the way from a leaf to the root, from below (RFC 9162 section 2.1.3.1). */
export function inclusionPath(data: readonly Hash[], index: number): Hash[] {
  if (!Number.isInteger(index) || index < 0 || index >= data.length) throw new RangeError(`no leaf ${index}`);
  return pathOf(data.map(leafHash), index);
}

function pathOf(leaves: readonly Hash[], index: number): Hash[] {
  if (leaves.length === 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  if (index < split) return [...pathOf(left, index), rootOf(right)];
  return [...pathOf(right, index - split), rootOf(left)];
}

/**
 * The root that a tree of `size` leaves has, if the leaf at `index` has these data and this path (RFC 9162 section 2.1.3.2); null where
 * the path is too short or too long for that place.
 */
export function rootByPath(data: Hash, index: number, size: number, path: readonly Hash[]): Hash | null {
  if (!Number.isInteger(index) || !Number.isInteger(size) || index < 0 || index >= size) return null;
  let [place, last] = [index, size - 1];
  let root = leafHash(data);
  for (const beside of path) {
    if (last === 0) return null;
    if (place % 2 === 1 || place === last) {
      root = nodeHash(beside, root);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else root = nodeHash(root, beside);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? root : null;
}

function half(value: number): number {
  return Math.floor(value / 2);
}
