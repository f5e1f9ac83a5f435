import type { Box, FaceQuality } from '../../../domain/faces/face-quality.ts';
import type { EmbeddingChoice, EmbeddingModel, WeaponDetection } from '../../../protocol/inference/wire.ts';

/** An upright image: RGB, row by row, three bytes a pixel. */
export interface RgbImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Right eye, left eye (as the camera sees them, left to right), tip of the nose, corners of the mouth left to right; pixels. */
export type FivePoints = readonly [Point, Point, Point, Point, Point];
export type Point = readonly [number, number];

export interface MeasuredFace {
  readonly bbox: Box;
  readonly confidence: number;
  readonly landmarks: FivePoints;
  readonly quality: FaceQuality;
  /** Unit length; null where it was not asked for. */
  readonly embedding: Float32Array | null;
}

/** Finds, measures and embeds faces. One call at a time; what runs in parallel is another engine in another worker thread. */
export interface FaceEngine {
  readonly model: EmbeddingModel;
  /** Every face, largest first. */
  analyze(image: RgbImage, embed: EmbeddingChoice): Promise<readonly MeasuredFace[]>;
}

export interface WeaponEngine {
  readonly model: string;
  detect(image: RgbImage): Promise<readonly WeaponDetection[]>;
}

/** Makes a blurred or small face clear again. */
export interface FaceRestorer {
  readonly model: string;
  /** `fidelity` 1 stays nearest to the input, 0 trusts the model most. */
  restore(image: RgbImage, faces: readonly FivePoints[], fidelity: number): Promise<RgbImage>;
}

export interface Upscaler {
  readonly model: string;
  /** `progress` hears 0..1 between tiles. */
  upscale(image: RgbImage, scale: 2 | 4, progress: (done: number) => void): Promise<RgbImage>;
}
