import { MEAN_DESCRIPTOR } from './mean-descriptor.ts';

/** Nearer to the mean than this a descriptor has no direction. */
const LENGTH_MIN = 1e-3;

/**
 * A descriptor as an embedding: less the mean face, then of unit length. Descriptors of all faces lie close together (cosines of
 * strangers about 0.8); seen from their mean, strangers lie at right angles. Null for the mean
 * face itself.
 */
export function centerDescriptor(descriptor: Float32Array): Float32Array | null {
  const centered = descriptor.map((value, i) => value - MEAN_DESCRIPTOR[i]!);
  const length = Math.hypot(...centered);
  return length > LENGTH_MIN ? centered.map((value) => value / length) : null;
}
