import type { DetectedFace } from '../../../protocol/events/detected-face.ts';
import type { ScopeKey } from '../keys/scope-key.ts';

/** What is sealed of a frame: the answer, with people by id alone, whose names are theirs to have erased. */
export interface FrameResult {
  readonly faces: readonly FrameResultFace[];
}

export interface FrameResultFace {
  readonly face: DetectedFace;
  readonly match: FrameResultMatch | null;
  /** Whom it may be, where that is left to people; their decision stands in the review. */
  readonly review?: FrameResultMatch;
}

export interface FrameResultMatch {
  readonly attendee_id: string;
  readonly face_id: string;
  /** Cosine, −1..1. */
  readonly similarity: number;
}

export async function sealFrameResult(key: ScopeKey, frameId: string, result: FrameResult): Promise<Buffer> {
  return Buffer.from(await key.seal(new TextEncoder().encode(JSON.stringify(result)), contextOf(frameId)));
}

/** @throws when it is not this key's: that would be a frame of another event */
export async function openFrameResult(key: ScopeKey, frameId: string, sealed: Uint8Array): Promise<FrameResult> {
  const plain = await key.open(sealed, contextOf(frameId));
  if (plain === null) throw new Error('the result of a frame does not open under the key of its event');
  return JSON.parse(new TextDecoder().decode(plain)) as FrameResult;
}

function contextOf(frameId: string): readonly string[] {
  return ['frame_result', frameId];
}
