import type { FivePoints } from '../../engine/engine.ts';
import type { ImagePyramid } from '../images/image-pyramid.ts';

/** Turns a face into a vector. */
export interface FaceEmbedder {
  readonly name: EmbedderName;
  readonly dimensions: number;
  /** Of the network's weights, hexadecimal. */
  readonly sha256: string;
  /** What else decides where a face's vector lies, as plain data: a part of the model's version. */
  readonly space: readonly unknown[];
  /** Of unit length; null for a face that has no direction: points on one spot, or the mean face itself. */
  embed(pyramid: ImagePyramid, landmarks: FivePoints): Promise<Float32Array | null>;
}

/** The embeddings that npm packages carry. */
export const EMBEDDERS = ['mobilefacenet', 'face-api-resnet-34'] as const;

export type EmbedderName = (typeof EMBEDDERS)[number];
