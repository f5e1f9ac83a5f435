/** A number in 0 … 2^32 − 1 that follows from the seed and the coordinates alone. */
export function noise(seed: number, ...coordinates: readonly number[]): number {
  let hash = seed | 0;
  for (const coordinate of coordinates) {
    // Both halves count: times in milliseconds go beyond 32 bits.
    hash = mix(hash ^ (coordinate | 0));
    hash = mix(hash ^ Math.floor(coordinate / 2 ** 32));
  }
  return hash >>> 0;
}

/** A seed that follows from a text. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = mix(hash ^ text.charCodeAt(at));
  return hash;
}

function mix(value: number): number {
  let hash = (value + 0x9e3779b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
  return hash ^ (hash >>> 15);
}
