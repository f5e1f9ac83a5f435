/** A stored face that is like a query. */
export interface VectorMatch {
  readonly faceId: string;
  /** The attendee; null for a face that belongs to none. */
  readonly subject: string | null;
  /** Cosine, −1..1. */
  readonly similarity: number;
}
