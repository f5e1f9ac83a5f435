import type { InferenceSession } from 'onnxruntime-node';
import { type Box, type FaceQuality, qualityRejection } from '../../../domain/faces/face-quality.ts';
import type { EmbeddingChoice } from '../../../protocol/inference/wire.ts';
import type { FaceEngine, FivePoints, MeasuredFace } from '../engine/engine.ts';
import { alignFace } from '../faces/alignment/align-face.ts';
import { QUALITY_TEMPLATE } from '../faces/alignment/face-template.ts';
import { ImagePyramid } from '../faces/images/image-pyramid.ts';
import { measureBlur } from '../faces/quality/measure-blur.ts';
import { openSession, type SessionTerms } from '../onnx/open-session.ts';
import { runModel } from '../onnx/run-model.ts';
import type { DetectedPoints } from './detected-points.ts';
import { detectFaces } from './face-detector.ts';
import { fivePointPose } from './five-point-pose.ts';
import type { FaceDetectorModel, FaceEmbeddingModel } from './models-file.ts';

export interface FaceModels {
  readonly detector: FaceDetectorModel;
  readonly detectorFile: Uint8Array;
  readonly embedding: FaceEmbeddingModel;
  readonly embeddingFile: Uint8Array;
}

const VERSION_LENGTH = 16;

/** Faces by an installed detector with five landmarks and an installed embedding. Throws when either is no model or does not fit. */
export async function loadFaceEngine(
  { detector, detectorFile, embedding, embeddingFile }: FaceModels,
  terms: SessionTerms,
): Promise<FaceEngine> {
  const [finder, embedder] = await Promise.all([openSession(detectorFile, terms), openSession(embeddingFile, terms)]);
  return {
    // The space of the vectors is the file's: another file, another version.
    model: {
      name: embedding.name,
      version: embedding.sha256.slice(0, VERSION_LENGTH),
      dimensions: embedding.dimensions,
    },
    async analyze(image, embed) {
      const pyramid = new ImagePyramid(image);
      const found = await detectFaces(finder, detector, pyramid);
      const measured = found.map((face) => measure(pyramid, face)).toSorted((a, b) => area(b.bbox) - area(a.bbox));
      const faces: MeasuredFace[] = [];
      for (const [place, face] of measured.entries()) {
        const vector = wants(embed, face.quality, place)
          ? await embedFace(embedder, embedding, pyramid, face.landmarks)
          : null;
        faces.push({ ...face, embedding: vector });
      }
      return faces;
    },
  };
}

function wants(embed: EmbeddingChoice, quality: FaceQuality, place: number): boolean {
  return embed === 'largest' ? place === 0 : embed === 'qualified' && qualityRejection(quality) === null;
}

function measure(
  pyramid: ImagePyramid,
  { box, confidence, landmarks }: DetectedPoints,
): Omit<MeasuredFace, 'embedding'> {
  const { width, height } = pyramid.image;
  const [x1, y1, x2, y2] = box;
  const bbox: Box = [
    Math.max(0, Math.round(x1)),
    Math.max(0, Math.round(y1)),
    Math.min(width, Math.round(x2)),
    Math.min(height, Math.round(y2)),
  ];
  const { yaw, pitch } = fivePointPose(landmarks);
  const crop = alignFace(pyramid, landmarks, QUALITY_TEMPLATE);
  const quality: FaceQuality = {
    blur: crop === null ? 1 : round(measureBlur(crop), 3),
    yaw: round(yaw, 1),
    pitch: round(pitch, 1),
    face_size: Math.min(bbox[2] - bbox[0], bbox[3] - bbox[1]),
  };
  return { bbox, confidence: round(confidence, 4), landmarks, quality };
}

async function embedFace(
  session: InferenceSession,
  { dimensions, input }: FaceEmbeddingModel,
  pyramid: ImagePyramid,
  landmarks: FivePoints,
): Promise<Float32Array | null> {
  const scale = input.width / QUALITY_TEMPLATE.side;
  const points = QUALITY_TEMPLATE.points.map(([x, y]) => [x * scale, y * scale] as const) as unknown as FivePoints;
  const crop = alignFace(pyramid, landmarks, { side: input.width, points, detail: 'smooth' });
  if (crop === null) return null;
  const output = await runModel(session, crop, input);
  const { values } = output(session.outputNames[0]!);
  if (values.length !== dimensions) throw new Error(`the embedding has ${values.length} dimensions, not ${dimensions}`);
  const length = Math.hypot(...values);
  return length > 0 ? values.map((value) => value / length) : null;
}

function area([x1, y1, x2, y2]: Box): number {
  return (x2 - x1) * (y2 - y1);
}

function round(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}
