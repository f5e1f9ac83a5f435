import type { InferenceSession } from 'onnxruntime-node';
import { openSession } from '../../onnx/open-session.ts';
import type { NetworkWeights } from './network-weights.ts';

export interface LoadedNetwork {
  readonly session: InferenceSession;
  readonly weights: NetworkWeights;
}

/** Makes a network of these weights runnable, on one thread: threads are the pool's to give. */
export async function loadNetwork(
  weights: NetworkWeights,
  build: (weights: NetworkWeights) => Uint8Array,
): Promise<LoadedNetwork> {
  return { weights, session: await openSession(build(weights), { device: 'cpu', threads: 1 }) };
}
