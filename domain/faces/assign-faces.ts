/** That a face of an image may be a registered person. */
export interface Candidate {
  /** Index of the face in the image. */
  readonly face: number;
  /** The attendee, or the stored face where it belongs to none. */
  readonly person: string;
  readonly similarity: number;
}

/**
 * Who is in one image: each face is one person at most, each person one face at most, the most similar pairs first. Of equal pairs the
 * one that was named first is taken.
 */
export function assignFaces<C extends Candidate>(candidates: readonly C[]): ReadonlyMap<number, C> {
  const assigned = new Map<number, C>();
  const taken = new Set<string>();
  for (const candidate of candidates.toSorted((a, b) => b.similarity - a.similarity)) {
    if (assigned.has(candidate.face) || taken.has(candidate.person)) continue;
    assigned.set(candidate.face, candidate);
    taken.add(candidate.person);
  }
  return assigned;
}
