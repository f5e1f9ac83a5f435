/** A point of the head in centimetres: x to the image's right, y down, z away from the camera, for a head that faces it. */
export type HeadPoint = readonly [number, number, number];

export interface HeadLandmark {
  /** Its number in the 68-point scheme. */
  readonly index: number;
  readonly point: HeadPoint;
  /** How much a miss counts: little where the face moves by itself, since a smile or an open mouth is no raised head. */
  readonly weight: number;
}

/**
 * Where landmarks lie on an average adult head: chin, nose from bridge to base, corners of the eyes and of the mouth. Left out is
 * the jaw's outline, whose landmarks wander with the view. The mean shape of dlib's training set fits it with a pitch of 1°.
 */
export const HEAD_MODEL: readonly HeadLandmark[] = [
  { index: 8, point: [0, 9.4, -4.26], weight: 0.3 },
  { index: 27, point: [0, -2.9, -5.4], weight: 1 },
  { index: 30, point: [0, 1.13, -7.48], weight: 1 },
  { index: 33, point: [0, 2.09, -6.06], weight: 1 },
  { index: 36, point: [-4.45, -2.66, -3.17], weight: 1 },
  { index: 39, point: [-1.86, -2.59, -3.76], weight: 1 },
  { index: 42, point: [1.86, -2.59, -3.76], weight: 1 },
  { index: 45, point: [4.45, -2.66, -3.17], weight: 1 },
  { index: 48, point: [-2.46, 4.34, -4.28], weight: 0.1 },
  { index: 54, point: [2.46, 4.34, -4.28], weight: 0.1 },
];
