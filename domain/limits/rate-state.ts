/** One bucket as the X-RateLimit headers show it. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds at which the bucket is whole again. */
  readonly reset: number;
}
