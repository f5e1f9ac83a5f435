/** Shorter than this a vector has no direction. */
const LENGTH_MIN = 1e-3;

/** The same direction with length 1; null where there is none. */
export function unitVector(vector: Float32Array): Float32Array | null {
  const length = Math.hypot(...vector);
  return length > LENGTH_MIN ? vector.map((value) => value / length) : null;
}
