import type { FivePoints, RgbImage } from '../../engine/engine.ts';
import { runModel } from '../../onnx/run-model.ts';
import { alignFace } from '../alignment/align-face.ts';
import { DESCRIPTOR_TEMPLATE } from '../alignment/face-template.ts';
import type { ImagePyramid } from '../images/image-pyramid.ts';
import { DESCRIPTOR_LENGTH, faceDescriptorNetwork } from '../networks/face-descriptor-network.ts';
import { loadNetwork } from '../networks/load-network.ts';
import { readFaceApiWeights } from '../networks/network-weights.ts';
import { CENTERED_PIXELS } from '../networks/pixel-layouts.ts';
import { centerDescriptor } from './center-descriptor.ts';
import type { FaceEmbedder } from './face-embedder.ts';
import { MEAN_DESCRIPTOR } from './mean-descriptor.ts';
import { meanOverMirror } from './mean-over-mirror.ts';

interface FaceApiEmbedder extends FaceEmbedder {
  /** The network's own descriptor, on average over the aligned face and its mirror image. Null for points on one spot. */
  describe(pyramid: ImagePyramid, landmarks: FivePoints): Promise<Float32Array | null>;
}

/** face-api's descriptor, less the mean face. Strangers of some groups lie close together in it (docs/inference.md#error-rates). */
export async function loadFaceApiEmbedder(): Promise<FaceApiEmbedder> {
  const weights = await readFaceApiWeights('face_recognition_model');
  const { session } = await loadNetwork(weights, faceDescriptorNetwork);
  const describeCrop = async (crop: RgbImage) => (await runModel(session, crop, CENTERED_PIXELS))('descriptor').values;
  const describe: FaceApiEmbedder['describe'] = async (pyramid, landmarks) => {
    const crop = alignFace(pyramid, landmarks, DESCRIPTOR_TEMPLATE);
    return crop === null ? null : meanOverMirror(crop, describeCrop);
  };
  return {
    name: 'face-api-resnet-34',
    dimensions: DESCRIPTOR_LENGTH,
    sha256: weights.sha256,
    space: [DESCRIPTOR_TEMPLATE, MEAN_DESCRIPTOR],
    describe,
    async embed(pyramid, landmarks) {
      const descriptor = await describe(pyramid, landmarks);
      return descriptor === null ? null : centerDescriptor(descriptor);
    },
  };
}
