import type { DetectedFace } from './detected-face.ts';

/** What the detector network gives for one square of the image. */
export interface DetectorOutput {
  /** Four numbers an anchor: shift of the centre down and right in tenths of the anchor, log of height and width in fifths. */
  readonly boxes: Float32Array;
  /** Three logits an anchor: background, face, unused. */
  readonly classes: Float32Array;
}

/** A square of the image, in its pixels. */
export interface Window {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/**
 * The anchors that show a face with at least `confidenceMin`, in pixels of the image. `anchors` holds four fractions of the
 * window's side each: top, left, bottom, right.
 */
export function decodeDetections(
  { boxes, classes }: DetectorOutput,
  anchors: Float32Array,
  { x, y, side }: Window,
  confidenceMin: number,
): DetectedFace[] {
  const faces: DetectedFace[] = [];
  const logitMin = Math.log(confidenceMin / (1 - confidenceMin));
  for (let anchor = 0; anchor * 4 < anchors.length; anchor += 1) {
    const logit = classes[anchor * 3 + 1]!;
    if (logit < logitMin) continue;
    const [top, left, bottom, right] = anchors.subarray(anchor * 4, anchor * 4 + 4) as Iterable<number> as Quad;
    const [down, across, tall, wide] = boxes.subarray(anchor * 4, anchor * 4 + 4) as Iterable<number> as Quad;
    const height = Math.exp(tall / 5) * (bottom - top);
    const width = Math.exp(wide / 5) * (right - left);
    const centerY = (top + bottom) / 2 + (down / 10) * (bottom - top);
    const centerX = (left + right) / 2 + (across / 10) * (right - left);
    faces.push({
      confidence: 1 / (1 + Math.exp(-logit)),
      box: [
        x + (centerX - width / 2) * side,
        y + (centerY - height / 2) * side,
        x + (centerX + width / 2) * side,
        y + (centerY + height / 2) * side,
      ],
    });
  }
  return faces;
}

type Quad = [number, number, number, number];
