import type { HeadPose } from './fit-head-pose.ts';

/** The fit reads this many degrees for a full profile: there the landmark network places half of the points by guess. */
const PROFILE_READS = 60;
/** Degrees from a face to a profile. */
export const PROFILE = 90;
/** So steep that what the fit reads below 30 degrees stays within a degree of what it is. */
const EXPONENT = 5;

/**
 * The pose behind a fitted one. The fit is true for faces up to three quarters and falls short beyond; a steep curve through
 * the full profile makes up for that.
 */
export function truePose({ yaw, pitch }: HeadPose): HeadPose {
  const stretched = Math.abs(yaw) + (PROFILE - PROFILE_READS) * (Math.abs(yaw) / PROFILE_READS) ** EXPONENT;
  return { yaw: Math.sign(yaw) * Math.min(stretched, PROFILE), pitch: Math.max(-PROFILE, Math.min(pitch, PROFILE)) };
}
