const UNREAD_MAX = 10_000;

/** What was told since somebody last took it: nothing is lost between two calls of `watch*`, and the oldest goes where nobody takes any. */
export class Unread<T> {
  readonly #most: number;
  #told: T[] = [];
  #error: Error | null = null;
  #isEnded = false;
  readonly #waiting: { resolve: (told: T[]) => void; reject: (error: Error) => void }[] = [];

  constructor(most = UNREAD_MAX) {
    this.#most = most;
  }

  tell(item: T): void {
    if (this.#isEnded) return;
    const waiting = this.#waiting.splice(0);
    if (waiting.length > 0) {
      for (const { resolve } of waiting) resolve([item]);
      return;
    }
    if (this.#told.length >= this.#most) this.#told.shift();
    this.#told.push(item);
  }

  /** Fails whoever waits, and keeps nothing until somebody takes again. */
  end(error: Error): void {
    this.#isEnded = true;
    this.#told = [];
    this.#error = null;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  /** Fails whoever waits, or else whoever takes next. */
  fail(error: Error): void {
    if (this.#isEnded) return;
    const waiting = this.#waiting.splice(0);
    if (waiting.length === 0) this.#error = error;
    for (const { reject } of waiting) reject(error);
  }

  async take(): Promise<T[]> {
    this.#isEnded = false;
    if (this.#error !== null) {
      const error = this.#error;
      this.#error = null;
      throw error;
    }
    if (this.#told.length > 0) return this.#told.splice(0);
    return await new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }
}
