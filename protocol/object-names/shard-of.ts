/** Which of so many objects a name belongs to, by FNV-1a. */
export function shardOf(name: string, objects: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % objects;
}
