import { assignFaces, type Candidate } from './assign-faces.ts';
import type { MatchRule } from './match-rule.ts';

/** A candidate with what was decided of it. */
interface Recognition<C extends Candidate> {
  readonly candidate: C;
  /** Of whom the face resembles most after them; null where it resembles nobody else. */
  readonly runnerUp: number | null;
}

export interface RecognizedFaces<C extends Candidate> {
  /** By index of the face. */
  readonly matches: ReadonlyMap<number, Recognition<C>>;
  /** Faces that may be somebody, which a person is to say. Until then they are nobody. */
  readonly reviews: ReadonlyMap<number, Recognition<C>>;
}

/**
 * Who is in one image. Of candidates alike enough to be reviewed each face gets one person at most and each person one face
 * (`assignFaces`). It is that person where the rule's threshold is reached and the face is ahead, by the margin, of everybody else it
 * resembles, whether or not they were found elsewhere in the image. Where several faces would each be the same person, people say which
 * one is: nobody has two faces.
 *
 * @param candidates with those that are below the threshold of a review by less than the margin
 */
export function recognizeFaces<C extends Candidate>(
  candidates: readonly C[],
  { matchFrom, reviewFrom, margin }: MatchRule,
): RecognizedFaces<C> {
  const matches = new Map<number, Recognition<C>>();
  const reviews = new Map<number, Recognition<C>>();
  const claims = claimsOf(candidates, matchFrom);
  const isContested = ({ person }: Candidate) => claims.filter((claim) => claim.person === person).length > 1;
  for (const [face, candidate] of assignFaces(candidates.filter(({ similarity }) => similarity >= reviewFrom))) {
    const runnerUp = runnerUpOf(candidates, candidate);
    const isAhead = runnerUp === null || candidate.similarity - runnerUp >= margin;
    const decided = candidate.similarity >= matchFrom && isAhead && !isContested(candidate) ? matches : reviews;
    decided.set(face, { candidate, runnerUp });
  }
  for (const candidate of claims.filter(isContested)) {
    if (matches.has(candidate.face) || reviews.has(candidate.face)) continue;
    reviews.set(candidate.face, { candidate, runnerUp: runnerUpOf(candidates, candidate) });
  }
  return { matches, reviews };
}

/** Of each face whom it resembles most, where that is enough for a match. */
function claimsOf<C extends Candidate>(candidates: readonly C[], matchFrom: number): C[] {
  return candidates.filter(
    (candidate) =>
      candidate.similarity >= matchFrom && (runnerUpOf(candidates, candidate) ?? -1) <= candidate.similarity,
  );
}

function runnerUpOf(candidates: readonly Candidate[], { face, person }: Candidate): number | null {
  const others = candidates.filter((other) => other.face === face && other.person !== person);
  return others.length === 0 ? null : Math.max(...others.map(({ similarity }) => similarity));
}
