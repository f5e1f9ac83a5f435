import { cosine } from './cosine.ts';

/**
 * Which of the faces that are added to an attendee show nobody whom the stored ones show, by their places. A face resembles all that are stored. Where a
 * merge has made two people who are unlike one attendee, it resembles all of one of them: none that it does not resemble resembles one that it does, so
 * that it leads from nobody to anybody else. Those that are added together are of the same one.
 *
 * @param similarity_min the cosine from which two faces may be one person
 */
export function unlikeStored(
  faces: readonly Float32Array[],
  stored: readonly Float32Array[],
  similarity_min: number,
): number[] {
  const isAlike = (a: Float32Array, b: Float32Array) => cosine(a, b) >= similarity_min;
  const owns = faces.map((face) => stored.map((one) => isAlike(face, one)));
  const isWhole = (own: readonly boolean[]) =>
    own.includes(true) &&
    !stored.some((one, at) => own[at] && stored.some((other, to) => !own[to] && isAlike(one, other)));
  const isSame = (own: readonly boolean[]) => own.every((is, at) => is === owns[0]?.[at]);
  return owns.flatMap((own, place) => (isWhole(own) && isSame(own) ? [] : [place]));
}
