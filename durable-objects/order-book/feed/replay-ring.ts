interface Entry<T> {
  readonly sequence: number;
  readonly previous: number;
  readonly value: T;
}

/** The last so many messages of a stream, to be said again to one who missed some. */
export class ReplayRing<T> {
  readonly #capacity: number;
  #entries: Entry<T>[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** `previous` is the sequence of the message before; where left out, sequences have no gaps. What is here already is not kept twice. */
  push(sequence: number, value: T, previous = sequence - 1): void {
    if (sequence <= (this.#entries.at(-1)?.sequence ?? Number.NEGATIVE_INFINITY)) return;
    this.#entries.push({ sequence, previous, value });
    // Cut in halves, so that a push costs the same however many are kept.
    if (this.#entries.length >= 2 * this.#capacity) this.#entries = this.#entries.slice(-this.#capacity);
  }

  /** Everything that followed `sequence`, up to the stream's `latest`; null when some of it is no longer here. */
  after(sequence: number, latest: number): T[] | null {
    if (sequence === latest) return [];
    const from = this.#entries.findIndex((entry) => entry.previous === sequence);
    return from < 0 || this.#entries.at(-1)?.sequence !== latest
      ? null
      : this.#entries.slice(from).map((entry) => entry.value);
  }
}
