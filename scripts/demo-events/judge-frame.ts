import { type FaceQuality, qualityRejection } from '../../domain/faces/face-quality.ts';

/** A face as the answer to a frame has it. */
export interface SeenFace {
  readonly quality: FaceQuality;
  readonly rejection_reason?: string;
  readonly match: { readonly attendee_id: string; readonly name: string; readonly similarity: number } | null;
  readonly in_review: boolean;
}

/** What became of a frame that shows one person. */
export const VERDICTS = ['right', 'wrong', 'missed', 'left to people', 'of poor quality', 'without a face'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** @param attendeeId of the person whom a label says it shows; null for somebody who is not registered */
export function judgeFrame(faces: readonly SeenFace[], attendeeId: string | null): Verdict {
  if (faces.length === 0) return 'without a face';
  const seen = faces.filter(
    ({ quality, rejection_reason }) => qualityRejection(quality) === null && !isMisaligned(rejection_reason),
  );
  if (seen.length === 0) return 'of poor quality';
  const matched = seen.flatMap(({ match }) => match?.attendee_id ?? []);
  if (matched.some((id) => id !== attendeeId)) return 'wrong';
  if (matched.length > 0) return 'right';
  if (seen.some(({ in_review }) => in_review)) return 'left to people';
  return attendeeId === null ? 'right' : 'missed';
}

/** A face may be cut off by the edge, or not stand upright, and measure well all the same. */
export function isMisaligned(reason: string | undefined): boolean {
  return /^(not_upright|cut_off)\b/.test(reason ?? '');
}
