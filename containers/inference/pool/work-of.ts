import { detectionWindows } from '../faces/detection/detection-windows.ts';
import type { Task } from './messages.ts';

export interface ImageSize {
  readonly width: number;
  readonly height: number;
  /** How often the decoder goes over it (`countParts`). */
  readonly passes: number;
}

/** As long to decode as one look of the detector takes. */
const DECODED_PIXELS_PER_LOOK = 4_000_000;
/** As long to make, upscaling. */
const ENHANCED_PIXELS_PER_LOOK = 40_000;

/**
 * How long a task takes on an image of this size, about: in looks of the face detector, of which each photo gets one and a large one many.
 *
 * @param size null for what has no readable header, which is refused before it costs anything
 */
export function workOf(task: Task, size: ImageSize | null): number {
  if (size === null) return 1;
  const pixels = size.width * size.height;
  const decoding = (pixels * size.passes) / DECODED_PIXELS_PER_LOOK;
  if (task.kind === 'enhance') return 1 + decoding + (pixels * task.upscale ** 2) / ENHANCED_PIXELS_PER_LOOK;
  return decoding + detectionWindows(size.width, size.height).length;
}
