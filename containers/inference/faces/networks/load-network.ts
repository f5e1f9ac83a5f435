import type { InferenceSession } from 'onnxruntime-node';
import { openSession } from '../../onnx/open-session.ts';
import { type NetworkWeights, readFaceApiWeights } from './face-api-weights.ts';

export interface LoadedNetwork {
  readonly session: InferenceSession;
  readonly weights: NetworkWeights;
}

/** Reads a network's weights from the face-api package and makes it runnable, on one thread: threads are the pool's to give. */
export async function loadNetwork(
  name: string,
  build: (weights: NetworkWeights) => Uint8Array,
): Promise<LoadedNetwork> {
  const weights = await readFaceApiWeights(name);
  return { weights, session: await openSession(build(weights), { device: 'cpu', threads: 1 }) };
}
