import { Tensor } from 'onnxruntime-node';
import type { FaceRestorer, FivePoints, RgbImage } from '../engine/engine.ts';
import { fitSimilarity, invertSimilarity, transformPoint } from '../faces/geometry/similarity-transform.ts';
import { ImagePyramid } from '../faces/images/image-pyramid.ts';
import { sampleCrop } from '../faces/images/sample-crop.ts';
import { openSession, type SessionTerms } from '../onnx/open-session.ts';
import { fromPlanes } from '../onnx/pixel-planes.ts';
import { runModel } from '../onnx/run-model.ts';
import type { FaceRestorationModel } from './models-file.ts';

/** Where FFHQ aligns the five points, in shares of the crop's side. */
const FFHQ_POINTS: FivePoints = [
  [0.37691676, 0.46864664],
  [0.62285697, 0.46912813],
  [0.50123859, 0.61331904],
  [0.39308822, 0.725411],
  [0.61150205, 0.72490465],
];
/** Towards the crop's edge the restored face fades into the photo, over this share of the side. */
const FADE = 0.12;
const SAMPLING = { outside: 'nearest', detail: 'smooth' } as const;

/** Face restoration by the installed model. Throws when the file is no model. */
export async function loadFaceRestorer(
  model: FaceRestorationModel,
  file: Uint8Array,
  terms: SessionTerms,
): Promise<FaceRestorer> {
  const session = await openSession(file, terms);
  const { fidelityInput, input, output } = model;
  const side = input.width;
  const template = FFHQ_POINTS.map(([x, y]) => [x * side, y * side] as const);
  return {
    model: model.name,
    async restore(image, faces, fidelity) {
      const result = { ...image, data: Uint8Array.from(image.data) };
      if (fidelity >= 1) return result;
      const pyramid = new ImagePyramid(image);
      for (const landmarks of faces) {
        const toCrop = fitSimilarity(landmarks, template);
        const toImage = toCrop && invertSimilarity(toCrop);
        if (toCrop === null || toImage === null) continue;
        const crop = sampleCrop(pyramid, toImage, { width: side, height: side, ...SAMPLING });
        const further = fidelityInput === undefined ? {} : { [fidelityInput]: new Tensor('float64', [fidelity], [1]) };
        const answer = await runModel(session, crop, input, further);
        const { values } = answer(session.outputNames[0]!);
        const restored = fromPlanes(values, side, side, { ...output, order: input.order });
        paste(result, restored, toCrop, 1 - fidelity);
      }
      return result;
    },
  };
}

/** Lays a crop back over the part of the image that it came from, fading towards its edge. */
function paste(
  image: RgbImage,
  crop: RgbImage,
  toCrop: NonNullable<ReturnType<typeof fitSimilarity>>,
  strength: number,
): void {
  const { width: side } = crop;
  const toImage = invertSimilarity(toCrop)!;
  const pyramid = new ImagePyramid(crop);
  const corners = [
    [0, 0],
    [side, 0],
    [0, side],
    [side, side],
  ] as const;
  const [xs, ys] = [0, 1].map((axis) => corners.map((corner) => transformPoint(toImage, corner)[axis as 0 | 1])) as [
    number[],
    number[],
  ];
  const left = Math.max(0, Math.floor(Math.min(...xs)));
  const top = Math.max(0, Math.floor(Math.min(...ys)));
  const width = Math.min(image.width, Math.ceil(Math.max(...xs))) - left;
  const height = Math.min(image.height, Math.ceil(Math.max(...ys))) - top;
  if (width <= 0 || height <= 0) return;
  const [tx, ty] = transformPoint(toCrop, [left, top]);
  const patch = sampleCrop(pyramid, { ...toCrop, tx, ty }, { width, height, ...SAMPLING });
  const fade = FADE * side;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = transformPoint(toCrop, [left + x + 0.5, top + y + 0.5]);
      const inside = Math.min(u, v, side - u, side - v);
      if (inside <= 0) continue;
      const share = strength * Math.min(1, inside / fade);
      const to = ((top + y) * image.width + left + x) * 3;
      const from = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const before = image.data[to + channel]!;
        image.data[to + channel] = Math.round(before + (patch.data[from + channel]! - before) * share);
      }
    }
}
