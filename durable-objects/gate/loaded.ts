/** Facts are read again after this at the latest: should an `invalidate()` be lost with its isolate, they heal by themselves. */
const AGE_MS_MAX = 60_000;

/**
 * A value read from D1 once and kept until it is dropped. Callers that arrive during a read share it; one that was dropped meanwhile
 * is read again, so nobody is served what was true before `drop()`.
 */
export class Loaded<T> {
  readonly #read: () => Promise<T>;
  #held: { readonly value: T; readonly readAt: number } | null = null;
  #reading: Promise<T> | null = null;
  #epoch = 0;

  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  /** The value, at once where it is held. */
  get(now: number): T | Promise<T> {
    if (this.#held !== null && now - this.#held.readAt < AGE_MS_MAX) return this.#held.value;
    this.#reading ??= this.#readAgain(now).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  drop(): void {
    this.#epoch++;
    this.#held = null;
  }

  async #readAgain(now: number): Promise<T> {
    for (;;) {
      const epoch = this.#epoch;
      const value = await this.#read().catch((error: unknown) => this.#heldInstead(error));
      if (epoch !== this.#epoch) continue;
      this.#held = { value, readAt: now };
      return value;
    }
  }

  /** What is held still, and was not dropped, outlives a database that cannot be read. */
  #heldInstead(error: unknown): T {
    if (this.#held === null) throw error;
    return this.#held.value;
  }
}
