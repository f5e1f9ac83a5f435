/**
 * 32 bits that stand for an id in memory, never 0: different ids may share them, so who finds a tag looks at the id itself. FNV-1a,
 * finished as in MurmurHash3.
 */
export function idTag(id: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id[at]!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0 || 1;
}
