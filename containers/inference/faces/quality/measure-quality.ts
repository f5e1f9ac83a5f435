import type { Box, FaceQuality } from '../../../../domain/faces/face-quality.ts';
import type { FivePoints, Point } from '../../engine/engine.ts';
import { alignFace } from '../alignment/align-face.ts';
import { QUALITY_TEMPLATE } from '../alignment/face-template.ts';
import type { ImagePyramid } from '../images/image-pyramid.ts';
import { fitHeadPose } from '../pose/fit-head-pose.ts';
import { PROFILE, truePose } from '../pose/true-pose.ts';
import { measureBlur } from './measure-blur.ts';

/**
 * What the quality rules weigh, rounded to what the measures are worth.
 *
 * @param box on whole pixels.
 * @param turnedAway the landmarks fall together; then it is a profile, whatever the fit makes of them.
 */
export function measureQuality(
  pyramid: ImagePyramid,
  box: Box,
  landmarks: readonly Point[],
  points: FivePoints,
  turnedAway: boolean,
): FaceQuality {
  const crop = alignFace(pyramid, points, QUALITY_TEMPLATE);
  const { yaw, pitch } = truePose(fitHeadPose(landmarks));
  const profile = yaw < 0 ? -PROFILE : PROFILE;
  return {
    blur: crop === null ? 1 : rounded(measureBlur(crop), 1000),
    yaw: turnedAway ? profile : rounded(yaw, 10),
    pitch: rounded(pitch, 10),
    face_size: Math.min(box[2] - box[0], box[3] - box[1]),
  };
}

function rounded(value: number, steps: number): number {
  // Adding 0 makes a plain zero of a negative one.
  return Math.round(value * steps) / steps + 0;
}
