/** Between tries of what fails: twice as long each time, up to the longest. */
export class GrowingPause {
  readonly #first_ms: number;
  readonly #longest_ms: number;
  #next_ms: number;

  constructor(first_ms: number, longest_ms: number) {
    this.#first_ms = first_ms;
    this.#longest_ms = longest_ms;
    this.#next_ms = first_ms;
  }

  /** How long to wait before the next try; the pause after that is twice as long. */
  next_ms(): number {
    const pause_ms = this.#next_ms;
    this.#next_ms = Math.min(this.#longest_ms, pause_ms * 2);
    return pause_ms;
  }

  /** It has gone well, or there is something new. */
  end(): void {
    this.#next_ms = this.#first_ms;
  }
}
