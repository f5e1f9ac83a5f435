import type { RgbImage } from '../../engine/engine.ts';
import { runModel } from '../../onnx/run-model.ts';
import { alignFace } from '../alignment/align-face.ts';
import { EMBEDDING_TEMPLATE } from '../alignment/face-template.ts';
import { loadNetwork } from '../networks/load-network.ts';
import { MOBILE_FACE_NET_DIMENSIONS, mobileFaceNet } from '../networks/mobile-face-net.ts';
import { readHumanModelsWeights } from '../networks/network-weights.ts';
import { ARCFACE_PIXELS } from '../networks/pixel-layouts.ts';
import type { FaceEmbedder } from './face-embedder.ts';
import { meanOverMirror } from './mean-over-mirror.ts';
import { unitVector } from './unit-vector.ts';

/** MobileFaceNet's embedding, on average over the aligned face and its mirror image. */
export async function loadMobileFaceNetEmbedder(): Promise<FaceEmbedder> {
  const weights = await readHumanModelsWeights('mobilefacenet');
  const { session } = await loadNetwork(weights, mobileFaceNet);
  const describe = async (crop: RgbImage) => (await runModel(session, crop, ARCFACE_PIXELS))('embedding').values;
  return {
    name: 'mobilefacenet',
    dimensions: MOBILE_FACE_NET_DIMENSIONS,
    sha256: weights.sha256,
    space: [EMBEDDING_TEMPLATE, ARCFACE_PIXELS],
    async embed(pyramid, landmarks) {
      const crop = alignFace(pyramid, landmarks, EMBEDDING_TEMPLATE);
      return crop === null ? null : unitVector(await meanOverMirror(crop, describe));
    },
  };
}
