/** Somebody whom a face resembles; null for a face that is nobody's in particular. */
interface Resembled {
  readonly attendee: object | null;
  readonly similarity: number;
}

/** Whether two attendees are nearly as like. Faces of nobody in particular may all be of one person. @param near the best first */
export function isAmbiguous(near: readonly Resembled[], margin: number): boolean {
  const [best, next] = near.filter(({ attendee }) => attendee !== null);
  return best !== undefined && next !== undefined && best.similarity - next.similarity < margin;
}
