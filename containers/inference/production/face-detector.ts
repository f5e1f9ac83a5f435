import type { InferenceSession } from 'onnxruntime-node';
import type { FivePoints, Point } from '../engine/engine.ts';
import type { Window } from '../faces/detection/decode-detections.ts';
import { detectionWindows } from '../faces/detection/detection-windows.ts';
import { mergeDetections } from '../faces/detection/merge-detections.ts';
import type { ImagePyramid } from '../faces/images/image-pyramid.ts';
import { sampleCrop } from '../faces/images/sample-crop.ts';
import { runModel } from '../onnx/run-model.ts';
import { decodeScrfd } from './decode-scrfd.ts';
import { decodeYunet } from './decode-yunet.ts';
import type { DetectedPoints } from './detected-points.ts';
import type { FaceDetectorModel } from './models-file.ts';

/** Every face of an image with its five points, one a face, in pixels of the image. */
export async function detectFaces(
  session: InferenceSession,
  model: FaceDetectorModel,
  pyramid: ImagePyramid,
): Promise<DetectedPoints[]> {
  const { width, height } = pyramid.image;
  const found: DetectedPoints[] = [];
  for (const window of detectionWindows(width, height)) found.push(...(await look(session, model, pyramid, window)));
  return mergeDetections(found);
}

/** The faces in a square of the image, which fills the network's input as far as its own shape lets it. */
async function look(
  session: InferenceSession,
  model: FaceDetectorModel,
  pyramid: ImagePyramid,
  { x, y, side }: Window,
): Promise<DetectedPoints[]> {
  const { width, height } = model.input;
  const scale = side / Math.min(width, height);
  const crop = sampleCrop(
    pyramid,
    { a: scale, b: 0, tx: x, ty: y },
    { width, height, outside: 'black', detail: 'smooth' },
  );
  const output = await runModel(session, crop, model.input);
  const toImage = ([left, top]: Point): Point => [x + left * scale, y + top * scale];
  return decode(session, model, (name) => output(name).values).map(({ box, confidence, landmarks }) => {
    const [left, top, right, bottom] = box;
    const [x1, y1] = toImage([left, top]);
    const [x2, y2] = toImage([right, bottom]);
    return { confidence, box: [x1, y1, x2, y2], landmarks: landmarks.map(toImage) as Point[] as unknown as FivePoints };
  });
}

function decode(
  { outputNames }: InferenceSession,
  { confidenceMin, input, output }: FaceDetectorModel,
  values: (name: string) => Float32Array,
): DetectedPoints[] {
  const { strides } = output;
  if (output.decoder === 'yunet')
    return strides.flatMap((stride) =>
      decodeYunet(
        {
          stride,
          classes: values(`cls_${stride}`),
          objects: values(`obj_${stride}`),
          boxes: values(`bbox_${stride}`),
          landmarks: values(`kps_${stride}`),
        },
        { ...input, confidenceMin },
      ),
    );
  const names = output.names ?? outputNames;
  const named = (at: number) => values(names[at] ?? `at place ${at}`);
  return strides.flatMap((stride, at) =>
    decodeScrfd(
      {
        stride,
        scores: named(at),
        boxes: named(strides.length + at),
        landmarks: named(2 * strides.length + at),
      },
      { ...input, anchorsPerCell: output.anchorsPerCell, confidenceMin },
    ),
  );
}
