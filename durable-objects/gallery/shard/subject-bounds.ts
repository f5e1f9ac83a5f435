/**
 * The `topK`-th greatest of the least similarities that the subjects seen so far are sure of: whatever cannot reach it is not among
 * the best `topK`. Two subjects taken for one make it lower, never too high.
 */
export class SubjectBounds {
  readonly #topK: number;
  readonly #lower = new Map<number, number>();
  #floor: number;
  #full = false;

  /** @param threshold similarity that a match needs in any case. */
  constructor(topK: number, threshold: number) {
    this.#topK = topK;
    this.#floor = threshold;
  }

  get floor(): number {
    return this.#floor;
  }

  offer(subject: number, lower: number): void {
    if (this.#full && lower <= this.#floor) return;
    const own = this.#lower.get(subject);
    if (own !== undefined && own >= lower) return;
    this.#lower.set(subject, lower);
    if (this.#lower.size < this.#topK) return;
    let least = subject;
    let leastBound = lower;
    for (const [other, bound] of this.#lower) {
      if (bound >= leastBound) continue;
      least = other;
      leastBound = bound;
    }
    if (this.#lower.size > this.#topK) {
      this.#lower.delete(least);
      leastBound = Math.min(...this.#lower.values());
    }
    if (leastBound > this.#floor) {
      this.#floor = leastBound;
      this.#full = true;
    }
  }
}
