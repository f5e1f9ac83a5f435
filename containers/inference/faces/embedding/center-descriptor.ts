import { MEAN_DESCRIPTOR } from './mean-descriptor.ts';
import { unitVector } from './unit-vector.ts';

/**
 * A descriptor as an embedding: less the mean face, then of unit length. Descriptors of all faces lie close together (cosines of
 * strangers about 0.8); seen from their mean, strangers lie at right angles. Null for the mean
 * face itself.
 */
export function centerDescriptor(descriptor: Float32Array): Float32Array | null {
  return unitVector(descriptor.map((value, i) => value - MEAN_DESCRIPTOR[i]!));
}
