import type { Box } from '../../../domain/faces/face-quality.ts';
import type { ScopeKey } from '../keys/scope-key.ts';

/** Whom a face may be, and where it is in the frame in which it is most like them. */
export interface ReviewCandidate {
  readonly attendeeId: string;
  /** The stored face that it resembles. */
  readonly faceId: string;
  readonly bbox: Box;
}

/** Sealed to its frame, since the review may have begun with another. */
export async function sealCandidate(key: ScopeKey, frameId: string, candidate: ReviewCandidate): Promise<Buffer> {
  const { attendeeId, faceId, bbox } = candidate;
  const plain = JSON.stringify({ attendee_id: attendeeId, face_id: faceId, bbox });
  return Buffer.from(await key.seal(new TextEncoder().encode(plain), contextOf(frameId)));
}

/** @throws when it is not this key's: that would be a review of another event */
export async function openCandidate(key: ScopeKey, frameId: string, sealed: Uint8Array): Promise<ReviewCandidate> {
  const plain = await key.open(sealed, contextOf(frameId));
  if (plain === null) throw new Error('the candidate of a review does not open under the key of its event');
  const { attendee_id, face_id, bbox } = JSON.parse(new TextDecoder().decode(plain)) as {
    attendee_id: string;
    face_id: string;
    bbox: Box;
  };
  return { attendeeId: attendee_id, faceId: face_id, bbox };
}

function contextOf(frameId: string): readonly string[] {
  return ['review', frameId];
}
