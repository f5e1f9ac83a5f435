import type { FivePoints, RgbImage } from '../../engine/engine.ts';
import { runModel } from '../../onnx/run-model.ts';
import { alignFace } from '../alignment/align-face.ts';
import { DESCRIPTOR_TEMPLATE } from '../alignment/face-template.ts';
import type { ImagePyramid } from '../images/image-pyramid.ts';
import { mirrorImage } from '../images/mirror-image.ts';
import { faceDescriptorNetwork } from '../networks/face-descriptor-network.ts';
import { loadNetwork } from '../networks/load-network.ts';
import { CENTERED_PIXELS } from '../networks/pixel-layouts.ts';

export interface FaceEmbedder {
  /** The network's own descriptor: the mean over the aligned face and its mirror image. Null for points on one spot. */
  describe(pyramid: ImagePyramid, landmarks: FivePoints): Promise<Float32Array | null>;
}

export async function loadFaceEmbedder(): Promise<FaceEmbedder & { readonly sha256: string }> {
  const { session, weights } = await loadNetwork('face_recognition_model', faceDescriptorNetwork);
  const describe = async (crop: RgbImage) => (await runModel(session, crop, CENTERED_PIXELS))('descriptor').values;
  return {
    sha256: weights.sha256,

    async describe(pyramid, landmarks) {
      const crop = alignFace(pyramid, landmarks, DESCRIPTOR_TEMPLATE);
      if (crop === null) return null;
      const straight = await describe(crop);
      const mirrored = await describe(mirrorImage(crop));
      return straight.map((value, i) => (value + mirrored[i]!) / 2);
    },
  };
}
