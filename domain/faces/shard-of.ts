/**
 * The shard that a new face goes to, of those that still take vectors, by rendezvous hashing: a face goes to the same shard as long as
 * that takes any and no better one is added, and shards fill evenly. The face's row names its shard
 * (docs/design/faces-and-galleries.md#shards).
 *
 * @param open numbers of the shards that are not full, at least one.
 */
export function shardOf(faceId: string, open: readonly number[]): number {
  if (open.length === 0) throw new RangeError('no shard takes vectors');
  let chosen = open[0]!;
  let highest = -1;
  for (const shard of open) {
    const weight = hash(`${shard}/${faceId}`);
    if (weight > highest || (weight === highest && shard < chosen)) {
      highest = weight;
      chosen = shard;
    }
  }
  return chosen;
}

/** 32 bits: FNV-1a, finished as in MurmurHash3, because FNV alone hardly moves the high bits for the last characters. */
function hash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
