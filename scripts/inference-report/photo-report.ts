import type { MeasuredFace } from '../../containers/inference/engine/engine.ts';
import { describeRejection, qualityRejection } from '../../domain/faces/face-quality.ts';

/** What came of one photograph; `error` is why it could not be read. */
export type PhotoReport = ReadablePhoto | { readonly file: string; readonly error: string };

export interface ReadablePhoto {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly faces: readonly MeasuredFace[];
  /** PNG that fits a cell of the contact sheet: the photographs themselves would not all fit in memory. */
  readonly thumbnail: Buffer;
  /** To read, decode and analyze it. */
  readonly ms: number;
}

/** Why a face's embedding is not stored, or null where it is. */
export function rejectionOf({ quality }: MeasuredFace): string | null {
  const rejection = qualityRejection(quality);
  return rejection === null ? null : describeRejection(rejection);
}
